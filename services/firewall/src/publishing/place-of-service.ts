import type { SnapshotTls } from '@palisade/proxy-protocol'
import { compileTls } from '../features/tls/compile.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'

/** Why proxies are told nothing of a service that is meant to be unreachable. */
export const switchedOff = 'It is switched off.'

const typesWithTls = ['HTTPS', 'Instant SSL']
const carriedTypes = ['HTTP', 'Redirect Service', ...typesWithTls]

/** Where clients meet a service. */
export interface PlaceOfService {
  readonly address: string
  readonly port: number
  readonly tls: SnapshotTls | undefined
}

/** The members of a service that say where it is met, and whether. */
export const placeMembers: ReadonlySet<string> = new Set([
  'status',
  'type',
  'ip-address',
  'port',
  'certificate',
])

/** Where clients meet a service, or why nowhere: a sentence. */
export function placeOfService(
  service: ConfigurationObject,
  snapshot: Snapshot,
): PlaceOfService | { readonly withheld: string } {
  const { values } = service.content
  const type = String(values.type)
  if (values.status !== 'On') return { withheld: switchedOff }
  if (!carriedTypes.includes(type)) return { withheld: `Services of the type ${type} are not carried yet.` }
  if (values['ip-address'] === undefined) {
    return { withheld: 'It has no ip-address at which clients could be met.' }
  }
  const tls = compileTls(service, snapshot)
  if (typeof tls === 'string') return { withheld: tls }
  if (tls === undefined && typesWithTls.includes(type)) {
    return { withheld: `A service of the type ${type} needs a certificate, and ssl-security switched on.` }
  }
  return { address: String(values['ip-address']), port: Number(values.port), tls }
}
