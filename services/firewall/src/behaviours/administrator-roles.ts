import { ConfigurationRefused } from '../failure.ts'
import type { Behaviour } from './behaviour.ts'

/** Roles of the factory stay what they are: administrators count on what they mean. */
export function administratorRoles(): Behaviour {
  return {
    kind: 'administrator-role',
    complete({ before, content }) {
      const isFactory = before?.content.values['role-type'] === 'Factory'
      if (!isFactory || JSON.stringify(before.content) === JSON.stringify(content)) return {}
      const reason = `The role ${before.name} belongs to the factory configuration: create one like it, and change that.`
      throw new ConfigurationRefused({ code: 'has-to-stay', reason })
    },
  }
}
