import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { addressInUse, serverAddresses } from './addresses.ts'
import { ServerClient, shortReplyMaxBytes } from './exchange.ts'
import { isTransient, ReplyBroken, RequestRefused } from './request-failure.ts'

const replyMaxBytes = shortReplyMaxBytes

/** A client of a server that answers as told. @param others more addresses that it has */
async function clientOf(
  t: TestContext,
  answer: RequestListener,
  ...others: readonly string[]
): Promise<ServerClient> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const client = new ServerClient({
    addresses: serverAddresses([`http://127.0.0.1:${port}/backup`, ...others]),
    credential: 'the-credential',
    trust: { insecure: false },
  })
  t.after(() => {
    client.close()
    server.closeAllConnections()
    server.close()
  })
  return client
}

const bodyOf = async (request: IncomingMessage) => Buffer.concat(await Array.fromAsync(request)).toString()

test('sends its credential and a body, whole or in pieces, and gives the reply', async (t) => {
  const client = await clientOf(t, async (request, response) => {
    const { method, url, headers } = request
    const body = await bodyOf(request)
    response.end(JSON.stringify([method, url, headers.authorization, headers['content-type'], body]))
  })
  const expected = ['POST', '/backup/x', 'Bearer the-credential', 'text/plain', 'abc']
  const whole = { method: 'POST', path: '/x', contentType: 'text/plain', replyMaxBytes } as const
  assert.deepEqual(await client.exchangeJson({ ...whole, body: Buffer.from('abc') }), expected)
  const inPieces = client.exchangeJson({
    ...whole,
    body: async (sink) => {
      for (const piece of 'abc') await new Promise((resolve) => sink.write(piece, resolve))
    },
  })
  assert.deepEqual(await inPieces, expected)
})

test('a refusal says why, in one line', async (t) => {
  const replies: Record<string, string> = {
    '/backup/errors': '{"errors":["Not now.","Later."]}',
    '/backup/text': 'two\nlines',
    '/backup/long': 'x'.repeat(10_000),
  }
  const client = await clientOf(t, (request, response) => {
    response.writeHead(503).end(replies[request.url ?? ''])
  })
  const refused = (path: string, message: RegExp) =>
    assert.rejects(client.exchange({ method: 'GET', replyMaxBytes, path }), {
      name: 'RequestRefused',
      status: 503,
      message,
    })
  await refused('/errors', /^the server answered 503: Not now\. Later\.$/)
  await refused('/text', /503: two lines$/)
  await refused('/long', /^.{200,260}$/)
})

test('a server that refuses early is understood in the middle of sending', async (t) => {
  const client = await clientOf(t, (_request, response) => {
    response.writeHead(409).end()
  })
  const endless = client.exchange({
    method: 'POST',
    path: '/x',
    replyMaxBytes,
    body: async (sink) => {
      while (!sink.destroyed) {
        await new Promise((resolve) => sink.write(Buffer.alloc(100_000), resolve))
      }
    },
  })
  await assert.rejects(endless, (error) => error instanceof RequestRefused || isTransient(error))
})

test('a body that cannot be made is not sent as if it were whole', async (t) => {
  const outcomes: boolean[] = []
  const client = await clientOf(t, (request, response) => {
    request.on('close', () => outcomes.push(request.complete))
    response.on('error', () => {})
    request.resume()
  })
  const failing = client.exchange({
    method: 'POST',
    path: '/x',
    replyMaxBytes,
    body: (sink) => {
      sink.write('the beginning')
      return Promise.reject(new TypeError('cannot go on'))
    },
  })
  await assert.rejects(failing, TypeError)
})

test('a reply that breaks off, or is not what it should be, passes', async (t) => {
  const client = await clientOf(t, (request, response) => {
    if (request.url === '/backup/json') response.end('{"half":')
    else if (request.url === '/backup/nothing') response.destroy()
    else {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    }
  })
  await assert.rejects(client.exchangeJson({ method: 'GET', replyMaxBytes, path: '/json' }), ReplyBroken)
  for (const path of ['/nothing', '/half']) {
    await assert.rejects(client.exchange({ method: 'GET', replyMaxBytes, path }), isTransient)
  }
})

test('has the next address used after an answer of a server that is of no use, and after no other', async (t) => {
  const other = 'http://127.0.0.1:1/backup'
  for (const [status, isLeft] of [
    [502, true],
    [503, true],
    [504, true],
    [401, false],
    [403, false],
    [406, false],
    [409, false],
    [429, false],
    [500, false],
  ] as const) {
    const client = await clientOf(t, (_request, response) => response.writeHead(status).end(), other)
    await assert.rejects(client.exchange({ method: 'GET', replyMaxBytes, path: '/x' }), { status })
    assert.equal(addressInUse(client.addresses) === other, isLeft, String(status))
  }
})

test('has the next address used when a connection breaks, and not when the caller ends it', async (t) => {
  const other = 'http://127.0.0.1:1/backup'
  const request = { method: 'POST', replyMaxBytes, path: '/x' } as const
  const breaking = await clientOf(t, (_request, response) => response.destroy(), other)
  await assert.rejects(breaking.exchange(request), isTransient)
  assert.equal(addressInUse(breaking.addresses), other)
  const abort = new AbortController()
  const silent = await clientOf(t, () => abort.abort(), other)
  await assert.rejects(silent.exchange({ ...request, signal: abort.signal }), { name: 'AbortError' })
  await assert.rejects(
    silent.exchange({ ...request, body: () => Promise.reject(new TypeError('no')) }),
    TypeError,
  )
  assert.notEqual(addressInUse(silent.addresses), other)
})

test('ends when it is aborted', async (t) => {
  const abort = new AbortController()
  const client = await clientOf(t, () => abort.abort())
  const waiting = client.exchange({ method: 'GET', replyMaxBytes, path: '/x', signal: abort.signal })
  await assert.rejects(waiting, { name: 'AbortError' })
})

test('a reply of the size that was asked for is taken, and one of a byte more is not', async (t) => {
  const client = await clientOf(t, (request, response) => {
    // Once with a length, once in pieces.
    if (request.url?.endsWith('counted')) response.setHeader('content-length', 1001)
    response.write(Buffer.alloc(1000))
    response.end('x')
  })
  for (const path of ['/counted', '/pieces']) {
    const request = { method: 'GET', path } as const
    assert.equal((await client.exchange({ ...request, replyMaxBytes: 1001 })).length, 1001)
    await assert.rejects(client.exchange({ ...request, replyMaxBytes: 1000 }), ReplyBroken)
  }
})
