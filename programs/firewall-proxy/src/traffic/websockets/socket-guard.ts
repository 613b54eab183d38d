import type { SocketChecks } from '../../filters/websockets/socket-checks.ts'
import type { InspectionResult } from '../../logs/violation-entries.ts'
import type { RequestContext } from '../request-context.ts'
import { judgeByRules } from './judge-message.ts'

/** Of so many messages of one WebSocket it is logged what was found in them; who only logs may get any number of them. */
const loggedMax = 50

/** Decides about what goes over one WebSocket, and logs what was found. */
export class SocketGuard {
  readonly #context: RequestContext
  readonly #checks: SocketChecks
  readonly #onRefused: () => void
  #isRefused = false
  #logged = 0
  /** How many violations of the exchange were logged. */
  #told: number

  /** @param onRefused told once */
  constructor(context: RequestContext, checks: SocketChecks, onRefused: () => void) {
    this.#context = context
    this.#checks = checks
    this.#onRefused = onRefused
    this.#told = context.exchange.violations.length
  }

  /** Whether the WebSocket is at its end. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Whether whole messages of the client are judged. */
  get readsMessages(): boolean {
    return this.#checks.readsMessages
  }

  /** Asks whether the WebSocket has to be ended, logs why, and ends it. */
  asked(refuses: (checks: SocketChecks) => boolean): void {
    if (this.#isRefused) return
    this.#isRefused = refuses(this.#checks)
    this.#log({ transaction: undefined, interruption: undefined })
    if (this.#isRefused) this.#onRefused()
  }

  /** The same for a whole message of the client. */
  judge(message: Buffer, isText: boolean): void {
    const { runtime, exchange } = this.#context
    runtime.worksOn(exchange)
    const read = this.#checks.read(message, isText)
    this.asked((checks) => checks.refusesMessage(read))
    if (this.#isRefused || !read.mayBeText) return
    const judged = judgeByRules(this.#context, message, this.#checks)
    if (judged === undefined) return
    this.#isRefused = judged.isRefused
    exchange.violations.push(...judged.violations)
    this.#log(judged)
    if (judged.isRefused) this.#onRefused()
    else if (judged.faults.length > 0) this.asked((checks) => checks.refusesFaulty(judged.faults.join(' ')))
  }

  /** The violations of the exchange that are not in the log yet, with what rules have found. */
  #log(found: Pick<InspectionResult, 'transaction' | 'interruption'>): void {
    const { runtime, exchange } = this.#context
    const violations = exchange.violations.slice(this.#told)
    if (violations.length === 0 && (found.transaction?.matches.length ?? 0) === 0) return
    this.#logged++
    if (this.#logged <= loggedMax || this.#isRefused)
      runtime.foundInMessage(exchange, { ...found, violations })
    else exchange.violations.length = this.#told
    this.#told = exchange.violations.length
  }
}
