import type { Behaviour } from '../changes/behaviour.ts'
import type { Content } from '../objects/content.ts'
import { type Destination, type Guarding, refuseForbidden } from './refuse-forbidden.ts'
import { inStep, type SharedMember } from './shared-members.ts'

/** Where a server without a port is. */
const httpPort = 80

/** Older versions have these among the plain members of a server, newer ones in a section. */
const shared: readonly SharedMember[] = [
  { member: 'backup-server', section: 'load-balancing' },
  { member: 'weight', section: 'load-balancing' },
]

/**
 * Keeps in step what a server says twice, whether it is a service's or a content rule's, and refuses one where the operator has
 * forbidden it.
 */
export function servers(kind: 'server' | 'rule-group-server', { guard }: Guarding): Behaviour {
  return {
    kind,
    complete: (change) => ({
      content: inStep(shared, change.content, change),
      ...refuseForbidden(change, destinationOf, guard()),
    }),
  }
}

function destinationOf({ values }: Content): Destination {
  const member = values.identifier === 'Hostname' ? 'hostname' : 'ip-address'
  return { member, host: String(values[member] ?? ''), port: Number(values.port) || httpPort }
}
