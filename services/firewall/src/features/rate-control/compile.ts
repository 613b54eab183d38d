import type { SnapshotRequestPool } from '@palisade/proxy-protocol'
import { isNotOff, isOn, numberOr, ranges } from '../../kinds/conversions.ts'
import { fieldReader, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { service } from '../services/service.ts'
import { preferredClient } from './preferred-client.ts'
import { rateControlPool } from './rate-control-pool.ts'

export const rateControlSwitch = sectionReader(service, 'basic-security', {
  isOn: ['rate-control-status', isOn],
})

/** The pool of a service: one at most. */
export const poolOfService = sectionReferenceReader(service, 'basic-security', 'rate-control-pool')

const unlimited = Number.MAX_SAFE_INTEGER

export const rateControlPoolReader = fieldReader(rateControlPool, {
  activeMax: ['max-active-requests', numberOr(unlimited)],
  backlogMax: ['max-per-client-backlog', numberOr(unlimited)],
  clientsMax: ['max-unconfigured-clients', numberOr(unlimited)],
})

export const preferredClientReader = whenOn(
  fieldReader(preferredClient, {
    isOn: ['status', isNotOff],
    clients: ['ip-range', ranges],
    weight: ['weight', numberOr(1)],
  }),
)

/** The budget of requests that a service shares; undefined for none. */
export function compileRequestPool(
  object: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotRequestPool | undefined {
  const [pool] = poolOfService.of(object, snapshot)
  if (pool === undefined || !rateControlSwitch.of(object).isOn) return undefined
  return {
    name: pool.name,
    ...rateControlPoolReader.of(pool),
    preferred: childrenOf(pool, preferredClient.name).flatMap((one) => preferredClientReader.of(one) ?? []),
  }
}
