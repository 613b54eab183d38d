import type { SnapshotRuleException, SnapshotSecondOpinion } from '@palisade/proxy-protocol'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { compilePlace } from './compile-denials.ts'
import { switchedOn, textIn, utf8Bytes } from './reading.ts'

/**
 * The parameters of a service for which refused requests are looked at a second time; undefined when there are none.
 *
 * @param exceptions of the same service, which say what is known of the parameters
 */
export function compileSecondOpinions(
  service: ConfigurationObject,
  exceptions: readonly SnapshotRuleException[] = [],
): readonly SnapshotSecondOpinion[] | undefined {
  const opinions = switchedOn(service, 'second-opinion').map(({ name, content: { values } }) => {
    const own = { ...compilePlace(values), parameter: utf8Bytes(textIn(values, 'parameter')) }
    return { name, ...own, exceptedRules: exceptedFor(own, exceptions) }
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
