import type { Phase } from '../inspection/phase.ts'
import type { Position } from '../language/rule-set-failure.ts'
import type { ActionSyntax, OperatorSyntax, VariableSyntax } from '../language/syntax.ts'

/** A rule with its chain, all directives about it applied, not compiled yet. */
export interface RuleDraft {
  readonly id: number
  readonly phase: Phase
  readonly at: Position
  readonly links: readonly LinkDraft[]
  /** What `SecDefaultAction` said for the phase when the rule came. */
  readonly defaults: readonly ActionSyntax[]
}

/** One rule of a chain. */
export interface LinkDraft {
  readonly at: Position
  readonly variables: readonly VariableSyntax[]
  readonly operator: OperatorSyntax | undefined
  /** As written, without the defaults. */
  readonly actions: readonly ActionSyntax[]
}

/** Rules and markers in the order of the files. */
export type DraftEntry =
  | { readonly kind: 'rule'; readonly rule: RuleDraft }
  | { readonly kind: 'marker'; readonly label: string }

/** The argument of the last action of that name. */
export function argumentOf(actions: readonly ActionSyntax[], name: string): string | undefined {
  return actions.findLast((action) => action.name === name)?.argument
}
