import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { basic } from '../programs/calls.ts'
import type { Server } from '../programs/server.ts'

/** A number that was read, with the entity tag that it had. */
interface Reading {
  readonly value: number
  readonly etag: string
}

/**
 * Clients of several servers that count one number in the firewall's configuration up, each by reading it and writing the next one with
 * `If-Match`. The history of what was acknowledged tells whether the servers have behaved as one:
 *
 * - no number was acknowledged twice;
 * - at each server, nobody reads a smaller number than somebody has read before;
 * - in the end all servers have the same number, which is at least the greatest that was acknowledged.
 */
export class CountedChanges {
  readonly #servers: readonly Server[]
  readonly #headers: Record<string, string>
  readonly #acknowledged = new Set<number>()
  /** The greatest number that was read at each place in the list of servers before a reading began. */
  readonly #read: number[]
  #isEnded = false
  #clients: Promise<void> | undefined

  /**
   * @param servers a list whose servers may be replaced
   * @param token of the firewall
   */
  constructor(servers: readonly Server[], token: string) {
    this.#servers = servers
    this.#headers = { ...basic(token), 'content-type': 'application/json' }
    this.#read = servers.map(() => 0)
  }

  /** Makes the service that has the number in its comments, and begins to count, with one client for each server. */
  async begin(): Promise<void> {
    const body = { name: 'counted', 'ip-address': '192.0.2.1', port: 1000, comments: '0' }
    const reply = await fetch(`${this.#servers[0]?.firewall}/restapi/v3.2/services`, {
      method: 'POST',
      headers: this.#headers,
      body: JSON.stringify(body),
    })
    assert.equal(reply.status, 201, await reply.text())
    this.#clients = Promise.all(this.#servers.map((_, place) => this.#count(place))).then(() => undefined)
    // Whoever ends the counting hears of what was wrong.
    this.#clients.catch(() => undefined)
  }

  /** How many changes were acknowledged. */
  get count(): number {
    return this.#acknowledged.size
  }

  /** Ends the counting, whatever it has come to. */
  stop(): void {
    this.#isEnded = true
  }

  /** Ends the counting. @throws AssertionError when the history is not one of a single number */
  async end(): Promise<void> {
    this.stop()
    await this.#clients
    const greatest = Math.max(0, ...this.#acknowledged)
    const last = await Promise.all(this.#servers.map((_, place) => this.#readAt(place)))
    assert.ok(last.every((reading) => reading !== undefined))
    const values = new Set(last.map((reading) => reading?.value))
    assert.equal(values.size, 1, `the servers differ: ${[...values]}`)
    const [value = 0] = values
    assert.ok(value >= greatest, `${greatest} was acknowledged, and ${value} is there`)
  }

  async #count(place: number): Promise<void> {
    while (!this.#isEnded) {
      const reading = await this.#readAt(place)
      if (reading !== undefined) await this.#write(place, reading)
      await sleep(20)
    }
  }

  /** @returns undefined when the server is away, or knows itself that it cannot answer */
  async #readAt(place: number): Promise<Reading | undefined> {
    const readBefore = this.#read[place] ?? 0
    const reply = await this.#call(place, 'GET')
    if (reply === undefined) return undefined
    const { data } = JSON.parse(reply.text) as { data: { counted: { comments: string } } }
    const value = Number(data.counted.comments)
    assert.ok(value >= readBefore, `server ${place} had ${readBefore}, and has ${value}`)
    this.#read[place] = Math.max(this.#read[place] ?? 0, value)
    return { value, etag: reply.etag }
  }

  async #write(place: number, { value, etag }: Reading): Promise<void> {
    const next = value + 1
    const reply = await this.#call(place, 'PUT', etag, { comments: String(next) })
    if (reply === undefined || reply.status === 412) return
    assert.ok(!this.#acknowledged.has(next), `${next} was acknowledged twice`)
    this.#acknowledged.add(next)
  }

  async #call(place: number, method: string, etag?: string, body?: object) {
    try {
      const reply = await fetch(`${this.#servers[place]?.firewall}/restapi/v3.2/services/counted`, {
        method,
        headers: { ...this.#headers, ...(etag === undefined ? {} : { 'if-match': etag }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000),
      })
      const text = await reply.text()
      if (reply.status === 503) return undefined
      assert.ok(reply.ok || reply.status === 412, `${reply.status} ${text}`)
      return { status: reply.status, text, etag: reply.headers.get('etag') ?? '' }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return undefined
    }
  }
}
