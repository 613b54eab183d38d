import type { Log, Scheme, ServiceWarning } from '@palisade/platform'
import type { Configuration } from './configuration/schema.ts'

/** The parts of the configuration that say where to listen. */
export type ListenerName = 'firewall' | 'services'

/** The member that says where a port of a listener is. */
export type ListenerMember = `${ListenerName}.listen.${Scheme}`

/** How long after it could not be opened a port is tried again: at first, and at most. */
const reopenMs = 1_000
const reopenMaxMs = 30_000

/** Where a listener listens, as the configuration says. */
type Address = Configuration[ListenerName]['listen']

/** A port that could not be opened, and is tried again. */
interface ClosedPort {
  readonly name: ListenerName
  readonly scheme: Scheme
  /** Where it is to open; what of it the configuration says may change. */
  at: Address
  message: string
  waitMs: number
  timer: NodeJS.Timeout | undefined
  readonly opened: (port: number) => void
}

/** Ports that are tried again, ever more seldom, until they are open: another program may have them. */
export class ClosedPorts {
  readonly #log: Log
  readonly #open: (name: ListenerName, scheme: Scheme, at: Address) => Promise<number>
  readonly #closed = new Set<ClosedPort>()
  #opening: Promise<unknown> = Promise.resolve()
  #isEnding = false

  /** @param open opens a port and says which it is. It throws an error that says why the port cannot be opened */
  constructor(log: Log, open: (name: ListenerName, scheme: Scheme, at: Address) => Promise<number>) {
    this.#log = log
    this.#open = open
  }

  /** Tries to open a port now and, where that cannot be, later. @param opened is told of the port that is open then */
  async openWhenFree(
    name: ListenerName,
    scheme: Scheme,
    at: Address,
    opened: (port: number) => void,
  ): Promise<void> {
    const closed = { name, scheme, at, message: '', waitMs: reopenMs, timer: undefined, opened }
    this.#closed.add(closed)
    await this.#openPort(closed)
  }

  /**
   * Tries each at once, where a changed configuration says.
   *
   * @returns the members that say where the ports are that were opened
   */
  async tryAgain(configuration: Configuration): Promise<readonly ListenerMember[]> {
    const closed = [...this.#closed]
    for (const one of closed) {
      one.at = configuration[one.name].listen
      one.waitMs = reopenMs
      await this.#openPort(one)
    }
    return closed
      .filter((one) => !this.#closed.has(one))
      .map(({ name, scheme }) => `${name}.listen.${scheme}` as const)
  }

  /** One for each port that is closed. */
  warnings(): readonly ServiceWarning[] {
    return Array.from(this.#closed, ({ message }) => ({
      condition: 'listener-closed',
      message: `${message}. It is tried again.`,
    }))
  }

  /** Opens nothing more; whatever was on its way is open or closed by then. */
  async end(): Promise<void> {
    this.#isEnding = true
    for (const { timer } of this.#closed) clearTimeout(timer)
    await this.#opening
  }

  /** Opens a port, or has it tried again later. One is opened at a time. */
  #openPort(closed: ClosedPort): Promise<void> {
    const opening = this.#opening.then(() => this.#tryPort(closed))
    this.#opening = opening
    return opening
  }

  async #tryPort(closed: ClosedPort): Promise<void> {
    const { name, scheme, at } = closed
    clearTimeout(closed.timer)
    if (this.#isEnding || !this.#closed.has(closed)) return
    try {
      const port = await this.#open(name, scheme, at)
      this.#closed.delete(closed)
      if (closed.message !== '')
        this.#log.info({ listener: `${name}.listen.${scheme}`, port }, 'opened a listener')
      if (!this.#isEnding) closed.opened(port)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      // Once, and not with each try.
      if (closed.message !== message) this.#log.error({ listener: `${name}.listen.${scheme}` }, message)
      closed.message = message
      closed.timer = setTimeout(() => void this.#openPort(closed), closed.waitMs).unref()
      closed.waitMs = Math.min(2 * closed.waitMs, reopenMaxMs)
    }
  }
}
