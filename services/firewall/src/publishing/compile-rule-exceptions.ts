import type { SnapshotRuleException } from '@palisade/proxy-protocol'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { compilePlace } from './compile-denials.ts'
import { childrenOf, numberIn, textIn } from './reading.ts'

/** The rules that a service leaves out somewhere; undefined when there are none. */
export function compileRuleExceptions(
  service: ConfigurationObject,
): readonly SnapshotRuleException[] | undefined {
  const exceptions = childrenOf(service, 'rule-exception').flatMap((object) => ruleException(object) ?? [])
  return exceptions.length === 0 ? undefined : exceptions
}

/** Undefined for one that is switched off. */
function ruleException({
  name,
  content: { values },
}: ConfigurationObject): SnapshotRuleException | undefined {
  const rule = numberIn(values, 'rule')
  const target = textIn(values, 'target')
  if (values.status === 'Off' || rule === undefined) return undefined
  const place = compilePlace(values)
  return {
    name,
    ...place,
    url: bytesOf(place.url),
    rule,
    ...(target === '' ? {} : { target: bytesOf(target) }),
  }
}

/** A byte string, which is what proxies compare. */
function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
