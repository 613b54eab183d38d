import type { Position } from './rule-set-failure.ts'

/** What follows the colon of a variable: one key, or a regular expression over keys. Both are compared without case. */
export type Selector =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'pattern'; readonly source: string }

/** One variable of a rule: `ARGS`, `&TX:score`, `!REQUEST_COOKIES:/^__utm/`. */
export interface VariableSyntax {
  /** `count` is written `&`, `exclude` is written `!`. */
  readonly mode: 'read' | 'count' | 'exclude'
  /** In upper case. */
  readonly name: string
  readonly selector?: Selector
}

/** An operator: `"!@within %{tx.allowed_methods}"`. */
export interface OperatorSyntax {
  readonly isNegated: boolean
  /** In lower case, without `@`. */
  readonly name: string
  readonly argument: string
}

/** One action: `setvar:'tx.score=+5'`. */
export interface ActionSyntax {
  /** In lower case. */
  readonly name: string
  /** Absent when there is no colon. */
  readonly argument?: string
}

/** A SecRule, or a SecAction when it has neither variables nor operator. */
export interface RuleSyntax {
  readonly kind: 'rule'
  readonly at: Position
  readonly variables: readonly VariableSyntax[]
  readonly operator?: OperatorSyntax
  readonly actions: readonly ActionSyntax[]
}

/** Which rules a directive means. */
export type RuleSelection =
  | { readonly by: 'id'; readonly ranges: readonly IdRange[] }
  | { readonly by: 'tag' | 'message'; readonly pattern: string }

/** Rule ids from `first` to `last`, both included. */
export interface IdRange {
  readonly first: number
  readonly last: number
}

/** What the rule files say in order; settings are kept apart. */
export type Statement =
  | RuleSyntax
  | { readonly kind: 'marker'; readonly at: Position; readonly label: string }
  | { readonly kind: 'default-action'; readonly at: Position; readonly actions: readonly ActionSyntax[] }
  | { readonly kind: 'remove'; readonly at: Position; readonly rules: RuleSelection }
  | {
      readonly kind: 'update-target'
      readonly at: Position
      readonly rules: RuleSelection
      readonly variables: readonly VariableSyntax[]
      /** With it, these variables are taken away and the others put in their place. */
      readonly replaced?: readonly VariableSyntax[]
    }
  | {
      readonly kind: 'update-action'
      readonly at: Position
      readonly id: number
      /** 0 is the first rule of a chain. */
      readonly chainOffset: number
      readonly actions: readonly ActionSyntax[]
    }
