import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { bearerToken, clientCredentials, firewallLogin } from './authorisation.ts'
import { answer, createBackupClient, createEmailClient, createFirewallClient } from './clients.ts'
import { Conflict, ConnectionFailed, InvalidRequest, NotAuthenticated, ServiceFailure } from './errors.ts'
import { eachItem, eachRow } from './pages.ts'
import { waitForTask } from './wait-for-task.ts'

interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const computers = { params: { path: { account_id: 'acme' } } }
const retries = { firstWaitMs: 1 }

describe('a client', () => {
  let requests: { line: string; authorization: string | undefined; body: string }[]
  /** What the server answers, request after request; the last one again and again. */
  let replies: Reply[]
  const server = createServer(async (request, response) => {
    requests.push({
      line: `${request.method} ${request.url}`,
      authorization: request.headers.authorization,
      body: await bodyOf(request),
    })
    const {
      status,
      body = {},
      headers = {},
    } = (replies.length > 1 ? replies.shift() : replies[0]) ?? { status: 500 }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  })
  const origin = () => originOf(server)
  const backup = (authorisation = bearerToken('secret')) =>
    createBackupClient({ baseUrl: `${origin()}/backup`, authorisation, retries })

  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  beforeEach(() => {
    requests = []
    replies = []
  })
  after(() => server.close())

  test('tries reads again that fail for a time', async () => {
    replies = [{ status: 503 }, { status: 502 }, { status: 200, body: [] }]
    assert.deepEqual(await answer(backup().GET('/v2/accounts/{account_id}/computers', computers)), [])
    assert.equal(requests.length, 3)
  })

  test('tells whoever asked of each call that was answered, once, with a body that can be read', async () => {
    const told: string[] = []
    const client = createBackupClient({
      baseUrl: `${origin()}/backup`,
      authorisation: bearerToken('secret'),
      retries,
      onAnswered: async (request, { status }) => {
        told.push(
          `${request.method} ${new URL(request.url).pathname} ${status} ${await request.clone().text()}`,
        )
      },
    })
    replies = [{ status: 429 }, { status: 200, body: {} }, { status: 404, body: { errors: ['No.'] } }]
    const path = { account_id: 'acme', computer_id: '1' }
    const root = '/v2/accounts/{account_id}/computers/{computer_id}/backupsets/run'
    await answer(client.POST(root, { params: { path }, body: { backupSetId: 'nightly' } }))
    await client.GET('/v2/accounts/{account_id}/computers', computers)
    assert.deepEqual(told, [
      'POST /backup/v2/accounts/acme/computers/1/backupsets/run 200 {"backupSetId":"nightly"}',
      'GET /backup/v2/accounts/acme/computers 404 ',
    ])
  })

  test('gives up after four tries, and throws the words of the service', async () => {
    replies = [{ status: 503, body: { errors: ['The store is away.'] } }]
    await assert.rejects(answer(backup().GET('/v2/accounts/{account_id}/computers', computers)), (error) => {
      assert.ok(error instanceof ServiceFailure)
      assert.equal(error.message, 'The store is away.')
      assert.equal(error.status, 503)
      return true
    })
    assert.equal(requests.length, 4)
  })

  test('does not repeat what changes something, except when it was not carried out', async () => {
    const run = () =>
      backup().POST('/v2/accounts/{account_id}/computers/{computer_id}/backups', {
        params: { path: { account_id: 'acme', computer_id: '1' } },
        body: { source: { path: '/srv/image.raw' } },
      })
    replies = [{ status: 503 }, { status: 202 }]
    assert.equal((await run()).response.status, 503)
    assert.equal(requests.length, 1)
    requests = []
    replies = [{ status: 429, headers: { 'retry-after': '0' } }, { status: 202 }]
    assert.equal((await run()).response.status, 202)
    assert.equal(requests.length, 2)
    assert.deepEqual(requests[1], requests[0])
    assert.equal(requests[1]?.body, '{"source":{"path":"/srv/image.raw"}}')
  })

  test('asks for one access token for many calls, and for another one when that is refused', async () => {
    const authorisation = clientCredentials(`${origin()}/backup`, {
      clientId: 'tour',
      clientSecret: 'secret',
    })
    const client = backup(authorisation)
    const token = (name: string): Reply => ({ status: 200, body: { access_token: name, expires_in: 3600 } })
    replies = [token('one'), { status: 200, body: [] }]
    await Promise.all([1, 2, 3].map(() => client.GET('/v2/accounts/{account_id}/computers', computers)))
    assert.deepEqual(
      requests.map(({ line }) => line.split(' ')[0]),
      ['POST', 'GET', 'GET', 'GET'],
    )
    requests = []
    replies = [{ status: 401 }, token('two'), { status: 200, body: [] }]
    await answer(client.GET('/v2/accounts/{account_id}/computers', computers))
    assert.deepEqual(
      requests.map(({ authorization }) => authorization),
      ['Bearer one', undefined, 'Bearer two'],
    )
  })

  test('asks for an access token before the old one expires', async () => {
    const client = backup(clientCredentials(`${origin()}/backup`, { clientId: 'a', clientSecret: 'b' }))
    replies = [{ status: 200, body: { access_token: 'brief', expires_in: 0 } }]
    await client.GET('/v2/accounts/{account_id}/computers', computers)
    await client.GET('/v2/accounts/{account_id}/computers', computers)
    assert.deepEqual(
      requests.map(({ line }) => line.split(' ')[0]),
      ['POST', 'GET', 'POST', 'GET'],
    )
  })

  test('throws why no token was given, and asks again with the next call', async () => {
    const client = createEmailClient({
      baseUrl: `${origin()}/email`,
      authorisation: clientCredentials(`${origin()}/email`, { clientId: 'a', clientSecret: 'b' }),
    })
    replies = [{ status: 401, body: { error: 'invalid_client', error_description: 'The secret is wrong.' } }]
    for (const _ of [1, 2]) {
      await assert.rejects(answer(client.GET('/beta/accounts/ess')), (error) => {
        assert.ok(error instanceof NotAuthenticated)
        assert.equal(error.message, 'The secret is wrong.')
        return true
      })
    }
    assert.equal(requests.length, 2)
  })

  test('logs in to the firewall, whose tokens have line feeds', async () => {
    const client = createFirewallClient({
      baseUrl: origin(),
      authorisation: firewallLogin(origin(), { username: 'admin', password: 'secret' }),
    })
    replies = [
      { status: 200, body: { token: 'ab\ncd\n' } },
      { status: 200, body: { object: 'Service' } },
    ]
    await answer(client.GET('/restapi/v3.2/services'))
    assert.equal(requests[0]?.body, '{"username":"admin","password":"secret"}')
    assert.equal(requests[1]?.authorization, `Basic ${Buffer.from('ab\ncd\n:').toString('base64')}`)
  })

  test('says what is wrong in the words of each envelope', async () => {
    const bodies = [
      { errors: ['one', 'two'] },
      { detail: 'one\ntwo', parameter: 'source' },
      { status: 400, statusDetails: { Reason: 'one\ntwo' } },
      { msg: 'one\ntwo', error: {} },
      { error: 'invalid_request', error_description: 'one\ntwo' },
    ]
    for (const body of bodies) {
      replies = [{ status: 400, body }]
      await assert.rejects(
        answer(backup().GET('/v2/accounts/{account_id}/computers', computers)),
        (error) => {
          assert.ok(error instanceof InvalidRequest)
          assert.equal(error.message, 'one\ntwo')
          assert.equal(error.field, 'parameter' in body ? 'source' : undefined)
          return true
        },
      )
    }
    replies = [{ status: 412, body: {} }]
    await assert.rejects(answer(backup().GET('/v2/accounts/{account_id}/computers', computers)), Conflict)
  })

  test('says that nobody answers, after it has tried again', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const baseUrl = originOf(closed)
    await new Promise((resolve) => closed.close(resolve))
    const client = createBackupClient({ baseUrl, authorisation: bearerToken('secret'), retries })
    await assert.rejects(
      answer(client.GET('/v2/accounts/{account_id}/computers', computers)),
      (error) => error instanceof ConnectionFailed && /ECONNREFUSED/.test(error.message),
    )
  })

  test('ends a call and its waiting when the caller does', async () => {
    replies = [{ status: 503, headers: { 'retry-after': '20' } }]
    const signal = AbortSignal.timeout(50)
    const call = backup().GET('/v2/accounts/{account_id}/computers', { ...computers, signal })
    await assert.rejects(call, { name: 'TimeoutError' })
    assert.equal(requests.length, 1)
  })

  test('reads page after page, no further than it is asked to', async () => {
    const page = (items: number[], next: string | null) => ({
      data: { items, next },
      response: new Response(),
    })
    const authorizations: (string | undefined)[] = []
    const read = async (after: string | undefined) => {
      authorizations.push(after)
      return after === undefined ? page([1, 2], 'b') : page([3], after === 'b' ? 'c' : null)
    }
    assert.deepEqual(await Array.fromAsync(eachItem(read)), [1, 2, 3, 3])
    assert.deepEqual(authorizations, [undefined, 'b', 'c'])
    for await (const item of eachItem(read)) if (item === 2) break
    assert.equal(authorizations.length, 4)
    const rows = eachRow({ size: 2, first: 1 }, async (number) => (number < 3 ? [number, number] : [number]))
    assert.deepEqual(await Array.fromAsync(rows), [1, 1, 2, 2, 3])
  })

  test('waits for a task, and tells of its progress', async () => {
    const states = ['RUNNING', 'CANCELING', 'CANCELED']
    const messages: string[] = []
    const ended = await waitForTask(async () => ({ state: states[messages.length] ?? '' }), {
      everyMs: 1,
      onProgress: ({ state }) => messages.push(state),
    })
    assert.equal(ended.state, 'CANCELED')
    assert.deepEqual(messages, states)
    const signal = AbortSignal.timeout(20)
    await assert.rejects(
      waitForTask(async () => ({ state: 'RUNNING' }), { everyMs: 10_000, signal }),
      { name: 'TimeoutError' },
    )
  })
})

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) body += part
  return body
}
