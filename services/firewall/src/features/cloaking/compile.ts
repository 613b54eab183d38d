import type { SnapshotPolicy } from '@palisade/proxy-protocol'
import { isOn, lowerCaseTexts, texts } from '../../kinds/conversions.ts'
import { sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { actionPolicy } from '../action-policies/fields.ts'
import { pageOf, pageOfDenial } from '../denials/compile.ts'
import { pageNamed } from '../response-pages/compile.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'

/** Names of response headers that are taken out, in lower case; undefined where none are. */
export const hiddenHeaderReader = whenOn(
  sectionReader(securityPolicy, 'cloaking', {
    isOn: ['filter-response-header', isOn],
    headers: ['headers-to-filter', lowerCaseTexts],
  }),
)

/** Statuses whose pages are not replaced; undefined where no error page is. */
export const hiddenErrorReader = whenOn(
  sectionReader(securityPolicy, 'cloaking', {
    isOn: ['suppress-return-code', isOn],
    exceptStatuses: ['return-codes-to-exempt', (value: Value | undefined) => texts(value).map(Number)],
  }),
)

/** The errors of servers that clients do not see; undefined where they see all of them. */
export function compileHiddenErrors(
  policy: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotPolicy['hiddenErrors'] {
  const read = hiddenErrorReader.of(policy)
  const action = childrenOf(policy, actionPolicy.name).find(
    ({ name }) => name === 'error-response-suppressed',
  )
  if (read === undefined || action === undefined) return undefined
  return { ...read, page: pageOfErrors(action, snapshot) }
}

/** The page of the action for suppressed errors; the one of the factory for errors where that is none in particular. */
function pageOfErrors(action: ConfigurationObject, snapshot: Snapshot) {
  const isChosen = pageOfDenial.referencesOf(action)[0]?.name !== 'default'
  return isChosen ? pageOf(action, snapshot) : pageNamed('default-error-resp', action, snapshot)
}
