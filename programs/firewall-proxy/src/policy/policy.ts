import type { SnapshotAction, SnapshotPolicy } from '@palisade/proxy-protocol'
import type { Answer } from '../exchange/answer.ts'
import type { Exchange, ExchangePolicy } from '../exchange/exchange.ts'
import { DenialAnswer } from './denial-answer.ts'

/** What follows an attack that no policy has a word about. */
const defaultAction: SnapshotAction = {
  category: 'Other Attacks',
  denies: true,
  logs: true,
  denial: 0,
}

const plainRefusal = { status: 403 } as const

/** What a service's policy says about attacks, ready to be asked. */
export class Policy implements ExchangePolicy {
  readonly snapshot: SnapshotPolicy | undefined
  readonly #denials: readonly DenialAnswer[]

  /** @param snapshot absent where everything that is found is refused with a page of our own */
  constructor(snapshot: SnapshotPolicy | undefined) {
    this.snapshot = snapshot
    this.#denials = (snapshot?.denials ?? []).map((denial) => new DenialAnswer(denial))
  }

  /** Whether the policy knows the attack by this name. */
  knows(attack: string): boolean {
    return this.snapshot !== undefined && Object.hasOwn(this.snapshot.actions, attack)
  }

  actionFor(attack: string): SnapshotAction {
    return this.knows(attack) ? (this.snapshot?.actions[attack] ?? defaultAction) : defaultAction
  }

  /** How a client is answered whose request is refused for the attack. */
  answerTo(attack: string, exchange: Exchange): Answer {
    const denial = this.#denials[this.actionFor(attack).denial]
    return denial?.answer(exchange, attack) ?? plainRefusal
  }
}
