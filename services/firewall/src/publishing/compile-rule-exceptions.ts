import type { SnapshotRuleException } from '@palisade/proxy-protocol'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { compilePlace } from './compile-denials.ts'
import { childrenOf, numberIn, textIn, utf8Bytes } from './reading.ts'

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
  return {
    name,
    ...compilePlace(values),
    rule,
    ...(target === '' ? {} : { target: utf8Bytes(target) }),
  }
}
