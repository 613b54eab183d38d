import type { LoggedEntry } from '@palisade/proxy-protocol'

/** An entry, and what it stands for besides. */
interface Waiting {
  readonly entry: LoggedEntry
  /** What it tells, where it came under pressure. */
  readonly key: string | undefined
  /** How many others there were like it, and when the last of them came to be. */
  more: number
  lastTime: number
}

/** What differs between entries that tell the same: who looks through a flood needs one of each client, rule, part and URL. */
const differing: ReadonlySet<string> = new Set([
  'time',
  'request-id',
  'client-port',
  'proxy-port',
  'query-string',
  'attack-detail',
])

/**
 * Entries of the web firewall log that wait to be brought, oldest first. When half of those wait that may wait, entries that tell
 * the same as another one that came since then are put together with it.
 */
export class WaitingEntries {
  readonly #countMax: number
  #waiting: Waiting[] = []
  /** By their keys. */
  readonly #alike = new Map<string, Waiting>()
  #merged = 0

  /** @param countMax how many may wait; older ones are given up for newer ones */
  constructor(countMax: number) {
    this.#countMax = countMax
  }

  get length(): number {
    return this.#waiting.length
  }

  /** How many entries are told by another one, since the process began. */
  get merged(): number {
    return this.#merged
  }

  /** @returns how many entries were given up */
  add(entries: readonly LoggedEntry[]): number {
    for (const entry of entries) {
      if (this.#waiting.length < this.#countMax / 2) this.#waiting.push(waitingOf(entry, undefined))
      else this.#addUnderPressure(entry)
    }
    return this.#giveUpOldest()
  }

  /** Takes the oldest out. */
  take(countMax: number): LoggedEntry[] {
    const batch = this.#waiting.splice(0, countMax)
    for (const { key } of batch) if (key !== undefined) this.#alike.delete(key)
    return batch.map(told)
  }

  /** Puts back what was taken out, which is older than the rest. @returns how many entries were given up */
  putBack(entries: readonly LoggedEntry[]): number {
    this.#waiting.unshift(...entries.map((entry) => waitingOf(entry, undefined)))
    return this.#giveUpOldest()
  }

  #addUnderPressure(entry: LoggedEntry): void {
    const key = whatItTells(entry)
    const one = this.#alike.get(key)
    if (one === undefined) {
      const waiting = waitingOf(entry, key)
      this.#waiting.push(waiting)
      this.#alike.set(key, waiting)
      return
    }
    one.more++
    one.lastTime = Math.max(one.lastTime, entry.time)
    this.#merged++
  }

  #giveUpOldest(): number {
    if (this.#waiting.length <= this.#countMax) return 0
    const surplus = this.#waiting.length - Math.floor(this.#countMax * 0.9)
    return this.take(surplus).length
  }
}

function waitingOf(entry: LoggedEntry, key: string | undefined): Waiting {
  return { entry, key, more: 0, lastTime: entry.time }
}

function told({ entry, more, lastTime }: Waiting): LoggedEntry {
  if (more === 0) return entry
  const others = `${more} more like it until ${new Date(lastTime).toISOString()}.`
  return { ...entry, 'attack-detail': `${entry['attack-detail'] ?? ''} ${others}`.trimStart() }
}

function whatItTells(entry: LoggedEntry): string {
  let text = ''
  for (const [field, value] of Object.entries(entry)) {
    if (!differing.has(field)) text += `${field} ${JSON.stringify(value)}\n`
  }
  return text
}
