import type { RuleSelection } from '../language/syntax.ts'

/**
 * Gives the places of the rules that a selection means, as a function to be called when a transaction runs: while a rule is
 * compiled, those after it are not known yet.
 */
export type SelectRulesLater = (selection: RuleSelection) => () => readonly number[]
