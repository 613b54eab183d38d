import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Attention, Store } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { Webhook as Verifier } from 'standardwebhooks'
import type { RouteConfiguration } from '../notification-configuration.ts'
import { serveAdministration, type TestAdministration } from '../test-service.ts'

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

/** A webhook receiver that verifies signatures with the reference library, and answers what it is told to. */
class Receiver {
  readonly messages: { readonly id: string; readonly notices: readonly Record<string, string>[] }[] = []
  status = 204
  readonly #server = createServer((request, response) => {
    void this.#take(request).then(() => response.writeHead(this.status).end())
  })

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #take(request: IncomingMessage): Promise<void> {
    const body = await text(request)
    const id = String(request.headers['webhook-id'])
    const signature = String(request.headers['webhook-signature'])
    const timestamp = String(request.headers['webhook-timestamp'])
    // The test's clock stands in 2030, and the library's in the present: only the signature is looked at here.
    const expected = new Verifier(secret).sign(id, new Date(Number(timestamp) * 1000), body)
    assert.equal(signature, expected)
    this.messages.push({ id, notices: JSON.parse(body).data.notices })
  }
}

const gone: Attention = {
  condition: 'agent-gone',
  subject: 'computer main/0001',
  severity: 'warning',
  message: 'The agent is gone.',
  remedy: 'palisade agent',
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 15_000
  while (!isSo()) {
    assert.ok(Date.now() < end, String(isSo))
    await delay(5)
  }
}

