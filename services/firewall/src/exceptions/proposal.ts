import type { Finding, JudgedRequest } from './judged-requests.ts'

/** The URL of an exception that counts for every URL of a service. */
export const everyUrl = '/*'

/** What an exception would leave out: a rule, for one part of the requests for a URL. */
export interface LeftOut {
  readonly url: string
  readonly rule: number
  /** Undefined where the rule is left out wholly, since what it looked at is no part of a request. */
  readonly target: string | undefined
}

/** One request in which the rule fired where the exception is proposed. */
export interface ProposalRequest {
  readonly request: JudgedRequest
  readonly findings: readonly Finding[]
  /** Whether it would have passed with this exception and no other. */
  readonly passesAlone: boolean
  /** The ids of the other proposals about it. */
  readonly others: readonly string[]
}

/** An exception that would have let requests through. */
export interface Proposal extends LeftOut {
  /** The same whenever it is asked for. */
  readonly id: string
  /** Newest first. */
  readonly requests: readonly ProposalRequest[]
  readonly clients: readonly string[]
  /** In milliseconds since 1970. */
  readonly firstAt: number
  readonly lastAt: number
  /** Whether it was seen often enough, by clients enough, or by one that is trusted. */
  readonly hasEnoughEvidence: boolean
  /** Sentences. */
  readonly speaksAgainst: readonly string[]
}

/** When an exception has evidence enough. */
export interface EvidenceNeeded {
  readonly requests: number
  readonly clients: number
  /** Whether one request of this client is enough. */
  readonly isTrusted: (client: string) => boolean
}
