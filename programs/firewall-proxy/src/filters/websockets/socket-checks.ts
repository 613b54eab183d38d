import type { Exchange } from '../../exchange/exchange.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { Finding } from '../request-protection/value-checks.ts'
import { type FrameHead, isControl, opcodes } from './frames.ts'
import type { MessageChecks, ReadMessage, SocketPolicy } from './message-checks.ts'

/** What policies say of one open WebSocket. Each question is answered by whether it has to be ended. */
export class SocketChecks {
  /** The path that it was opened at, as it was judged. */
  readonly path: string
  readonly #exchange: Exchange
  readonly #policies: readonly SocketPolicy[]
  readonly #messages: MessageChecks

  constructor(exchange: Exchange, policies: readonly SocketPolicy[], messages: MessageChecks, path: string) {
    this.#exchange = exchange
    this.#policies = policies
    this.#messages = messages
    this.path = path
  }

  /** Whether whole messages of the client are looked at. */
  get readsMessages(): boolean {
    return this.#policies.some(({ settings }) => settings.messages !== undefined)
  }

  /** Whether what the rules find in a message is only logged. */
  get isPassive(): boolean {
    return this.#policies.every(({ settings }) => settings.messages === undefined || settings.isPassive)
  }

  /** A frame that is none, so that nobody knows what comes behind it. */
  refusesFault(detail: string): boolean {
    return this.#refuses(() => ({ attack: 'websocket-protocol-violation', detail }))
  }

  /** @param count how many frames the message has by now; 0 for a control frame */
  refusesFrame(head: FrameHead, count: number): boolean {
    return this.#refuses(({ settings: { frameBytesMax, framesMax, payload } }) => {
      const attack = 'websocket-protocol-violation'
      if (frameBytesMax > 0 && head.bytes > frameBytesMax) {
        return { attack, detail: `A frame has ${head.bytes} bytes; ${frameBytesMax} are allowed.` }
      }
      if (framesMax > 0 && count === framesMax + 1) {
        return { attack, detail: `A message has more frames than ${framesMax}.` }
      }
      if (isControl(head) || head.opcode === opcodes.continuation || payload === 'any') return undefined
      return (head.opcode === opcodes.text) === (payload === 'text')
        ? undefined
        : { attack: 'websocket-message-not-allowed', detail: `A message is not of the format ${payload}.` }
    })
  }

  /** A message of which a part cannot be looked at. @param detail a sentence */
  refusesUnread(detail: string): boolean {
    return this.#refusesMessageFor('websocket-message-not-allowed', detail)
  }

  /** A message that rules have seen and could not read for certain. @param detail sentences */
  refusesFaulty(detail: string): boolean {
    return this.#refusesMessageFor('malformed-parameter', detail)
  }

  /** A whole message of the client as far as it is understood. @param isText whether it is sent as text */
  read(message: Buffer, isText: boolean): ReadMessage {
    return this.#messages.read(message, isText)
  }

  /** A whole message of the client, before the rules see it. */
  refusesMessage(read: ReadMessage): boolean {
    if (read.isBrokenText && this.refusesFault('A message of text is no UTF-8.')) return true
    return this.#policies.some((policy) => {
      const findings = this.#messages.findings(read, policy)
      return findings.some((finding) => this.#isRefused(policy, finding))
    })
  }

  #refusesMessageFor(attack: string, detail: string): boolean {
    return this.#refuses(({ settings }) => (settings.messages === undefined ? undefined : { attack, detail }))
  }

  #refuses(problemOf: (policy: SocketPolicy) => Pick<Finding, 'attack' | 'detail'> | undefined): boolean {
    return this.#policies.some((policy) => {
      const problem = problemOf(policy)
      return problem !== undefined && this.#isRefused(policy, { ...problem, isPassive: false })
    })
  }

  #isRefused(
    { settings }: SocketPolicy,
    { attack, detail, isPassive, ...more }: Finding & { rule?: string },
  ): boolean {
    const violation = { attack, detail, rule: more.rule ?? settings.name }
    const answer = handleViolation(this.#exchange, violation, { isPassive: settings.isPassive || isPassive })
    return answer !== undefined
  }
}