onEveryStore('what needs attention', (newStore) => {
  let receiver: Receiver
  let url: string
  before(async () => {
    receiver = new Receiver()
    url = await receiver.start()
  })
  after(() => receiver.stop())

  async function serve(given: {
    readonly store?: Store
    readonly conditions: Attention[]
    readonly route?: Partial<RouteConfiguration>
    readonly other?: TestAdministration
  }) {
    const store = given.store ?? (await newStore())
    receiver.messages.length = 0
    receiver.status = 204
    const served = await serveAdministration(store, {
      ...(given.other ? { owner: given.other.owner, clock: given.other.clock } : {}),
      attention: [{ service: 'backup', isOfServer: false, read: async () => given.conditions }],
      configuration: {
        notifications: {
          channels: [{ name: 'ops', webhook: { url, secret } }],
          routes: [{ channels: ['ops'], groupSeconds: 0, ...given.route }],
          forbiddenAddresses: [],
        },
      },
    })
    const session = await served.logIn(served.owner.username, served.owner.password)
    const list = async (query = '') => (await served.as(session, 'GET', `/attention${query}`)).json.items
    return { store, served, session, list }
  }

  /** Long enough for what should not be sent to have been sent. */
  const settle = () => delay(200)

  test('is listed while it lasts, sent once, and resolved when it has passed', async () => {
    const conditions = [gone]
    const { served, list } = await serve({ conditions })
    await served.look()
    const [item] = await list()
    assert.equal(item.condition, 'agent-gone')
    assert.equal(item.since, '2030-01-01T00:00:00.000Z')
    await until(() => receiver.messages.length === 1)
    assert.deepEqual(
      receiver.messages[0]?.notices.map(({ kind, severity, subject, remedy }) => [
        kind,
        severity,
        subject,
        remedy,
      ]),
      [['raised', 'warning', 'computer main/0001', 'palisade agent']],
    )
    served.clock.advance(60_000)
    await served.look()
    await settle()
    assert.equal(receiver.messages.length, 1)
    conditions.length = 0
    await served.look()
    await until(() => receiver.messages.length === 2)
    assert.equal(receiver.messages[1]?.notices[0]?.kind, 'resolved')
    assert.equal(receiver.messages[1]?.notices[0]?.resolvedAt, '2030-01-01T00:01:00.000Z')
    assert.deepEqual(await list(), [])
    assert.equal((await list('?resolved=true')).length, 1)
    await served.close()
  })

  test('is noted and sent once by two servers that see the same at the same moment', async () => {
    const conditions = Array.from({ length: 20 }, (_, index) => ({ ...gone, subject: `computer ${index}` }))
    const { store, served, list } = await serve({ conditions, route: { groupSeconds: 60 } })
    const { served: second } = await serve({ store, conditions, route: { groupSeconds: 60 }, other: served })
    await Promise.all([served.look(), second.look(), served.look(), second.look()])
    assert.equal((await list()).length, 20)
    served.clock.advance(61_000)
    await until(() => receiver.messages.length > 0)
    await settle()
    assert.deepEqual(
      receiver.messages.map(({ notices }) => notices.length),
      [20],
    )
    await Promise.all([served.close(), second.close()])
  })

  test('is told of by nobody when it passes within the time of its group', async () => {
    const conditions = [gone]
    const { served } = await serve({ conditions, route: { groupSeconds: 60 } })
    await served.look()
    conditions.length = 0
    served.clock.advance(30_000)
    await served.look()
    served.clock.advance(60_000)
    await settle()
    assert.deepEqual(receiver.messages, [])
    await served.close()
  })

  test('survives a channel that is away and a server that ends: it is sent under one name', async () => {
    const { store, served, session } = await serve({ conditions: [gone] })
    receiver.status = 503
    await served.look()
    await until(() => receiver.messages.length === 1)
    await settle()
    const channel = (await served.as(session, 'GET', '/channels')).json.items[0]
    assert.deepEqual(
      [channel.failure, channel.failingSince],
      ['the webhook answered 503', '2030-01-01T00:00:00.000Z'],
    )
    await served.close()
    const [first] = receiver.messages
    const { served: second } = await serve({ store, conditions: [gone], other: served })
    await settle()
    assert.deepEqual(receiver.messages, [], 'it waits before it tries again')
    second.clock.advance(15_000)
    await until(() => receiver.messages.length === 1)
    assert.deepEqual(receiver.messages[0], first)
    await settle()
    assert.equal(receiver.messages.length, 1)
    assert.equal((await second.as(session, 'GET', '/attention')).json.items.length, 1)
    await second.close()
  })

  test('a channel that keeps failing is itself something that needs attention', async () => {
    const { served, list } = await serve({ conditions: [gone] })
    receiver.status = 500
    await served.look()
    await until(() => receiver.messages.length === 1)
    await settle()
    served.clock.advance(6 * 60_000)
    await served.look()
    const found = (await list('?condition=channel-failing'))[0]
    assert.match(found.message, /Notifications to ops cannot be sent: the webhook answered 500\./)
    await served.close()
  })

  test('what a service told stays while it cannot be asked', async () => {
    const store = await newStore()
    let isAway = false
    const served = await serveAdministration(store, {
      attention: [
        {
          service: 'backup',
          isOfServer: false,
          read: async () => {
            if (isAway) throw new Error('the store is away')
            return [gone]
          },
        },
      ],
    })
    const session = await served.logIn(served.owner.username, served.owner.password)
    await served.look()
    isAway = true
    await served.look()
    assert.equal((await served.as(session, 'GET', '/attention')).json.items.length, 1)
    await served.close()
  })

  test('of one service is seen by whoever may see that service as a whole, and by nobody else of one service', async () => {
    const { served, list } = await serve({ conditions: [gone] })
    await served.look()
    const [{ id }] = await list()
    const password = 'correct horse battery'
    const cases = [
      { grants: [{ role: 'auditor' }], status: 200, items: 1 },
      { grants: [{ role: 'auditor', service: 'backup' }], status: 200, items: 1 },
      { grants: [{ role: 'operator', service: 'email' }], status: 200, items: 0 },
      { grants: [{ role: 'operator', service: 'backup', account: 'main' }], status: 403, items: undefined },
      { grants: [], status: 403, items: undefined },
    ]
    for (const [number, { grants, status, items }] of cases.entries()) {
      const username = `operator-${number}`
      await served.as(
        await served.logIn(served.owner.username, served.owner.password),
        'POST',
        '/operators',
        {
          body: { username, password, grants },
        },
      )
      const operator = await served.logIn(username, password)
      const listed = await served.as(operator, 'GET', '/attention?service=backup')
      assert.equal(listed.status, status, listed.text)
      assert.equal(listed.json.items?.length, items)
      const one = await served.as(operator, 'GET', `/attention/${id}`)
      assert.equal(one.status, status === 403 ? 403 : items === 1 ? 200 : 404, one.text)
    }
    await served.close()
  })

  test('a test arrives; strangers, auditors and unknown channels are refused', async () => {
    const { served, session } = await serve({ conditions: [] })
    const sent = await served.as(session, 'POST', '/channels/ops/test')
    assert.equal(sent.status, 202, sent.text)
    await until(() => receiver.messages.length === 1)
    assert.equal(receiver.messages[0]?.notices[0]?.kind, 'test')
    assert.equal((await served.as(session, 'POST', '/channels/none/test')).status, 404)
    const password = 'correct horse battery'
    await served.as(session, 'POST', '/operators', {
      body: { username: 'auditor', password, grants: [{ role: 'auditor' }] },
    })
    const auditor = await served.logIn('auditor', password)
    assert.equal((await served.as(auditor, 'POST', '/channels/ops/test')).status, 403)
    assert.equal((await served.as(auditor, 'GET', '/channels')).status, 200)
    assert.doesNotMatch((await served.as(auditor, 'GET', '/channels')).text, /whsec/)
    await served.close()
  })
})
