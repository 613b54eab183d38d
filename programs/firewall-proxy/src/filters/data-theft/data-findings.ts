import type { Answer } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { ProtectedType } from './protected-type.ts'

const attack = 'identity-theft-pattern-matched'

/** Tells of the data in one answer, of each type once, and what the policy wants to be done about it. */
export class DataFindings {
  readonly #exchange: Exchange
  readonly #isPassive: boolean
  readonly #told = new Map<ProtectedType, Answer | undefined>()

  /** @param isPassive whether the URL policy only logs */
  constructor(exchange: Exchange, isPassive: boolean) {
    this.#exchange = exchange
    this.#isPassive = isPassive
  }

  /** Whether nothing but the log is told what is found. */
  get onlyLogs(): boolean {
    return this.#isPassive || this.#exchange.mode !== 'active'
  }

  /** Tells that there is data of a type. @returns undefined where the policy or the mode only logs */
  tell(type: ProtectedType): Answer | undefined {
    if (!this.#told.has(type)) this.#told.set(type, this.#say(type))
    return this.#told.get(type)
  }

  #say({ data: { name, does } }: ProtectedType): Answer | undefined {
    const detail = `The answer has data of the type ${name}.`
    const { violations } = this.#exchange
    const answer = handleViolation(
      this.#exchange,
      { attack, detail, rule: name },
      { isPassive: this.#isPassive },
    )
    const last = violations.at(-1)
    if (answer && does === 'cloak' && last?.attack === attack) {
      violations.splice(-1, 1, { ...last, action: 'CLOAK' })
    }
    return answer
  }
}
