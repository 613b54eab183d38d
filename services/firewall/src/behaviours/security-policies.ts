import type { Behaviour } from '../changes/behaviour.ts'
import { type ConfigurationObject, subtree } from '../objects/configuration-object.ts'
import type { Write } from '../objects/snapshot.ts'

/** A policy that is based on another one starts with everything that the other one has. */
export function securityPolicies(): Behaviour {
  return {
    kind: 'security-policy',
    complete({ before, content, given, kind, path, snapshot }) {
      const basedOn = given.get('based-on')
      const model = typeof basedOn === 'string' ? snapshot.object(kind, [basedOn]) : undefined
      if (before || !model) return {}
      const inside = [...subtree(model)].filter((object) => object !== model && object.version > 0)
      return {
        content: { ...content, sections: model.content.sections },
        writes: inside.map((object) => copiedTo(path, object)),
      }
    },
  }
}

function copiedTo(path: readonly string[], { kind, path: before, content }: ConfigurationObject): Write {
  return { kind, path: [...path, ...before.slice(path.length)], content }
}
