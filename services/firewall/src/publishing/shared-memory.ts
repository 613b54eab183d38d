import { randomUUID } from 'node:crypto'
import type { Log, Store } from '@palisade/platform'
import {
  type SharedChange,
  type SharedMemoryMessage,
  type SharedMemoryNews,
  sharedMemoryMax,
} from '@palisade/proxy-protocol'
import type { FirewallTables } from '../tables.ts'
import { WaitingRequests } from '../waiting-requests.ts'

const topic = 'firewall-shared-memory'

/** How many bytes a notification has at most: PostgreSQL takes 8,000, and escapes it once more. */
const notificationBytesMax = 6_500

/**
 * What proxies tell each other, in the memory of this server and not in the store: it is worth little after minutes. Servers on the same
 * PostgreSQL tell each other, where notifications get through. A server that was started anew has forgotten it.
 */
export class SharedMemory {
  readonly #store: Store
  readonly #log: Log
  /** This run of this server. */
  readonly #run = randomUUID()
  readonly #stopListening: () => void
  #messages: { readonly number: number; readonly message: SharedMemoryMessage }[] = []
  #changes = 0
  #number = 0
  readonly #waiting = new WaitingRequests()
  #isClosed = false
  #isTold = false

  constructor({ store, log }: { readonly store: Store; readonly log: Log }) {
    this.#store = store
    this.#log = log
    this.#stopListening = store.notifications.listen(topic, {
      heard: (text) => this.#hear(text),
      missed: () => undefined,
    })
  }

  /** Hands a message on to all proxies. */
  async take(message: SharedMemoryMessage): Promise<void> {
    const parts = inParts(message)
    for (const part of parts) this.#add(part)
    this.#waiting.wake()
    try {
      for (const part of parts) {
        const text = JSON.stringify({ run: this.#run, message: part })
        await this.#store.notifications.send(this.#store.tables<FirewallTables>(), topic, text)
      }
      this.#isTold = false
    } catch (error) {
      // Once: the database is away, of which everything else tells as well.
      if (!this.#isTold) this.#log.warn({ err: error }, 'other servers are not told what proxies share')
      this.#isTold = true
    }
  }

  /**
   * What others have shared since, as soon as there is something; undefined when the signal is aborted before.
   *
   * @param after the `next` of the answer before; everything that is kept where this run of the server has not given it
   * @param sender who asks, and does not get its own messages back; empty where it does not say
   */
  async after(after: string, sender: string, signal: AbortSignal): Promise<SharedMemoryNews | undefined> {
    const [run, last = ''] = after.split(' ')
    const number = run === this.#run && /^\d{1,15}$/.test(last) ? Number(last) : 0
    while (!signal.aborted && !this.#isClosed) {
      const news = this.#since(number, sender)
      if (news !== undefined) return news
      await this.#waiting.next(signal)
    }
    return undefined
  }

  close(): void {
    this.#isClosed = true
    this.#stopListening()
    this.#waiting.wake()
  }

  #since(number: number, sender: string): SharedMemoryNews | undefined {
    let count = 0
    const messages = this.#messages
      .filter((one) => one.number > number && (sender === '' || one.message.sender !== sender))
      .filter(({ message }, index) => {
        count += message.changes.length
        return index === 0 || count <= sharedMemoryMax.changesOfMessage
      })
    const last = messages.at(-1)
    if (last === undefined) return undefined
    return { messages: messages.map(({ message }) => message), next: `${this.#run} ${last.number}` }
  }

  #add(message: SharedMemoryMessage): void {
    this.#messages.push({ number: ++this.#number, message })
    this.#changes += message.changes.length
    while (this.#changes > sharedMemoryMax.changesForLatecomers) {
      this.#changes -= this.#messages.shift()?.message.changes.length ?? 0
    }
  }

  #hear(text: string): void {
    const { run, message } = JSON.parse(text) as { run: string; message: SharedMemoryMessage }
    if (run === this.#run) return
    this.#add(message)
    this.#waiting.wake()
  }
}

/** Parts of a message that fit into notifications, with ids that they have at every server. */
function inParts({ id, changes, ...whose }: SharedMemoryMessage): SharedMemoryMessage[] {
  const parts: SharedChange[][] = []
  let bytes = notificationBytesMax
  for (const change of changes) {
    const size = Buffer.byteLength(JSON.stringify(JSON.stringify(change)))
    bytes += size
    if (bytes > notificationBytesMax) {
      parts.push([])
      bytes = size
    }
    parts.at(-1)?.push(change)
  }
  return parts.map((part, index) => ({
    ...whose,
    id: parts.length === 1 ? id : `${id} ${index}`,
    changes: part,
  }))
}
