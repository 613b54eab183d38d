import type { SnapshotBot, SnapshotBots, SnapshotService } from '@palisade/proxy-protocol'
import type { Answer } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValues } from '../../exchange/headers.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import { BotProof } from './bot-proof.ts'
import { Traps } from './traps.ts'

/** What policies call programs that copy a site. */
const attack = 'web-scraping'

/** Refuses programs that pretend to be a bot that is welcome, and those that have gone into a trap. */
export class Crawlers {
  readonly #settings: SnapshotBots
  readonly #traps: Traps
  readonly #proof = new BotProof()

  constructor(service: SnapshotService, settings: SnapshotBots) {
    this.#settings = settings
    this.#traps = new Traps(service, settings)
  }

  /** @returns what the client of a request gets that is refused; a lookup of names may take a moment */
  async refusal(exchange: Exchange): Promise<Answer | undefined> {
    if (exchange.mode === 'off') return undefined
    for (const bot of this.#settings.crawlers) {
      if (!claims(exchange, bot) || (await this.#proofOf(exchange, bot)) !== 'refuted') continue
      const detail = `The client calls itself ${bot.name}, and comes from elsewhere.`
      const refused = handleViolation(exchange, { attack, detail, rule: 'fake-crawler' })
      if (refused) return refused
    }
    return this.#traps.hasCaught(exchange) ? this.#inTrap(exchange) : undefined
  }

  async #inTrap(exchange: Exchange): Promise<Answer | undefined> {
    const policies = this.#settings.policies.filter((one) => one.forbidsUrl || one.hidesLink)
    const policy = this.#traps.policyFor(exchange) ?? policies[0]
    if (policy === undefined) return undefined
    for (const bot of policy.welcome) {
      if (claims(exchange, bot) && (await this.#proofOf(exchange, bot)) === 'proved') return undefined
    }
    const detail = 'The client has asked for an address that only programs find.'
    return handleViolation(exchange, { attack, detail, rule: policy.name }, { isPassive: policy.isPassive })
  }

  #proofOf({ clientAddress, runtime }: Exchange, bot: SnapshotBot) {
    return this.#proof.of(bot, clientAddress, runtime.now())
  }
}

/** What looks at the programs that ask a service; undefined where nothing does. */
export function crawlersOf(service: SnapshotService): Crawlers | undefined {
  const settings = service.checks?.bots
  return settings && new Crawlers(service, settings)
}

/** Whether a client calls itself the bot. */
function claims({ headers }: Exchange, { userAgent }: SnapshotBot): boolean {
  const sought = userAgent.toLowerCase()
  return headerValues(headers, 'user-agent').some((agent) => agent.toLowerCase().includes(sought))
}
