import type { SnapshotChecks, SnapshotPattern } from '@palisade/proxy-protocol'
import { isOn, texts } from '../../kinds/conversions.ts'
import { sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { kindNamedBy } from '../../objects/reading.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { spamPatterns } from '../patterns/compile.ts'
import { service } from '../services/service.ts'

/** The pages that a Referer may name all the same; undefined where it is not searched. */
export const refererSpamReader = whenOn(
  sectionReader(service, 'referer-spam', {
    isOn: ['status', isOn],
    exceptions: ['exception-patterns', texts],
  }),
)

/** Types that administrators chose; the one that ships with the firewall is searched for besides. */
export const refererSpamTypes = sectionReferenceReader(service, 'referer-spam', 'custom-blocked-patterns')

/** What ships with the firewall is always looked for. */
const ownSpamType = 'Spam URL List'

/** The planted links that the requests of a service are searched for; undefined where they are not. */
export function compileRefererSpam(
  object: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotChecks['refererSpam'] {
  const read = refererSpamReader.of(object)
  if (read === undefined) return undefined
  const own = ownSpamTypeOf(object, snapshot)
  const types = new Set([...(own ? [own] : []), ...refererSpamTypes.of(object, snapshot)])
  return { patterns: [...types].flatMap(spamPatterns), exceptions: read.exceptions }
}

/** The planted links that the firewall itself knows, as administrators have changed them. @param object the service */
export function factorySpamPatterns(object: ConfigurationObject, snapshot: Snapshot): SnapshotPattern[] {
  const own = ownSpamTypeOf(object, snapshot)
  return own ? spamPatterns(own) : []
}

function ownSpamTypeOf(object: ConfigurationObject, snapshot: Snapshot): ConfigurationObject | undefined {
  const kind = kindNamedBy(object.kind, 'custom-blocked-patterns')
  return kind && snapshot.object(kind, [ownSpamType])
}
