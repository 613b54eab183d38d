import type { SnapshotRequestPool } from '@palisade/proxy-protocol'
import { isNotOff, isOn, numberOr, ranges } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { service } from '../services/service.ts'
import { preferredClient } from './preferred-client.ts'
import { rateControlPool } from './rate-control-pool.ts'

/** Whether a service uses its pool at all; {@link poolOfService} says which one that is. */
export const rateControlSwitch = sectionReader(service, 'basic-security', {
  isOn: ['rate-control-status', isOn],
})

/** The pool of a service: one at most. */
export const poolOfService = sectionReferenceReader(service, 'basic-security', 'rate-control-pool')

const unlimited = Number.MAX_SAFE_INTEGER

/** How many requests a pool serves and lets wait; without a value, any number. */
export const rateControlPoolReader = fieldReader(rateControlPool, {
  activeMax: ['max-active-requests', numberOr(unlimited)],
  /** Requests of one client that wait. */
  backlogMax: ['max-per-client-backlog', numberOr(unlimited)],
  /** Clients whose requests wait, but for preferred ones. */
  clientsMax: ['max-unconfigured-clients', numberOr(unlimited)],
})

/** Clients that wait in a queue of their own; undefined where they are switched off. */
export const preferredClientReader = whenOn(
  fieldReader(preferredClient, {
    isOn: ['status', isNotOff],
    /** Addresses, ranges with "-" and networks with "/". */
    clients: ['ip-range', ranges],
    /** How often their turn comes: 1 to 100 times that of others. */
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

/** How many requests a pool serves at once, and lets wait. */
export type SnapshotPoolLimits = Settings<typeof rateControlPoolReader>

/** Clients whose requests wait beside those of all others. */
export type SnapshotPreferredClient = Settings<typeof preferredClientReader>
