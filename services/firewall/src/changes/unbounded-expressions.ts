import { isExpressionPattern, parseExtendedMatch, problemOfRepetitions } from '@palisade/proxy-protocol'
import type { Value } from '../kinds/values.ts'

/** What is wrong with the text of a member that holds regular expressions which proxies run on requests: a sentence. */
const problems: Readonly<Record<string, (text: string) => string | undefined>> = {
  condition: problemOfMatch,
  'extended-match': problemOfMatch,
  'old-value': (text) =>
    isExpressionPattern(text) ? problemOfRepetitions(text, { keepsGroups: true }) : undefined,
  regex: (text) => problemOfRepetitions(text),
}

/**
 * Why no proxy may run an expression in a member: it would take too long on some requests, and hold up every service of the proxy.
 * Texts that are not understood for other reasons are taken, and the status of their service names them.
 */
export function unboundedExpression(member: string, value: Value | undefined): string | undefined {
  const problemOf = Object.hasOwn(problems, member) ? problems[member] : undefined
  return typeof value === 'string' ? problemOf?.(value) : undefined
}

function problemOfMatch(text: string): string | undefined {
  const parsed = parseExtendedMatch(text)
  return 'problem' in parsed && parsed.isUnbounded ? parsed.problem : undefined
}
