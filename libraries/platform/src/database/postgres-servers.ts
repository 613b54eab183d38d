import { once } from 'node:events'
import pg, { type ClientBase } from 'pg'

/** A server that takes no writes: a replica, or one that is becoming the primary. */
export class TakesNoWrites extends Error {
  override readonly name = 'TakesNoWrites'
}

/**
 * The servers that an address names, of which one at a time is the primary and takes writes: `postgres://user@one:5432,two:5432/database`,
 * as libpq has it. Where it names one, that is taken as it is.
 */
export class PostgresServers {
  /** An address for each of them. */
  readonly addresses: readonly string[]
  #current = 0

  /** @param address a URL that starts with postgres:// or postgresql:// */
  constructor(address: string) {
    this.addresses = singleAddresses(address)
  }

  /** The place among the addresses of the one that was the primary the last time. */
  get primaryPlace(): number {
    return this.#current
  }

  /**
   * Tries the servers in turn, beginning with the one that was the primary the last time.
   *
   * @param attempt connects to one, by its place among the addresses, and throws where that fails; {@link requireWrites} is for it
   *   to call
   * @throws what the first attempt has thrown, or another one where that was a replica
   */
  async first<Connection>(attempt: (place: number) => Promise<Connection>): Promise<Connection> {
    const errors: unknown[] = []
    const begin = this.#current
    for (let step = 0; step < this.addresses.length; step++) {
      const place = (begin + step) % this.addresses.length
      try {
        const connection = await attempt(place)
        this.#current = place
        return connection
      } catch (error) {
        errors.push(error)
      }
    }
    throw errors.find((error) => !(error instanceof TakesNoWrites)) ?? errors[0]
  }

  /**
   * Makes sure that a new connection leads to the primary; where there is one server only, nothing is asked.
   *
   * @throws TakesNoWrites
   */
  async requireWrites(client: Pick<ClientBase, 'query'>): Promise<void> {
    if (this.addresses.length === 1) return
    const { rows } = await client.query<{ refuses: boolean }>(
      "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS refuses",
    )
    if (rows[0]?.refuses !== false) throw new TakesNoWrites('it takes no writes: it is a replica')
  }
}

/**
 * A connection of its own to the server that takes writes.
 *
 * @param options.answerMaxMs how long PostgreSQL is given for each answer
 * @param options.signal ends the attempt, which then fails
 */
export function connectToPrimary(
  servers: PostgresServers,
  { answerMaxMs, signal }: { readonly answerMaxMs: number; readonly signal: AbortSignal },
): Promise<pg.Client> {
  return servers.first(async (place) => {
    signal.throwIfAborted()
    const client = new pg.Client({
      connectionString: servers.addresses[place],
      connectionTimeoutMillis: answerMaxMs,
      query_timeout: answerMaxMs,
    })
    // Whoever asks something on it hears why it has ended.
    client.on('error', () => undefined)
    const end = () => void client.end()
    signal.addEventListener('abort', end)
    try {
      // A client that is ended while it connects says no more of that than its "end".
      const ended = once(client, 'end').then(() => Promise.reject(new Error('the connection has ended')))
      await Promise.race([client.connect(), ended])
      await servers.requireWrites(client)
      return client
    } catch (error) {
      await client.end()
      throw error
    } finally {
      signal.removeEventListener('abort', end)
    }
  })
}

/** What an address may say of which server is meant: the one that takes writes, whatever the word. */
const sessionAttributes = ['read-write', 'primary', 'any']

/**
 * Why the servers of an address cannot be used.
 *
 * @param address a URL that starts with postgres:// or postgresql://
 * @returns what it does, such as "names a host that is none"; undefined where nothing is wrong
 */
export function problemOfServers(address: string): string | undefined {
  const urls = singleAddresses(address).map((single) => URL.parse(single))
  if (urls.length > 1 && urls.some((url) => url === null || url.hostname === '')) {
    return 'names a host that is none: several are written as one.example:5432,two.example:5432'
  }
  const wanted = urls[0]?.searchParams.get('target_session_attrs')
  if (typeof wanted !== 'string' || sessionAttributes.includes(wanted)) return undefined
  return 'wants a server that takes no writes: target_session_attrs is read-write, or is left out'
}

/** An address for each server of one that names several. */
export function singleAddresses(address: string): string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(address)
  if (parts === null) return [address]
  const [, before, hosts = '', after] = parts
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}
