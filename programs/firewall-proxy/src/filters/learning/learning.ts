import {
  type LearntParameter,
  type LearntUrl,
  learntMax,
  type SnapshotLearning,
  type SnapshotService,
} from '@palisade/proxy-protocol'
import { type Argument, parseJsonBody } from '@palisade/seclang'
import ipaddr from 'ipaddr.js'
import { placeTest } from '../../conditions/place-test.ts'
import type { ResponseHead } from '../../exchange/answer.ts'
import { hasBody } from '../../exchange/client-message.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { Masking } from '../../logs/masking.ts'
import { exceptedUrls } from '../../paths/excepted-urls.ts'
import { plainPath } from '../../paths/normal-path.ts'
import { wildcard } from '../../patterns/wildcard.ts'
import { ExceptionClients } from '../../slow-clients/exception-clients.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import {
  contentTypeOf,
  type FormParts,
  formParts,
  isForm,
  queryParameters,
} from '../request-protection/request-parts.ts'
import { generalisedPath } from './generalised-path.ts'
import { type LearningDependencies, learntFiles, learntParameters } from './learnt-parameters.ts'
import { ValueMemory } from './value-memory.ts'

/** Of an IPv6 address, the part that one subscriber has for himself, in groups of 16 bits. */
const groupsOfSubscriber = 4

/** Of longer bodies only the size is learnt. */
const bodyMax = 128 * 1024

const jsonLimits = { depthMax: 20, argumentsMax: learntMax.parameters }

const nothing: FormParts = { parameters: [], files: [] }

/** Rules that find attacks; what is no proper HTTP says nothing about the application. */
const rulesAboutAttacks = { first: 930_000, last: 948_999 }

/** A request that is learnt from when its answer is good. */
interface Candidate {
  readonly path: string
  readonly query: readonly Argument[]
  readonly contentType: string
  body: Buffer | undefined
  bodyBytes: number
}

/**
 * Learns what requests of the application look like, from those that are answered well: what is learnt becomes proposals of profiles.
 * Where nothing is learnt there is no such filter.
 */
export const learning: FilterDescriptor = {
  name: 'learning',
  stage: 'plain-request',
  isShared: false,
  make: learningFilter,
}

function learningFilter(
  service: SnapshotService,
  { policy, onLearnt }: FilterDependencies,
): Filter | undefined {
  const { learning: settings, ignoresCase = true } = service.checks ?? {}
  if (settings === undefined) return undefined
  const learns = placesOf(settings, ignoresCase)
  const isTrusted = new ExceptionClients(settings.trusted)
  const separators = policy.snapshot?.normalization.parameterSeparators ?? '&'
  const learner = new Learner(service, settings)
  const candidates = new WeakMap<Exchange, Candidate>()
  return {
    onRequest: (exchange) => {
      const path = plainPath(exchange.target)
      if (path === undefined || !learns(exchange, path)) return undefined
      if (settings.from === 'trusted' && !isTrusted.has(exchange.clientAddress)) return undefined
      const contentType = hasBody(exchange.request) ? contentTypeOf(exchange.headers) : ''
      const query = queryParameters(exchange.target, separators)
      candidates.set(exchange, { path, query, contentType, body: undefined, bodyBytes: 0 })
      return undefined
    },
    wantsBody: (exchange) => candidates.has(exchange) && hasBody(exchange.request),
    onBody: (exchange, { bytes, isWhole }) => {
      const candidate = candidates.get(exchange)
      if (candidate === undefined) return undefined
      candidate.bodyBytes = bytes.length
      if (isWhole && bytes.length <= bodyMax) candidate.body = bytes
      return undefined
    },
    onResponse: (exchange, head) => {
      const candidate = candidates.get(exchange)
      if (candidate === undefined) return undefined
      candidates.delete(exchange)
      if (!isGood(exchange, head, settings.from)) return undefined
      const learnt = learner.learn(exchange, candidate, separators)
      if (learnt !== undefined) onLearnt(learnt)
      return undefined
    },
  }
}

/** Whether a request with this answer says what ordinary ones look like. */
function isGood(exchange: Exchange, { status }: ResponseHead, from: SnapshotLearning['from']): boolean {
  if (status < 200 || status >= (from === 'successes' ? 300 : 400)) return false
  if (from === 'trusted') return true
  const matches = exchange.transaction?.matches
  if (matches === undefined || exchange.violations.length > 0) return false
  return !matches.some(({ ruleId }) => ruleId >= rulesAboutAttacks.first && ruleId <= rulesAboutAttacks.last)
}

