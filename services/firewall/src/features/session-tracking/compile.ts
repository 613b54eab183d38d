import type { SnapshotSessionLimits, SnapshotSessionToken } from '@palisade/proxy-protocol'
import { isOn, numberIfGiven, numberOr, ranges, text, texts } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { kindNamedBy } from '../../objects/reading.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { service } from '../services/service.ts'
import { sessionIdentifier } from './session-identifier.ts'

/** How many sessions one client may begin in a window; undefined where they are not counted. */
export const sessionTrackingReader = whenOn(
  sectionReader(service, 'session-tracking', {
    isOn: ['status', isOn],
    windowSeconds: ['max-interval', numberOr(60)],
    sessions: ['max-sessions-per-ip', numberIfGiven],
    // Words that are no references, such as PHPSESSID-session, are names of objects of the factory all the same.
    identifiers: ['identifiers', texts],
    /** Clients that are not counted. */
    exceptions: ['exception-clients', ranges],
  }),
)

/** Where the token of a session is; `type` says in what, and whether `name` is whole, a prefix or a suffix. */
export const sessionIdentifierReader = fieldReader(sessionIdentifier, {
  type: ['token-type', text],
  name: ['token-name', text],
  startDelimiter: ['start-delimiter', text],
  endDelimiter: ['end-delimiter', text],
})

/** How many sessions clients of a service may begin; undefined for any number. */
export function compileSessionLimits(
  object: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotSessionLimits | undefined {
  const read = sessionTrackingReader.of(object)
  if (read?.sessions === undefined) return undefined
  const { identifiers, sessions, ...rest } = read
  const kind = kindNamedBy(object.kind, 'identifiers')
  const objects = identifiers.flatMap((name) => (kind && snapshot.object(kind, [name])) ?? [])
  return { ...rest, sessions, tokens: objects.map(tokenOf) }
}

function tokenOf(object: ConfigurationObject): SnapshotSessionToken {
  const { type, ...rest } = sessionIdentifierReader.of(object)
  return {
    in: type.startsWith('Cookie') ? 'cookie' : type.startsWith('Parameter') ? 'parameter' : 'path',
    by: type.endsWith('Prefix') ? 'prefix' : type.endsWith('Suffix') ? 'suffix' : 'whole',
    ...rest,
  }
}

/** How the sessions of clients are counted. */
export type SnapshotSessionTracking = Omit<Settings<typeof sessionTrackingReader>, 'identifiers' | 'sessions'>

/** How the token of a session is found. */
export type SnapshotSessionIdentifier = Omit<Settings<typeof sessionIdentifierReader>, 'type'>
