import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { eventually } from './calls.ts'
import { newFolder, Server } from './server.ts'

const owner = { username: 'ops', password: 'a long enough password', grants: [{ role: 'owner' }] }
const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

/** A condition, as the administration lists it. */
export interface ListedAttention {
  readonly service: string
  readonly condition: string
  readonly subject: string
  readonly severity: string
  readonly message: string
  readonly remedy: string
}

/**
 * A receiver of notifications, as others run it: signatures are verified with the reference library, and what comes again though it was
 * accepted, since that answer was lost, is known by its id.
 */
export class WebhookReceiver {
  readonly #notices: { readonly kind: string; readonly condition: string; readonly subject: string }[] = []
  readonly #accepted = new Set<string>()
  readonly #server = createServer((request, response) => {
    void text(request).then((body) => {
      try {
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
        const message: unknown = new Webhook(secret).verify(body, Object.fromEntries(headers))
        const id = String(request.headers['webhook-id'])
        if (!this.#accepted.has(id)) this.#notices.push(...Object(message).data.notices)
        if (this.status < 300) this.#accepted.add(id)
        response.writeHead(this.status).end()
      } catch {
        response.writeHead(401).end()
      }
    })
  })
  /** What is answered. */
  status = 204

  /** A configuration of channels that sends everything here at once. */
  async start() {
    this.#server.listen(0, '127.0.0.1').unref()
    await once(this.#server, 'listening')
    const { port } = this.#server.address() as AddressInfo
    return {
      channels: [{ name: 'ops', webhook: { url: `http://127.0.0.1:${port}/`, secret } }],
      routes: [{ channels: ['ops'], groupSeconds: 0 }],
    }
  }

  /** How often word of a condition has come. */
  count(kind: 'raised' | 'resolved' | 'test', condition: string, subject?: string): number {
    return this.#notices.filter(
      (notice) =>
        notice.kind === kind &&
        notice.condition === condition &&
        (subject === undefined || notice.subject === subject),
    ).length
  }

  stop(): void {
    this.#server.close().closeAllConnections()
  }
}

/** A server that looks every second for what needs attention, and sends word of it to a webhook. */
export class WatchedServer {
  #server: Server
  readonly receiver: WebhookReceiver
  /** What it was started with. */
  readonly configuration: { readonly administration: object }
  readonly #session: { readonly cookie: string; readonly 'x-csrf-token': string }

  private constructor(
    server: Server,
    receiver: WebhookReceiver,
    session: WatchedServer['session'],
    configuration: WatchedServer['configuration'],
  ) {
    this.#server = server
    this.configuration = configuration
    this.receiver = receiver
    this.#session = session
  }

  static async start(configuration: object, folder = newFolder()): Promise<WatchedServer> {
    const receiver = new WebhookReceiver()
    const notifications = await receiver.start()
    const whole = {
      dataDirectory: join(folder, 'data'),
      ...configuration,
      administration: { operators: [owner], attentionSeconds: 1, notifications },
    }
    const server = await Server.start(folder, whole)
    const login = await fetch(`${server.services}/admin/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: owner.username, password: owner.password }),
    })
    assert.equal(login.status, 201)
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const { csrfToken } = Object(await login.json())
    const session = { cookie, 'x-csrf-token': csrfToken }
    return new WatchedServer(server, receiver, session, whole)
  }

  get server(): Server {
    return this.#server
  }

  /**
   * Stops the server, and starts it again on the same ports: sessions and channels are the same.
   *
   * @param meanwhile what is done while it does not run
   */
  async restart(meanwhile: () => void): Promise<void> {
    await this.#server.program.stop()
    meanwhile()
    this.#server = await this.#server.again()
  }

  /** The headers of the owner's session. */
  get session() {
    return this.#session
  }

  /** What the owner reads of the administration. */
  async read(path: string) {
    const reply = await fetch(`${this.server.services}/admin/v1/${path}`, { headers: this.#session })
    assert.equal(reply.status, 200)
    return Object(await reply.json())
  }

  async list(): Promise<ListedAttention[]> {
    return (await this.read('attention')).items
  }

  /**
   * Waits until a condition is listed, and word of it has come.
   *
   * @param within milliseconds that it may take
   */
  async raised(condition: string, within = 30_000): Promise<ListedAttention> {
    const item = await eventually(
      `${condition} in the list`,
      async () => (await this.list()).find((one) => one.condition === condition),
      within,
    )
    await eventually(
      `word of ${condition}`,
      async () => this.receiver.count('raised', condition, item.subject) > 0 || undefined,
      within,
    )
    return item
  }

  /** Waits until the message of a condition that lasts is another one. */
  async says({ condition, subject }: ListedAttention, message: RegExp, within = 30_000): Promise<void> {
    await eventually(
      `${condition} saying ${message}`,
      async () =>
        (await this.list()).some(
          (one) => one.condition === condition && one.subject === subject && message.test(one.message),
        ) || undefined,
      within,
    )
  }

  /** Waits until a condition is over and word of that has come; of both its beginning and its end it has come once. */
  async resolved({ condition, subject }: ListedAttention, within = 30_000): Promise<void> {
    await eventually(
      `the end of ${condition}`,
      async () => this.receiver.count('resolved', condition, subject) > 0 || undefined,
      within,
    )
    const open = (await this.list()).filter((one) => one.condition === condition && one.subject === subject)
    assert.deepEqual(open, [])
    const counts = (['raised', 'resolved'] as const).map((kind) =>
      this.receiver.count(kind, condition, subject),
    )
    assert.deepEqual(counts, [1, 1], `${condition} of ${subject} is told of once, and its end once`)
  }

  /**
   * Has something in the database of the server be longer ago than it is, for what takes days otherwise. The server goes on meanwhile.
   *
   * @param statement one of SQLite, such as "UPDATE backup_set SET created_at = created_at - 86400000"
   */
  setBack(statement: string): void {
    const database = new DatabaseSync(join(this.server.folder, 'data', 'palisade.sqlite'), {
      timeout: 10_000,
    })
    try {
      assert.ok(database.prepare(statement).run().changes > 0, `${statement} changes something`)
    } finally {
      database.close()
    }
  }

  async stop(): Promise<void> {
    await this.server.program.stop()
    this.receiver.stop()
  }
}
