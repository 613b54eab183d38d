import { createHash } from 'node:crypto'
import type { SnapshotCaptcha, SnapshotDdosPolicy, SnapshotService } from '@palisade/proxy-protocol'
import { rulesByMeantMethods } from '../../conditions/meant-methods.ts'
import { placeTest } from '../../conditions/place-test.ts'
import { pathOf } from '../../exchange/address.ts'
import type { Answer } from '../../exchange/answer.ts'
import { escapedHtml } from '../../exchange/escaped-html.ts'
import type { Exchange, Violation } from '../../exchange/exchange.ts'
import { headerValue, headerValues } from '../../exchange/headers.ts'
import { normalPaths } from '../../paths/normal-path.ts'
import { pageAnswer } from '../../policy/denial-answer.ts'
import { followedUpSince } from '../../policy/follow-up.ts'
import { suspiciousSince } from '../../policy/suspicion.ts'
import { ExceptionClients } from '../../slow-clients/exception-clients.ts'
import { cookiesOf, withCookies } from '../cookie-security/request-cookies.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { challengePage } from './challenge-page.ts'
import { type Pass, Riddles } from './riddles.ts'

/** Zero bits of the first riddle of a client, tens of thousands of digests, and of the hardest one. */
const bitsMin = 16
const bitsMax = 21

/** How often clients that an attack has sent here may fail; policies say it for others. */
const followUpLimits = { name: undefined, triesMax: 3, unansweredMax: 10 }

/** A pass is not prolonged for longer than this, however busy its client is. */
const passMs = 86_400_000

/** Cookies of one name that are looked at: a page of another host of the domain may have set one, too. */
const cookiesMax = 4

/** By which browsers say that they want a page, and nothing that is inside one. */
const pageDestinations: readonly string[] = ['document', 'iframe', 'frame', 'fencedframe']

/**
 * Asks clients to show that they are no programs, before anything of them is looked at or reaches a server: all of a URL space, those
 * that are suspicious, or those that an attack has sent here. A browser solves a riddle by itself. In Passive mode, too, where a policy
 * against floods asks.
 */
export const captcha: FilterDescriptor = {
  name: 'captcha',
  stage: 'address',
  isShared: true,
  make: captchaFilter,
}

/** Why a client is asked, and what of a pass is enough. */
interface Demand {
  readonly name: string | undefined
  readonly triesMax: number
  readonly unansweredMax: number
  /** When the riddle has to have been solved at the earliest, in milliseconds since 1970. */
  readonly since: number
  /** How long a pass counts from when it was used last, or else from when the riddle was solved, in seconds. */
  readonly seconds: number
  readonly isProlonged: boolean
}

function captchaFilter(service: SnapshotService, deps: FilterDependencies): Filter | undefined {
  const settings = service.checks?.captcha
  return settings && new Captcha(service, settings, deps)
}

class Captcha implements Filter {
  readonly #settings: SnapshotCaptcha
  readonly #memory: FilterDependencies['memory']
  readonly #riddles: Riddles
  readonly #policies
  readonly #exceptions: ExceptionClients
  readonly #suffix: string
  /** As long as browsers keep a pass, in seconds. */
  readonly #passSeconds: number
  /** Requests whose answers bring a pass. */
  readonly #passes = new WeakMap<Exchange, Pass>()

