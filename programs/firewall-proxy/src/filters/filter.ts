import type { LearntUrl, SnapshotService } from '@palisade/proxy-protocol'
import type { RuleSet } from '@palisade/seclang'
import type { AddressData } from '../address-data/address-data.ts'
import type { CredentialKnowledge } from '../credentials/credential-knowledge.ts'
import type { Answer, BodyFilter, RequestBody, ResponseHead } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Policy } from '../policy/policy.ts'
import type { ServiceMemory } from '../policy/traffic-memory.ts'
import type { SocketChecks } from './websockets/socket-checks.ts'

/**
 * One thing that a service does with requests and responses besides carrying them: allow, refuse, rewrite, encrypt. A filter
 * belongs to a runtime, so it may keep what it has prepared and counted; everything of one request is in its exchange.
 *
 * A request goes through all filters of a stage in their order. The first answer ends it: nothing further sees the request.
 */
export interface Filter {
  /**
   * Before the rules. What it changes of `exchange.target` and `exchange.headers` is what the rules and the server see.
   *
   * @returns what the client gets instead of the server's answer
   */
  readonly onRequest?: (exchange: Exchange) => Answer | undefined
  /**
   * Takes out of a body that is wanted what was put into its form here: what other filters, the rules and the server get is what it returns.
   * Not for bodies in a content coding.
   */
  readonly takeOwnFields?: (exchange: Exchange, body: RequestBody) => RequestBody
  /** Whether `onBody` wants to see the body of this request. */
  readonly wantsBody?: (exchange: Exchange) => boolean
  /** Before the rules see it. The body is passed on as it came. */
  readonly onBody?: (exchange: Exchange, body: RequestBody) => Answer | undefined
  /** After the rules: what it changes of `exchange.target` and `exchange.headers` is what the server sees. */
  readonly onJudged?: (exchange: Exchange) => Answer | undefined
  /** Whether it may want to read the body of the answer, which is then asked for without compression. */
  readonly readsAnswers?: boolean
  /** Whether it looks at the body of this request's answer also where the type of that, in lower case, does not say that it is text. */
  readonly readsType?: (exchange: Exchange, type: string) => boolean
  /**
   * After the rules on the answer's headers. It may change the head.
   *
   * @returns what is to be done to the body, or what the client gets instead of all of it
   */
  readonly onResponse?: (exchange: Exchange, head: ResponseHead) => BodyFilter | Answer | undefined
  /** Asked when the connection of a request becomes a WebSocket. @returns what is said of what goes over it, where somebody looks */
  readonly onTunnel?: (exchange: Exchange) => SocketChecks | undefined
  /** What follows the body of a server's answer. @returns what of it the client gets; names and values in turn */
  readonly onTrailers?: (exchange: Exchange, trailers: readonly string[]) => readonly string[]
}

/**
 * When a filter sees requests, from the first stage to the last. `arrival`: finds out who the client is, which decides how strict all others
 * are, and makes encrypted addresses plain. `address`: goes by what the service says of addresses. `normalisation`: brings an address into
 * one form. `plain-request`: all else.
 *
 * Whenever the address may have changed, another judge's filters may see the rest.
 */
export const requestStages = ['arrival', 'address', 'normalisation', 'plain-request'] as const

/** When a filter sees a request. */
export type RequestStage = (typeof requestStages)[number]

/** What filters work with besides what the service says. */
export interface FilterDependencies {
  readonly policy: Policy
  /** All policies that requests for the service may be judged by: its own and those of its content rules. */
  readonly policies: readonly Policy[]
  readonly memory: ServiceMemory
  /** Undefined where there are none. */
  readonly rules: RuleSet | undefined
  /** Where addresses are, and what they are known for; absent where nothing of that was brought. */
  readonly addressData?: AddressData | undefined
  /** What tells stolen passwords; absent where no list of them was brought. */
  readonly credentialKnowledge?: CredentialKnowledge | undefined
  /** Told what a request has shown of the application. */
  readonly onLearnt: (learnt: LearntUrl) => void
}

/** A filter as `pipeline.ts` lists it, which says in which order filters see requests and answers. */
export interface FilterDescriptor {
  /** Unique. */
  readonly name: string
  /** Absent for a filter that sees answers alone. */
  readonly stage?: RequestStage
  /** Whether it depends neither on the mode nor on the policy: a service makes it once and shares it with its content rules. */
  readonly isShared: boolean
  /** Makes it for a service; undefined for one that has nothing for it to do. */
  readonly make: (service: SnapshotService, deps: FilterDependencies) => Filter | undefined
}
