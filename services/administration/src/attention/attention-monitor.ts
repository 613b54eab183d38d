import type { Attention, Clock, Log } from '@palisade/platform'
import type { AttentionList, ServiceAttention } from './attention-list.ts'

/** Who tells of conditions. */
export interface AttentionSource {
  readonly service: string
  /** Whether it tells of this server alone, rather than of what all servers share. */
  readonly isOfServer: boolean
  /** Undefined while it does not know: what it told before stays. */
  read(): Promise<readonly Attention[] | undefined>
}

/** Asks all sources every so often what needs attention, and brings the list up to date. */
export class AttentionMonitor {
  readonly #deps: {
    readonly list: AttentionList
    readonly sources: readonly AttentionSource[]
    readonly server: string
    readonly clock: Clock
    readonly log: Log
  }
  readonly #timer: NodeJS.Timeout
  #seen: readonly ServiceAttention[] = []
  #running: Promise<void> | undefined

  constructor(deps: {
    readonly list: AttentionList
    readonly sources: readonly AttentionSource[]
    readonly server: string
    readonly clock: Clock
    readonly log: Log
    readonly everyMs: number
  }) {
    this.#deps = deps
    this.#timer = setInterval(() => void this.look(), deps.everyMs).unref()
  }

  /** Looks now, or waits for a look that is under way. Never fails: what could not be done is in the log, and is done the next time. */
  look(): Promise<void> {
    this.#running ??= this.#look().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** What the last look has seen. */
  get seen(): readonly ServiceAttention[] {
    return this.#seen
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #look(): Promise<void> {
    const { list, sources, server, clock, log } = this.#deps
    const answeredSources = new Set<string>()
    const conditions: ServiceAttention[] = []
    for (const { service, isOfServer, read: readNow } of sources) {
      try {
        const of = { service, server: isOfServer ? server : '' }
        const read = await readNow()
        if (read === undefined) continue
        for (const attention of read) conditions.push({ ...attention, ...of })
        answeredSources.add(sourceKey(of))
      } catch (err) {
        log.error({ err, service }, 'what needs attention could not be found out')
      }
    }
    this.#seen = unique(conditions)
    try {
      await list.update(this.#seen, {
        server,
        told: (of) => answeredSources.has(sourceKey(of)),
        now: clock.now(),
      })
    } catch (err) {
      log.error({ err }, 'what needs attention could not be noted')
    }
  }
}

function sourceKey({ service, server }: Pick<ServiceAttention, 'service' | 'server'>): string {
  return `${server} ${service}`
}

/** A source that tells of one condition twice would have the store refuse all. */
function unique(seen: readonly ServiceAttention[]): ServiceAttention[] {
  const byKey = new Map(
    seen.map((one) => [JSON.stringify([one.server, one.service, one.condition, one.subject]), one]),
  )
  return [...byKey.values()]
}