  constructor(service: SnapshotService, settings: SnapshotCaptcha, { memory }: FilterDependencies) {
    const application = service.application ?? service.name
    const ignoresCase = service.checks?.ignoresCase ?? true
    this.#settings = settings
    this.#memory = memory
    this.#riddles = new Riddles(application, settings.keys)
    this.#policies = settings.policies.map((policy) => ({ ...policy, fits: placeTest(policy, ignoresCase) }))
    this.#exceptions = new ExceptionClients(settings.exceptions)
    this.#suffix = createHash('sha256').update(application).digest('hex').slice(0, 8)
    this.#passSeconds = Math.max(
      settings.expirySeconds,
      ...settings.policies.map(({ idleSeconds }) => idleSeconds),
    )
  }

  onRequest(exchange: Exchange): Answer | undefined {
    const { answers, passes } = this.#takeCookies(exchange)
    const demand = this.#demandOn(exchange)
    if (demand === undefined) return undefined
    const now = exchange.runtime.now()
    const pass = passes
      .flatMap((text) => this.#riddles.readPass(exchange, text) ?? [])
      .find((one) => isEnough(one, demand, now))
    if (pass === undefined) return this.#ask(exchange, demand, answers)
    if (demand.isProlonged && now - pass.usedAt > (demand.seconds * 1000) / 4)
      this.#passes.set(exchange, { ...pass, usedAt: now })
    return undefined
  }

  onResponse(exchange: Exchange, head: { headers: string[] }): undefined {
    const pass = this.#passes.get(exchange)
    if (pass) head.headers = [...head.headers, 'Set-Cookie', this.#passCookie(exchange, pass)]
  }

  /** Takes the cookies of challenges out of a request. */
  #takeCookies(exchange: Exchange): { readonly answers: string[]; readonly passes: string[] } {
    const { answer, pass } = this.#cookiesOf(exchange)
    const answers: string[] = []
    const passes: string[] = []
    const { headers } = exchange
    if (!headerValues(headers, 'cookie').some((value) => value.includes('palisade_')))
      return { answers, passes }
    const others: string[] = []
    for (const { name, value, written } of cookiesOf(headers)) {
      if (name === answer) answers.push(value)
      else if (name === pass) passes.push(value)
      else others.push(written)
    }
    exchange.headers = withCookies(headers, others)
    return { answers: answers.slice(0, cookiesMax), passes: passes.slice(0, cookiesMax) }
  }

  /** Ports share the cookies of a host, and browsers let no page of plain HTTP change a cookie of HTTPS. */
  #cookiesOf({ isSecure }: Exchange): { readonly answer: string; readonly pass: string } {
    const suffix = isSecure ? `${this.#suffix}_s` : this.#suffix
    return { answer: `palisade_answer_${suffix}`, pass: `palisade_pass_${suffix}` }
  }

  #demandOn(exchange: Exchange): Demand | undefined {
    if (exchange.mode === 'off' || exchange.isMetMildly) return undefined
    const since = exchange.mode === 'active' ? followedUpSince(exchange, 'challenge') : undefined
    if (since !== undefined) {
      return { ...followUpLimits, since, seconds: this.#settings.expirySeconds, isProlonged: false }
    }
    if (this.#policies.length === 0 || this.#exceptions.has(exchange.clientAddress)) return undefined
    for (const policy of rulesByMeantMethods(this.#policies, exchange, normalPaths(exchange.target))) {
      const askedAt = askedSince(exchange, policy)
      const { name, triesMax, unansweredMax, idleSeconds: seconds } = policy
      if (askedAt !== undefined) {
        return { name, triesMax, unansweredMax, since: askedAt, seconds, isProlonged: true }
      }
    }
    return undefined
  }

  /** Asks for an answer, or takes one. @returns undefined where the request goes on */
  #ask(exchange: Exchange, demand: Demand, answers: readonly string[]): Answer | undefined {
    const { clientAddress, runtime } = exchange
    const { name, triesMax, unansweredMax } = demand
    const counterOf = (what: string) =>
      this.#memory.counter(`${what} ${clientAddress}`, runtime.now(), demand.seconds * 1000)
    const tries = counterOf('wrong answers of')
    const unanswered = counterOf('riddles for')
    const say = (attack: string, detail: string, more: Partial<Violation> = {}) =>
      exchange.violations.push({
        attack,
        category: 'DDoS Attacks',
        detail,
        action: 'DENY',
        ...(name === undefined ? {} : { rule: name }),
        ...more,
      })
    const challenged = 'Its client has to show first that it is no program.'
    if (!wantsPage(exchange)) {
      say('captcha-challenge', challenged, { severity: notice })
      return { status: 403, headers: { 'cache-control': 'no-store' } }
    }
    if (tries.count < triesMax) {
      const worths = answers.map((answer) => this.#riddles.worthOf(exchange, answer))
      if (worths.includes('right')) {
        tries.add(-tries.count)
        unanswered.add(-unanswered.count)
        return this.#letPass(exchange)
      }
      if (worths.includes('wrong')) tries.add(1)
    }
    const { pages } = this.#settings
    if (tries.count >= triesMax) {
      say('captcha-tries-exceeded', 'Its client has solved riddles wrongly too often.')
      return pageAnswer(pages.tooManyTries, exchange, 'captcha-tries-exceeded')
    }
    if (unanswered.count >= unansweredMax) {
      say('captcha-unanswered-exceeded', 'Its client has left too many riddles unanswered.')
      return pageAnswer(pages.tooManyUnanswered, exchange, 'captcha-unanswered-exceeded')
    }
    const bits = Math.min(bitsMin + Math.ceil(unanswered.count / 2) + 2 * tries.count, bitsMax)
    unanswered.add(1)
    say('captcha-challenge', challenged, { severity: notice })
    const riddle = this.#riddles.riddle(exchange, bits)
    return challengePage(exchange, pages.challenge, {
      riddle,
      bits,
      cookie: this.#cookiesOf(exchange).answer,
    })
  }

  /** What a client gets that has solved its riddle: the page that it asked for; what it has sent goes on. */
  #letPass(exchange: Exchange): Answer | undefined {
    const { request, runtime } = exchange
    const now = runtime.now()
    const pass = { solvedAt: now, usedAt: now }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      this.#passes.set(exchange, pass)
      return undefined
    }
    const headers = { 'cache-control': 'no-store', 'set-cookie': this.#passCookie(exchange, pass) }
    const location = ownAddress(request.url ?? '/')
    if (!this.#settings.showsSuccess) return { status: 303, headers: { ...headers, location }, body: '' }
    const link = escapedHtml(location)
    return {
      status: 200,
      headers: {
        ...headers,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'self'",
      },
      body: `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Solved</title></head>\n<body><main><h1>Solved</h1><p>The riddle is solved. <a href="${link}">Go on to the page</a></p></main></body>\n</html>\n`,
    }
  }

  #passCookie(exchange: Exchange, pass: Pass): string {
    const value = `${this.#cookiesOf(exchange).pass}=${this.#riddles.pass(exchange, pass)}`
    const attributes = `Path=/; Max-Age=${this.#passSeconds}; HttpOnly; SameSite=Lax`
    return `${value}; ${attributes}${exchange.isSecure ? '; Secure' : ''}`
  }
}

/** Of the entry in the log for a client that is only asked. */
const notice = 5

/** Since when a policy asks the client of a request; undefined where it does not. */
function askedSince(exchange: Exchange, { asks }: SnapshotDdosPolicy): number | undefined {
  if (asks === 'all') return 0
  return asks === 'suspicious' ? suspiciousSince(exchange) : undefined
}

function isEnough({ solvedAt, usedAt }: Pass, { since, seconds, isProlonged }: Demand, now: number): boolean {
  const countsFrom = isProlonged ? usedAt : solvedAt
  return solvedAt >= since && now - countsFrom < seconds * 1000 && now - solvedAt < passMs
}

/** Whether a riddle can be shown: browsers say what they want else. */
function wantsPage({ headers, upgrade }: Exchange): boolean {
  const destination = headerValue(headers, 'sec-fetch-dest')
  return upgrade === undefined && (destination === undefined || pageDestinations.includes(destination))
}

/** The address that was asked for, on this very host: two slashes at its beginning would lead to another one. */
function ownAddress(url: string): string {
  const path = pathOf(url).replace(
    /[^\x21-\x7e]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return /^\/[/\\]/.test(path) ? `/.${path}` : path
}
