import type { InjectionDetector } from '../injection-detector.ts'
import type { Operator, OperatorContext, OperatorFactory } from './operator.ts'

/** An operator that asks the detector of the rule set, and is inactive without one. */
function asking(
  { injections }: OperatorContext,
  operatorOf: (detector: InjectionDetector) => Operator,
): Operator {
  if (injections === undefined) return inactive('the rule set was loaded without a detector of injections')
  if (injections.unavailable !== undefined) return inactive(injections.unavailable)
  return operatorOf(injections)
}

function inactive(reason: string): Operator {
  return { inactive: reason, match: () => undefined }
}

/** Captures the fingerprint. */
export const detectSQLi: OperatorFactory = {
  name: 'detectSQLi',
  create: (_, context) =>
    asking(context, (detector) => ({
      match(value) {
        if (isOneWord(value)) return undefined
        const fingerprint = detector.detectSqli(value)
        return fingerprint === undefined ? undefined : { captures: [fingerprint] }
      },
    })),
}

/** Captures the value. Without a tag or an attribute there is nothing to find. */
export const detectXSS: OperatorFactory = {
  name: 'detectXSS',
  create: (_, context) =>
    asking(context, (detector) => ({
      literals: [['<', '=']],
      match(value) {
        if (!value.includes('<') && !value.includes('=')) return undefined
        return detector.detectXss(value) ? { captures: [value] } : undefined
      },
    })),
}

/** One name or number is one token, and no fingerprint of an attack has only one. */
function isOneWord(value: string): boolean {
  return /^\w*$/.test(value)
}
