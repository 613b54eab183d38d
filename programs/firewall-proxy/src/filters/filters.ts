import type { SnapshotService } from '@palisade/proxy-protocol'
import type { RuleSet } from '@palisade/seclang'
import type { Policy } from '../policy/policy.ts'
import type { ServiceMemory } from '../policy/traffic-memory.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { isText } from '../traffic/response-head.ts'
import { accessLimits } from './access-limits/access-limits.ts'
import { caching } from './caching/caching.ts'
import { clientCertificates } from './client-certificates/client-certificates.ts'
import { clients } from './clients/clients.ts'
import { cloaking } from './cloaking/cloaking.ts'
import { compression } from './compression/compression.ts'
import { cookieSecurity } from './cookie-security/cookie-security.ts'
import { dataTheft } from './data-theft/data-theft.ts'
import type { Answer, BodyFilter, Filter, RequestBody, ResponseHead } from './filter.ts'
import { firstAnswer, isAnswer } from './filter.ts'
import { frames } from './frames.ts'
import { headerAcls } from './header-acls/header-acls.ts'
import { headerNames } from './header-names/header-names.ts'
import { jsonProfiles } from './json-profiles/json-profiles.ts'
import { learning } from './learning/learning.ts'
import { proxiesBefore } from './proxies-before/proxies-before.ts'
import { refererSpam } from './referer-spam/referer-spam.ts'
import { requestLimits } from './request-limits/request-limits.ts'
import { requestProtection } from './request-protection/request-protection.ts'
import { rewriting } from './rewriting/rewriting.ts'
import { ruleExceptions } from './rule-exceptions/rule-exceptions.ts'
import { sessions } from './sessions/sessions.ts'
import { globalAcls, serviceAcls } from './url-acls/url-acls.ts'
import { urlEncryption } from './url-encryption/url-encryption.ts'
import { urlNormalization } from './url-normalization/url-normalization.ts'

/** What filters work with besides what the service says. */
export interface FilterDependencies {
  readonly policy: Policy
  /** All policies that requests for the service may be judged by: its own and those of its content rules. */
  readonly policies: readonly Policy[]
  readonly memory: ServiceMemory
  /** Undefined where there are none. */
  readonly rules: RuleSet | undefined
}

/** Makes a filter for a service; undefined for one that has nothing for it to do. */
type FilterMaker = (service: SnapshotService, means: FilterDependencies) => Filter | undefined

/** First of all: they find out who the client is, which decides how strict all others are, and make encrypted addresses plain. */
const makersForArrivals: readonly FilterMaker[] = [
  clients,
  clientCertificates,
  urlEncryption,
  headerNames,
  proxiesBefore,
]

const makersForAddresses: readonly FilterMaker[] = [serviceAcls]

const makersForNormalisation: readonly FilterMaker[] = [urlNormalization]

const makersForPlainRequests: readonly FilterMaker[] = [
  globalAcls,
  requestLimits,
  cookieSecurity,
  headerAcls,
  refererSpam,
  sessions,
  accessLimits,
  ruleExceptions,
  requestProtection,
  jsonProfiles,
  learning,
  dataTheft,
  rewriting,
  caching,
]

/** In the order in which they see requests. */
const makersForRequests: readonly FilterMaker[] = [
  ...makersForArrivals,
  ...makersForAddresses,
  ...makersForNormalisation,
  ...makersForPlainRequests,
]

/** In the order in which they see answers. */
const makersForResponses: readonly FilterMaker[] = [
  // It asks how the server answered, before anything is hidden.
  learning,
  cloaking,
  dataTheft,
  accessLimits,
  sessions,
  rewriting,
  frames,
  cookieSecurity,
  urlEncryption,
  caching,
  compression,
]

/** Filters that depend neither on the mode nor on the policy: a service makes them once and shares them with its content rules. */
const sharedMakers: ReadonlySet<FilterMaker> = new Set([
  clients,
  clientCertificates,
  urlEncryption,
  headerNames,
  proxiesBefore,
  serviceAcls,
  headerAcls,
  refererSpam,
  sessions,
  accessLimits,
  rewriting,
  caching,
  frames,
  compression,
])

