import type { SnapshotRuleException } from '@palisade/proxy-protocol'
import { isNotOff, numberIfGiven, textIfGiven, utf8Bytes } from '../../kinds/conversions.ts'
import { fieldReader, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { everywhere, placeMembers } from '../places/compile.ts'
import { ruleException } from './fields.ts'

/**
 * The rule that is left out somewhere, by its number; undefined where the exception is switched off. Without a target, the whole rule is.
 */
export const ruleExceptionReader = whenOn(
  fieldReader(ruleException, {
    isOn: ['status', isNotOff],
    host: placeMembers.host,
    url: placeMembers.url,
    rule: ['rule', numberIfGiven],
    target: ['target', targetOf],
  }),
)

function targetOf(written: Value | undefined): string | undefined {
  return textIfGiven(utf8Bytes(written))
}

/** The rules that a service leaves out somewhere; undefined when there are none. */
export function compileRuleExceptions(
  service: ConfigurationObject,
): readonly SnapshotRuleException[] | undefined {
  const exceptions = childrenOf(service, ruleException.name).flatMap((object) => exceptionOf(object) ?? [])
  return exceptions.length === 0 ? undefined : exceptions
}

/** Undefined for one that is switched off. */
function exceptionOf(object: ConfigurationObject): SnapshotRuleException | undefined {
  const { rule, ...read } = ruleExceptionReader.of(object) ?? {}
  return rule === undefined ? undefined : { ...everywhere, name: object.name, ...read, rule }
}
