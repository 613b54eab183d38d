import type { AddressGuard } from '@palisade/proxy-protocol'
import type { Change, Completion } from '../changes/behaviour.ts'
import type { Content } from '../objects/content.ts'

/** What keeps administrators from naming where nothing may connect to. */
export interface Guarding {
  readonly guard: () => AddressGuard
}

/** Where an object has something connect to. */
export interface Destination {
  /** The member that says so. */
  readonly member: string
  /** An IP address or a name. */
  readonly host: string
  readonly port: number
}

/**
 * Refuses a change by which an object comes to name an address that is forbidden. Names are looked up where a connection is opened, and
 * refused there. What leads to the same place as before is let be: whoever forbids an address later does not keep anybody from changing
 * the rest.
 */
export function refuseForbidden(
  { content, before, section }: Change,
  destinationOf: (content: Content) => Destination,
  guard: AddressGuard,
): Pick<Completion, 'problems'> {
  const { member, host, port } = destinationOf(content)
  if (section !== undefined || !guard.forbids(host, port)) return {}
  const earlier = before && destinationOf(before.content)
  if (earlier?.host === host && earlier.port === port) return {}
  return {
    problems: [
      {
        member,
        sentence: `The member ${member}: the operator of this system has forbidden connections to ${host}, port ${port}, or the system itself listens there.`,
      },
    ],
  }
}
