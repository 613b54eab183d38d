import type { Behaviour } from '../changes/behaviour.ts'

/**
 * The cluster of this system: it has no other node to which work could go over, since servers that share a database all
 * answer at the same time.
 */
export function clusters(): Behaviour {
  return {
    kind: 'cluster',
    complete({ given }) {
      const operation = given.get('operation')
      if (operation === undefined) return {}
      const sentence = `The member operation: ${operation} is not possible, because this system has no other node.`
      return { problems: [{ member: 'operation', sentence }] }
    },
  }
}
