import type { SnapshotService } from '@palisade/proxy-protocol'
import {
  type Answer,
  type BodyFilter,
  firstAnswer,
  isAnswer,
  type RequestBody,
  type ResponseHead,
} from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { isText } from '../exchange/response-head.ts'
import type { Filter, FilterDependencies, FilterDescriptor, RequestStage } from './filter.ts'
import { requestPipeline, responsePipeline } from './pipeline.ts'
import type { SocketChecks } from './websockets/socket-checks.ts'

/** All filters of a service, or of what one of its content rules says in its place. */
export class Filters {
  readonly #filters: ReadonlyMap<FilterDescriptor, Filter | undefined>
  readonly #forRequests: readonly Filter[]
  /** The same, by stage. */
  readonly #forArrivals: readonly Filter[]
  readonly #forAddresses: readonly Filter[]
  readonly #forNormalisation: readonly Filter[]
  readonly #forPlainRequests: readonly Filter[]
  /** Those that do something once the rules have judged. */
  readonly #forJudged: readonly Filter[]
  readonly #forResponses: readonly Filter[]
  /** Those that see the heads of answers. */
  readonly #forHeads: readonly Filter[]
  /** Whether answers have to come without compression. */
  readonly readAnswers: boolean

  /** @param own those of the service, where these are a content rule's */
  constructor(service: SnapshotService, deps: FilterDependencies, own?: Filters) {
    const filters = new Map<FilterDescriptor, Filter | undefined>()
    for (const descriptor of new Set([...requestPipeline, ...responsePipeline])) {
      const isTakenOver = own !== undefined && descriptor.isShared
      filters.set(descriptor, isTakenOver ? own.#filters.get(descriptor) : descriptor.make(service, deps))
    }
    const filtersOf = (all: readonly FilterDescriptor[]) =>
      all.flatMap((descriptor) => filters.get(descriptor) ?? [])
    const ofStage = (stage: RequestStage) =>
      filtersOf(requestPipeline.filter((one) => one.stage === stage)).filter(seesRequests)
    this.#filters = filters
    this.#forRequests = filtersOf(requestPipeline)
    this.#forArrivals = ofStage('arrival')
    this.#forAddresses = ofStage('address')
    this.#forNormalisation = ofStage('normalisation')
    this.#forPlainRequests = ofStage('plain-request')
    this.#forJudged = this.#forRequests.filter(({ onJudged }) => onJudged !== undefined)
    this.#forResponses = filtersOf(responsePipeline)
    this.#forHeads = this.#forResponses.filter(({ onResponse }) => onResponse !== undefined)
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
    return (
      this.onArrival(exchange) ??
      this.onAddress(exchange) ??
      this.onNormalisation(exchange) ??
      this.onPlainRequest(exchange)
    )
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

  /** The body without what was put into its form here. */
  withoutOwnFields(exchange: Exchange, body: RequestBody): RequestBody {
    return this.#forRequests.reduce((left, filter) => filter.takeOwnFields?.(exchange, left) ?? left, body)
  }

  onBody(exchange: Exchange, body: RequestBody): Answer | undefined {
    return firstAnswer(this.#forRequests, (filter) =>
      filter.wantsBody?.(exchange) === true ? filter.onBody?.(exchange, body) : undefined,
    )
  }

  onJudged(exchange: Exchange): Answer | undefined {
    return firstAnswer(this.#forJudged, (filter) => filter.onJudged?.(exchange))
  }

  /** What is said of what goes over the WebSocket that a request has opened; undefined where nobody looks. */
  onTunnel(exchange: Exchange): SocketChecks | undefined {
    for (const filter of this.#forRequests) {
      const checks = filter.onTunnel?.(exchange)
      if (checks) return checks
    }
    return undefined
  }

  /** @returns what is to be done to the body, in this order, or what the client gets instead */
  onResponse(exchange: Exchange, head: ResponseHead): readonly BodyFilter[] | Answer {
    const bodyFilters: BodyFilter[] = []
    for (const filter of this.#forHeads) {
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

function seesRequests({ onRequest }: Filter): boolean {
  return onRequest !== undefined
}

function firstRefusal(filters: readonly Filter[], exchange: Exchange): Answer | undefined {
  return firstAnswer(filters, (filter) => filter.onRequest?.(exchange))
}
