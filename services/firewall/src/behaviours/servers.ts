import type { Behaviour } from './behaviour.ts'
import { inStep, type SharedMember } from './shared-members.ts'

/** Older versions have these among the plain members of a server, newer ones in a section. */
const shared: readonly SharedMember[] = [
  { member: 'backup-server', section: 'load-balancing' },
  { member: 'weight', section: 'load-balancing' },
]

/** Keeps in step what a server says twice, whether it is a service's or a content rule's. */
export function servers(kind: 'server' | 'rule-group-server'): Behaviour {
  return { kind, complete: (change) => ({ content: inStep(shared, change.content, change) }) }
}
