import type { SnapshotTls } from '@palisade/proxy-protocol'
import { isOn, number, text } from '../../kinds/conversions.ts'
import { fieldReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { compileTls } from '../tls/compile.ts'
import { service } from './service.ts'

/** Why proxies are told nothing of a service that is meant to be unreachable. */
export const switchedOff = 'It is switched off.'

const typesWithTls = ['HTTPS', 'Instant SSL']
const carriedTypes = ['HTTP', 'Redirect Service', ...typesWithTls]

/** What a service says of where it is met; `address` is empty where it has none. */
export const placeReader = fieldReader(service, {
  type: ['type', text],
  isOn: ['status', isOn],
  address: ['ip-address', text],
  port: ['port', number],
})

/** Where clients meet a service. */
export interface PlaceOfService {
  readonly address: string
  readonly port: number
  /** Whether requests are only led to the same address over HTTPS. */
  readonly redirects: boolean
  readonly tls: SnapshotTls | undefined
}

/** The members of a service that say where it is met, and whether. */
export const placeMembers: ReadonlySet<string> = new Set([...placeReader.fields.keys(), 'certificate'])

/** Where clients meet a service, or why nowhere: a sentence. */
export function placeOfService(
  object: ConfigurationObject,
  snapshot: Snapshot,
): PlaceOfService | { readonly withheld: string } {
  const { type, isOn, address, port } = placeReader.of(object)
  if (!isOn) return { withheld: switchedOff }
  if (!carriedTypes.includes(type)) return { withheld: `Services of the type ${type} are not carried yet.` }
  if (address === '') return { withheld: 'It has no ip-address at which clients could be met.' }
  const tls = compileTls(object, snapshot)
  if (typeof tls === 'string') return { withheld: tls }
  if (tls === undefined && typesWithTls.includes(type)) {
    return { withheld: `A service of the type ${type} needs a certificate, and ssl-security switched on.` }
  }
  return { address, port, redirects: type === 'Redirect Service', tls }
}
