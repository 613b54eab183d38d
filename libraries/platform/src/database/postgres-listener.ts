import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import {
  type NotificationListener,
  type Notifications,
  notificationChannel,
  notify,
} from './notifications.ts'
import { connectToPrimary, PostgresServers } from './postgres-servers.ts'

/** How long PostgreSQL is given for each answer. */
const answerMaxMs = 10_000
/** How often the connection is looked after: a path that swallows bytes looks like one on which nothing is sent. */
const lookEveryMs = 10_000
const retryAfterMs = 1_000

/** Hears what servers send with NOTIFY, on a connection of its own that is opened with the first listener, and again when it was lost. */
export class PostgresListener implements Notifications {
  readonly #servers: PostgresServers
  readonly #listeners = new Set<{ readonly topic: string; readonly listener: NotificationListener }>()
  readonly #closed = new AbortController()
  #client: pg.Client | undefined
  #running: Promise<void> | undefined

  constructor(address: string) {
    this.#servers = new PostgresServers(address)
  }

  readonly send = notify

  listen(topic: string, listener: NotificationListener): () => void {
    const listening = { topic, listener }
    this.#listeners.add(listening)
    this.#running ??= this.#run()
    return () => this.#listeners.delete(listening)
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#client?.end()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed
    while (!signal.aborted) {
      try {
        await this.#hearUntilLost()
      } catch {
        // Whoever asks something of the database hears why it cannot be reached.
      }
      await delay(retryAfterMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #hearUntilLost(): Promise<void> {
    const { signal } = this.#closed
    const client = await connectToPrimary(this.#servers, { answerMaxMs, signal })
    const ended = new Promise((resolve) => client.once('end', resolve))
    this.#client = client
    let looking: NodeJS.Timeout | undefined
    try {
      signal.throwIfAborted()
      const { rows } = await client.query<{ schema: string | null }>('SELECT current_schema() AS schema')
      const schema = rows[0]?.schema
      client.on('notification', ({ payload = '' }) => this.#hear(schema, payload))
      await client.query(`LISTEN ${notificationChannel}`)
      for (const { listener } of this.#listeners) listener.missed()
      looking = setInterval(() => {
        client.query('SELECT 1').catch(() => client.end())
      }, lookEveryMs)
      await ended
    } finally {
      clearInterval(looking)
      await client.end()
    }
  }

  /** Others may use the same channel of this database for something else. */
  #hear(schema: string | null | undefined, payload: string): void {
    const [of, topic, message] = parsed(payload)
    if (of !== schema || typeof message !== 'string') return
    for (const one of this.#listeners) if (one.topic === topic) one.listener.heard(message)
  }
}

function parsed(payload: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(payload)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