/** All filters of a service, or of what one of its content rules says in its place. */
export class Filters {
  readonly #made: ReadonlyMap<FilterMaker, Filter | undefined>
  readonly #forArrivals: readonly Filter[]
  readonly #forAddresses: readonly Filter[]
  readonly #forNormalisation: readonly Filter[]
  readonly #forPlainRequests: readonly Filter[]
  readonly #forRequests: readonly Filter[]
  readonly #forResponses: readonly Filter[]
  /** Whether answers have to come without compression. */
  readonly readAnswers: boolean

  /** @param own those of the service, where these are a content rule's */
  constructor(service: SnapshotService, means: FilterDependencies, own?: Filters) {
    const made = new Map<FilterMaker, Filter | undefined>()
    for (const maker of [...makersForRequests, ...makersForResponses]) {
      if (made.has(maker)) continue
      const isShared = own !== undefined && sharedMakers.has(maker)
      made.set(maker, isShared ? own.#made.get(maker) : maker(service, means))
    }
    const those = (makers: readonly FilterMaker[]) => makers.flatMap((maker) => made.get(maker) ?? [])
    this.#made = made
    this.#forArrivals = those(makersForArrivals)
    this.#forAddresses = those(makersForAddresses)
    this.#forNormalisation = those(makersForNormalisation)
    this.#forPlainRequests = those(makersForPlainRequests)
    this.#forRequests = those(makersForRequests)
    this.#forResponses = those(makersForResponses)
    this.readAnswers = this.#forResponses.some(({ readsAnswers }) => readsAnswers === true)
  }

  /** Whether one of them may read the answer to a request, by the type of that. */
  mayReadType(exchange: Exchange, type: string): boolean {
    return (
      (this.readAnswers && isText(type)) ||
      this.#forResponses.some((filter) => filter.readsType?.(exchange, type) === true)
    )
  }

  /** All that see a request before the rules do. */
  onRequest(exchange: Exchange): Answer | undefined {
    return firstRefusal(this.#forRequests, exchange)
  }

  /** Those that ask who it is, and what its address means: the first of {@link onRequest}. */
  onArrival(exchange: Exchange): Answer | undefined {
    return firstRefusal(this.#forArrivals, exchange)
  }

  /** Those that go by what a service says of addresses, after {@link onArrival}. */
  onAddress(exchange: Exchange): Answer | undefined {
    return firstRefusal(this.#forAddresses, exchange)
  }

  /** Those that make addresses plain, after {@link onAddress}. */
  onNormalisation(exchange: Exchange): Answer | undefined {
    return firstRefusal(this.#forNormalisation, exchange)
  }

  /** The rest of {@link onRequest}. */
  onPlainRequest(exchange: Exchange): Answer | undefined {
    return firstRefusal(this.#forPlainRequests, exchange)
  }

  wantBody(exchange: Exchange): boolean {
    return this.#forRequests.some((filter) => filter.wantsBody?.(exchange) === true)
  }

  onBody(exchange: Exchange, body: RequestBody): Answer | undefined {
    return firstAnswer(this.#forRequests, (filter) =>
      filter.wantsBody?.(exchange) === true ? filter.onBody?.(exchange, body) : undefined,
    )
  }

  onJudged(exchange: Exchange): Answer | undefined {
    return firstAnswer(this.#forRequests, (filter) => filter.onJudged?.(exchange))
  }

  /** @returns what is to be done to the body, in this order, or what the client gets instead */
  onResponse(exchange: Exchange, head: ResponseHead): readonly BodyFilter[] | Answer {
    const bodyFilters: BodyFilter[] = []
    for (const filter of this.#forResponses) {
      const outcome = filter.onResponse?.(exchange, head)
      if (outcome === undefined) continue
      if (isAnswer(outcome)) return outcome
      bodyFilters.push(outcome)
    }
    return bodyFilters
  }

  /** What clients get of trailers. @param trailers names and values in turn */
  onTrailers(exchange: Exchange, trailers: readonly string[]): readonly string[] {
    return this.#forResponses.reduce((left, filter) => filter.onTrailers?.(exchange, left) ?? left, trailers)
  }
}

function firstRefusal(filters: readonly Filter[], exchange: Exchange): Answer | undefined {
  return firstAnswer(filters, (filter) => filter.onRequest?.(exchange))
}
