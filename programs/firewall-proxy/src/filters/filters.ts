import type { SnapshotService } from '@palisade/proxy-protocol'
import type { RuleSet } from '@palisade/seclang'
import type { Policy } from '../policy/policy.ts'
import type { ServiceMemory } from '../policy/traffic-memory.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { accessLimits } from './access-limits/access-limits.ts'
import { caching } from './caching/caching.ts'
import { clientCertificates } from './client-certificates/client-certificates.ts'
import { clients } from './clients/clients.ts'
import { cloaking } from './cloaking/cloaking.ts'
import { compression } from './compression/compression.ts'
import { cookieSecurity } from './cookie-security/cookie-security.ts'
import { dataTheft } from './data-theft/data-theft.ts'
import type { Answer, BodyFilter, Filter, RequestBody, ResponseHead } from './filter.ts'
import { isAnswer } from './filter.ts'
import { frames } from './frames.ts'
import { headerAcls } from './header-acls/header-acls.ts'
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
export interface FilterMeans {
  readonly policy: Policy
  readonly memory: ServiceMemory
  /** Undefined where there are none. */
  readonly rules: RuleSet | undefined
}

/** Makes a filter for a service; undefined for one that has nothing for it to do. */
type FilterMaker = (service: SnapshotService, means: FilterMeans) => Filter | undefined

/** In the order in which they see requests. */
const makersForRequests: readonly FilterMaker[] = [
  // Who it is decides how strictly everything else is met, and asks for no address.
  clients,
  clientCertificates,
  urlEncryption,
  serviceAcls,
  urlNormalization,
  globalAcls,
  requestLimits,
  cookieSecurity,
  headerAcls,
  refererSpam,
  sessions,
  accessLimits,
  ruleExceptions,
  requestProtection,
  dataTheft,
  rewriting,
  caching,
]

/** In the order in which they see answers. */
const makersForResponses: readonly FilterMaker[] = [
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

/** All filters of a service. */
export class Filters {
  readonly #forRequests: readonly Filter[]
  readonly #forResponses: readonly Filter[]
  /** Whether answers have to come without compression. */
  readonly readAnswers: boolean

  constructor(service: SnapshotService, means: FilterMeans) {
    const made = new Map<FilterMaker, Filter | undefined>()
    for (const maker of [...makersForRequests, ...makersForResponses]) {
      if (!made.has(maker)) made.set(maker, maker(service, means))
    }
    this.#forRequests = makersForRequests.flatMap((maker) => made.get(maker) ?? [])
    this.#forResponses = makersForResponses.flatMap((maker) => made.get(maker) ?? [])
    this.readAnswers = this.#forResponses.some(({ readsAnswers }) => readsAnswers === true)
  }

  onRequest(exchange: Exchange): Answer | undefined {
    return firstAnswer(this.#forRequests, (filter) => filter.onRequest?.(exchange))
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
}

function firstAnswer(
  filters: readonly Filter[],
  ask: (filter: Filter) => Answer | undefined,
): Answer | undefined {
  for (const filter of filters) {
    const answer = ask(filter)
    if (answer !== undefined) return answer
  }
  return undefined
}
