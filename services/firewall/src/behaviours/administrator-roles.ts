import { isUnlimited, somebodyIsUnlimited } from '../access/unlimited-administrators.ts'
import type { Behaviour } from '../changes/behaviour.ts'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { ConfigurationRefused } from '../failure.ts'

/**
 * Roles of the factory stay what they are: administrators count on what they mean. And a role does not lose its
 * rights while nobody else may change everything.
 */
export function administratorRoles({ configuration }: { configuration: LiveConfiguration }): Behaviour {
  const userKind = configuration.kind('user')

  return {
    kind: 'administrator-role',
    complete({ before, content, kind, snapshot }) {
      if (!before || JSON.stringify(before.content) === JSON.stringify(content)) return {}
      if (before.content.values['role-type'] === 'Factory') {
        const reason = `The role ${before.name} belongs to the factory configuration: create one like it, and change that.`
        throw new ConfigurationRefused({ code: 'has-to-stay', reason })
      }
      if (!isUnlimited(before) || isUnlimited({ content })) return {}
      const users = [...(snapshot.collection(userKind, []) ?? [])]
      const others = users.filter(({ content: { values } }) => values.role !== before.name)
      if (others.length === users.length) return {}
      if (somebodyIsUnlimited(others, snapshot.collection(kind, []))) return {}
      const sentence = 'The member objects: nobody else may change everything, so _ALL_:write has to stay.'
      return { problems: [{ member: 'objects', sentence }] }
    },
  }
}
