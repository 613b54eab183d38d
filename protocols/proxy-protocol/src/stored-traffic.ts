import type { SnapshotPolicy } from './policy.ts'
import type { ReportedRules } from './report.ts'
import type { SnapshotService } from './snapshot.ts'

/** How much goes into one message or one trial, and how long those wait who ask for trials. */
export const storedTrafficMax = {
  requestsOfMessage: 50,
  /** Requests that one trial judges, and what their texts take together in characters. */
  requestsOfTrial: 1_000,
  charactersOfTrial: 6 * 1024 * 1024,
  /** The longest body that is ever kept, in bytes. */
  bodyBytes: 256 * 1024,
  findings: 10,
} as const

/** How many rule sets a proxy offers for trials, and how they are named. */
export const ruleSetNamesMax = 32
export const ruleSetName = /^[\w.-]{1,64}$/

/** A request that is kept to be judged again. Its secrets are masked; texts are byte strings. */
export interface StoredRequest {
  /** As logs name it. */
  readonly id: string
  readonly service: string
  /** In milliseconds since 1970. */
  readonly time: number
  readonly clientAddress: string
  readonly isSecure: boolean
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Such as `1.1`. */
  readonly httpVersion: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** Without its content coding; absent where there was none, or where it was refused before it was read. */
  readonly body?: string
  /** Whether it was refused, or would have been in Active mode. */
  readonly isRefused: boolean
}

/** Requests that proxies have kept. */
export interface ProxyStoredRequests {
  readonly requests: readonly StoredRequest[]
}

/** A service as it is and as it might be, and requests that both are to judge. */
export interface Trial {
  readonly id: string
  readonly now: SnapshotService
  readonly candidate: SnapshotService
  /** Those that both name, by digest. */
  readonly policies: Readonly<Record<string, SnapshotPolicy>>
  /** The rule set that the candidate is judged by; absent for the one that counts. */
  readonly ruleSet?: string
  readonly requests: readonly StoredRequest[]
}

/** What was found in a request that was judged again, masked as logs are. */
export interface TriedFinding {
  /** A number or a name; empty where it is no rule. */
  readonly rule: string
  readonly target: string
  readonly attack: string
  readonly detail: string
}

/** What becomes of a request in Active mode, and why where it is refused. */
export interface TriedVerdict {
  readonly passes: boolean
  readonly findings: readonly TriedFinding[]
}

/** A stored request as both services judge it. */
export interface TriedRequest {
  readonly id: string
  readonly now: TriedVerdict
  readonly candidate: TriedVerdict
}

/** What came of a trial. */
export interface TrialResult {
  readonly trial: string
  /** Why there is none; empty where there is: a sentence. */
  readonly problem: string
  /** What was loaded of the rule set that was asked for. */
  readonly rules?: ReportedRules
  /** Without those for which there was no time, or which could not be sent again. */
  readonly tried: readonly TriedRequest[]
}
