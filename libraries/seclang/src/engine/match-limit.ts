import type { VariableCollection } from '../collections/variable-collection.ts'
import { matchLimitExceeded, type OperatorMatch } from '../matching/index.ts'

/** ModSecurity's name for it, by which its recommended settings refuse such requests (rule 200005). */
const limitVariable = 'MSC_PCRE_LIMITS_EXCEEDED'

/**
 * What an operator has found, for a rule to judge. A value that was too hard for it counts as not matching, as with PCRE's match limit,
 * and TX says so from then on.
 */
export function matchWithinLimit(
  match: OperatorMatch | undefined,
  tx: VariableCollection,
): OperatorMatch | undefined {
  if (match !== matchLimitExceeded) return match
  tx.set(limitVariable, '1')
  return undefined
}
