import type { VariableCollection } from '../collections/variable-collection.ts'
import type { Target } from '../content/target.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { Allowance } from '../inspection/outcome.ts'
import type { Phase } from '../inspection/phase.ts'
import type { Position } from '../language/rule-set-failure.ts'
import type { Operator } from '../matching/index.ts'
import type { Macro } from './macro.ts'
import type { TargetGroup } from './target-group.ts'

/** What a rule says about itself. */
export interface RuleMetadata {
  readonly id: number
  readonly at: Position
  readonly phase: Phase
  readonly message: Macro
  readonly data: Macro
  readonly tags: readonly Macro[]
  readonly severity: number | undefined
  readonly version: string
  readonly revision: string
}

/** What a rule does when it matches, besides interrupting. Runs once for every target that matches. */
export interface Effect {
  (inspection: Inspection): void
  /** Present where it reads and writes nothing but variables of TX. */
  readonly isOnlyOnTx?: true
  /** Present where it changes what variables of the request give that were not read yet in the phase. */
  readonly changesValues?: true
}

/** How a rule tests a value. Absent in a SecAction, which always matches. */
export interface Test {
  readonly group: TargetGroup
  readonly isNegated: boolean
  /** The operator; made anew where its argument has macros. */
  readonly operator: Operator | ((inspection: Inspection) => Operator)
  readonly capturesResults: boolean
  /** Its number in the phase's prefilter; undefined when it must always run. */
  readonly prefilterNumber: number | undefined
}

/** One rule of a chain; most chains have one. */
export interface Link {
  readonly test: Test | undefined
  readonly effects: readonly Effect[]
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** What happens to the transaction when all links of a rule match. */
export type Disruption =
  | { readonly kind: 'pass' }
  | { readonly kind: 'deny'; readonly status: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: Macro }
  /** No further rules within the scope. */
  | { readonly kind: 'allow'; readonly scope: Allowance }

/** What a gate asks for one variable of TX. */
export interface GateQuestion {
  /** Of the variable, in lower case. */
  readonly lowerKey: string
  /** Whether it may match; nothing is told in TX. @param variable undefined where there is none */
  mayMatch(variable: Target | undefined): boolean
}

/** Says without running a rule whether its first link matches. */
export interface RuleGate {
  /** One that may match is enough. */
  readonly questions: readonly GateQuestion[]
  /** Whether the rule does nothing when it matches but to go on elsewhere. */
  readonly isAllOfRule: boolean
  /** What the first link of the rule matches; undefined when it, and so the rule, does not match. */
  matched(tx: VariableCollection): [Target, ...Target[]] | undefined
}

/** A rule with the rest of its chain. */
export interface Rule {
  /** Its place among all rules of the set; what runtime exclusions know it by. */
  readonly index: number
  readonly metadata: RuleMetadata
  readonly links: readonly Link[]
  /** Says without running the rule that it does not match; undefined where only running it tells. */
  readonly gate: RuleGate | undefined
  readonly disruption: Disruption
  readonly isLogged: boolean
  readonly isAuditLogged: boolean
  /** How far to go in the list of the phase when it matches; 1 is the next rule. */
  readonly advance: number
}
