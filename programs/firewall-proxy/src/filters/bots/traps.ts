import { createHmac } from 'node:crypto'
import type { SnapshotBots, SnapshotScrapingPolicy, SnapshotService } from '@palisade/proxy-protocol'
import { fittingRules, type PlaceTest, placeTest } from '../../conditions/place-test.ts'
import { withoutQuery } from '../../exchange/address.ts'
import type { Answer, BodyFilter, ResponseHead } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue } from '../../exchange/headers.ts'
import { hasReadableBody, mediaTypeOf } from '../../exchange/response-head.ts'
import { normalPaths } from '../../paths/normal-path.ts'
import type { Filter, FilterDescriptor } from '../filter.ts'

/** Charsets in which a link is written as in ASCII; empty where none is told. */
const plainCharsets = /^(?:|utf-?8|us-ascii|iso-8859-\d+|windows-125\d)$/

/** Sets the traps that web scraping policies want: in `robots.txt`, and in pages. */
export const traps: FilterDescriptor = {
  name: 'traps',
  isShared: true,
  make: trapsFilter,
}

function trapsFilter(service: SnapshotService): Filter | undefined {
  const { checks } = service
  const all = checks?.bots && new Traps(service, checks.bots)
  if (!all?.areSet) return undefined
  /** By the address that was asked for, before it was rewritten. */
  return {
    readsAnswers: true,
    onResponse: (exchange, head) => {
      if (exchange.mode === 'off' || exchange.request.method !== 'GET') return undefined
      const policy = all.policyFor(exchange)
      return (
        policy &&
        (all.isForRobots(exchange) ? robots(all, policy, exchange, head) : page(all, policy, exchange, head))
      )
    },
  }
}

/** Addresses of traps, each for one client: so nobody leads another one into a trap by a link. */
export class Traps {
  readonly #folder: string
  readonly #secret: string
  readonly #policies: readonly (SnapshotScrapingPolicy & { readonly fits: PlaceTest })[]

  constructor({ name, application = name, checks }: SnapshotService, { keys, policies }: SnapshotBots) {
    this.#secret = keys[0]?.secret ?? ''
    this.#folder = `/${this.#digest(`folder of ${application}`)}/`
    this.#policies = policies.map((policy) => ({
      ...policy,
      fits: placeTest(policy, checks?.ignoresCase ?? true),
    }))
  }

  /** Whether there are any. */
  get areSet(): boolean {
    return this.#policies.some((one) => one.forbidsUrl || one.hidesLink || one.asksForDelay)
  }

  policyFor(exchange: Exchange): SnapshotScrapingPolicy | undefined {
    const [policy] = fittingRules(this.#policies, exchange, normalPaths(exchange.request.url ?? '/'))
    return policy
  }

  isForRobots({ request }: Exchange): boolean {
    return withoutQuery(request.url ?? '') === '/robots.txt'
  }

  /** Where all traps are, of whichever client. */
  get folder(): string {
    return this.#folder
  }

  trapFor({ clientAddress }: Exchange): string {
    return `${this.#folder}${this.#digest(`client ${clientAddress}`)}`
  }

  /** Whether a client is in its trap. */
  hasCaught(exchange: Exchange): boolean {
    if (!this.areSet) return false
    const paths = normalPaths(exchange.request.url ?? '/')
    return paths.some((path) => path.startsWith(this.#folder)) && paths.includes(this.trapFor(exchange))
  }

  #digest(text: string): string {
    return createHmac('sha256', this.#secret).update(`trap: ${text}`).digest('hex').slice(0, 16)
  }
}

/** `robots.txt` with what the policy adds, also where the application has none. */
function robots(
  all: Traps,
  { forbidsUrl, asksForDelay, hidesLink, delaySeconds }: SnapshotScrapingPolicy,
  exchange: Exchange,
  head: ResponseHead,
): BodyFilter | Answer | undefined {
  const lines = [
    'User-agent: *',
    ...(asksForDelay ? [`Crawl-delay: ${delaySeconds}`] : []),
    ...(hidesLink || forbidsUrl ? [`Disallow: ${all.folder}`] : []),
    ...(forbidsUrl ? [`Disallow: ${all.trapFor(exchange)}`] : []),
  ]
  const text = `${lines.join('\n')}\n`
  if (head.status === 404) {
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private' },
      body: text,
    }
  }
  if (head.status !== 200 || !hasReadableBody(exchange, head)) return undefined
  return ending(`\n\n${text}`, head)
}

/** A page with a link that people neither see nor reach by the keyboard; nothing is put into parts of pages that scripts ask for. */
function page(
  all: Traps,
  { hidesLink }: SnapshotScrapingPolicy,
  exchange: Exchange,
  head: ResponseHead,
): BodyFilter | undefined {
  const destination = headerValue(exchange.headers, 'sec-fetch-dest') ?? 'document'
  const { type, charset } = mediaTypeOf(head)
  const isPage = head.status === 200 && type === 'text/html' && plainCharsets.test(charset)
  if (!hidesLink || !isPage || destination !== 'document' || !hasReadableBody(exchange, head))
    return undefined
  const link = `<a href="${all.trapFor(exchange)}" rel="nofollow" tabindex="-1" aria-hidden="true" hidden></a>`
  return ending(`\n${link}\n`, head)
}

/** Adds a text to the end of a body. */
function ending(text: string, head: ResponseHead): BodyFilter {
  head.headers = withoutValidators(head.headers)
  return { transform: (chunk) => chunk, flush: () => Buffer.from(text) }
}

/** What a client has of a body with a trap does not tell a server which of its versions that was. */
function withoutValidators(headers: readonly string[]): string[] {
  return headers.filter((_, index) => headers[index - (index % 2)]?.toLowerCase() !== 'etag')
}