/** Makes sketches of requests. */
class Learner {
  readonly #service: string
  readonly #settings: SnapshotLearning
  readonly #memory: ValueMemory
  readonly #isIgnored: (name: string) => boolean
  readonly #masks: (name: string) => boolean

  constructor({ name, maskedParameters }: SnapshotService, settings: SnapshotLearning) {
    const ignored = settings.ignoredParameters.map((one) => wildcard(one))
    const masking = new Masking(maskedParameters)
    this.#service = name
    this.#settings = settings
    this.#memory = new ValueMemory(settings.key)
    this.#isIgnored = (parameter) => ignored.some((fits) => fits(parameter))
    this.#masks = (parameter) => masking.masks(parameter)
  }

  /** @returns undefined for what profiles could not name */
  learn(exchange: Exchange, candidate: Candidate, separators: string): LearntUrl | undefined {
    const { path, query, contentType, body, bodyBytes } = candidate
    const url = generalisedPath(path, this.#settings.urlTokens)
    if (url === undefined) return undefined
    const client = clientNetwork(exchange.clientAddress)
    const deps = { client, memory: this.#memory, masks: this.#masks }
    const form = body && isForm(contentType) ? formParts(body, exchange.headers, separators) : nothing
    const filesBytes = form.files.reduce((sum, { content }) => sum + content.length, 0)
    const files = form.files.filter(({ fileName }) => fileName !== '')
    const inJson = body && /[/+]json$/.test(contentType) ? jsonParameters(body) : []
    const navigation = this.#navigationIn(query)
    return {
      service: this.#service,
      url,
      ...(navigation ? { navigation } : {}),
      requests: 1,
      clients: [client],
      firstAt: exchange.startedAt,
      lastAt: exchange.startedAt,
      methods: [exchange.request.method ?? ''].filter((method) => /^[A-Z]{1,16}$/.test(method)),
      contentTypes: /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(contentType) ? [contentType] : [],
      bodyBytes: bodyBytes - filesBytes,
      files: files.length,
      parameters: [
        ...this.#learnt([...query, ...form.parameters], 'form', deps),
        ...this.#learnt(inJson, 'json', deps),
        ...learntFiles(files, client),
      ].slice(0, learntMax.parameters),
    }
  }

  #learnt(all: readonly Argument[], source: 'form' | 'json', deps: LearningDependencies): LearntParameter[] {
    const learnable = all
      // A star would stand for all of them.
      .filter(({ name }) => !name.includes('*') && !this.#isIgnored(name))
      .map((argument) => ({ ...argument, name: this.#generalised(argument.name) }))
    return learntParameters(learnable, source, deps)
  }

  #generalised(name: string): string {
    const token = this.#settings.parameterTokens.find((start) => start !== '' && name.startsWith(start))
    return token === undefined ? name : `${token}*`
  }

  #navigationIn(query: readonly Argument[]): LearntUrl['navigation'] {
    const argument = query.find(
      ({ name, value }) =>
        this.#settings.navigationParameters.includes(name) &&
        /^[\w.-]{1,64}$/.test(name) &&
        /^[\w.-]{1,64}$/.test(value),
    )
    return argument && { parameter: argument.name, value: argument.value }
  }
}

function jsonParameters(body: Buffer): readonly Argument[] {
  return parseJsonBody(body.toString('latin1'), jsonLimits).arguments ?? []
}

/** Whether requests for a place are learnt from. */
function placesOf(
  learning: SnapshotLearning,
  ignoresCase: boolean,
): (exchange: Exchange, path: string) => boolean {
  const isExcepted = exceptedUrls(learning)
  const ready = learning.places?.map((place) => ({
    learns: place.learns,
    fits: placeTest({ ...place, extendedMatch: '*', sequence: 0 }, ignoresCase),
  }))
  return (exchange, path) => {
    if (isExcepted(path)) return false
    return ready === undefined || ready.find(({ fits }) => fits(exchange, [path]))?.learns === true
  }
}

/**
 * Who a client is, as far as clients are counted: its address, or the /64 that it is in, all of which one subscriber has (RFC 6177). Who
 * could be as many clients as he likes would decide alone what is ordinary.
 */
function clientNetwork(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const groups = ipaddr.IPv6.parse(address).toNormalizedString().split(':').slice(0, groupsOfSubscriber)
  return `${groups.join(':')}::/64`
}
