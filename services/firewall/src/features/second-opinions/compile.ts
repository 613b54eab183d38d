import type { SnapshotRuleException, SnapshotSecondOpinion } from '@palisade/proxy-protocol'
import { isNotOff, utf8Bytes } from '../../kinds/conversions.ts'
import { fieldReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { everywhere, placeMembers } from '../places/compile.ts'
import { secondOpinion } from './fields.ts'

/** The parameter of a place, as a byte string of UTF-8; undefined where its second opinion is switched off. */
export const secondOpinionReader = whenOn(
  fieldReader(secondOpinion, {
    isOn: ['status', isNotOff],
    host: placeMembers.host,
    url: placeMembers.url,
    parameter: ['parameter', utf8Bytes],
  }),
)

/**
 * The parameters of a service for which refused requests are looked at a second time; undefined when there are none.
 *
 * @param exceptions of the same service, which say what is known of the parameters
 */
export function compileSecondOpinions(
  service: ConfigurationObject,
  exceptions: readonly SnapshotRuleException[] = [],
): readonly SnapshotSecondOpinion[] | undefined {
  const opinions = childrenOf(service, secondOpinion.name).flatMap((object) => {
    const own = secondOpinionReader.of(object)
    if (own === undefined) return []
    return { ...everywhere, name: object.name, ...own, exceptedRules: exceptedFor(own, exceptions) }
  })
  return opinions.length === 0 ? undefined : opinions
}

/** The rules that are left out for just this parameter of this place, as it is written. */
function exceptedFor(
  { host, url, parameter }: Pick<SnapshotSecondOpinion, 'host' | 'url' | 'parameter'>,
  exceptions: readonly SnapshotRuleException[],
): number[] {
  const same = exceptions.filter(
    (one) => one.host === host && one.url === url && one.target === `ARGS:${parameter}`,
  )
  return [...new Set(same.map(({ rule }) => rule))].sort((one, other) => one - other)
}
