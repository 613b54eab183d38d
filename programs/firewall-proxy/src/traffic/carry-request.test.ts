import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { carried, exchangeBytes, serverAt } from '../testing/carried.ts'
import { ruleSetsOf } from '../testing/rules.ts'

test('headers and trailers of one connection stay on it, and odd ones come through as they are', async (t) => {
  let headerNames: readonly string[] = []
  const { port } = await carried(t, {
    application: (incoming, response) => {
      headerNames = incoming.rawHeaders
      response.writeHead(200, ['Set-Cookie', 'a=1', 'set-cookie', 'b=2', 'Connection', 'X-Own', 'X-Own', '1'])
      response.end('ok')
    },
  })
  const answer = await exchangeBytes(
    port,
    'GET / HTTP/1.1\r\nhOST: a\r\nX_under: 1\r\nX-Twice: 1\r\nX-Twice: 2\r\nConnection: x-private\r\nX-Private: 1\r\nTE: trailers\r\n\r\n',
  )
  assert.match(answer, /Set-Cookie: a=1\r\nset-cookie: b=2\r\n/)
  assert.doesNotMatch(answer, /X-Own/i)
  const names = headerNames.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  assert.equal(names.filter((name) => name === 'x-twice').length, 2)
  assert.ok(names.includes('x_under'))
  for (const name of ['x-private', 'te']) assert.ok(!names.includes(name), name)
})

test('a service that has to block is closed while there are no rules', async (t) => {
  const { port, plane } = await carried(t, {
    application: (_, response) => response.end('reached'),
    service: { inspection: { mode: 'active' } },
  })
  assert.match(await exchangeBytes(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'), /^HTTP\/1\.1 503 /)
  assert.deepEqual([plane.services[0]?.isUp, plane.services[0]?.reason], [false, 'The test has no rules.'])
})

test('a redirect service leads to the same address over HTTPS', async (t) => {
  const { port } = await carried(t, {
    application: (_, response) => response.end('reached'),
    service: { does: 'redirect' },
  })
  const answer = await exchangeBytes(port, 'GET /a?b=c HTTP/1.1\r\nHost: shop.example:80\r\n\r\n')
  assert.match(answer, /^HTTP\/1\.1 301 .*\r\nlocation: https:\/\/shop\.example\/a\?b=c\r\n/s)
})

test('a server that does not answer in time is answered for with 504', async (t) => {
  const { port } = await carried(t, { application: () => undefined })
  const reply = await fetch(`http://127.0.0.1:${port}/`)
  assert.equal(reply.status, 504)
  assert.match(await reply.text(), /did not answer in time/)
})

test('a client that waits to be asked for its body is asked', async (t) => {
  const { port } = await carried(t, {
    application: (incoming, response) => {
      incoming.resume()
      incoming.on('end', () => response.end('taken'))
    },
  })
  const asking = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { expect: '100-continue', 'content-length': 4 },
  })
  asking.flushHeaders()
  await once(asking, 'continue')
  asking.end('body')
  const [reply] = await once(asking, 'response')
  assert.equal(reply.statusCode, 200)
  reply.resume()
})

test('a client of HTTP/1.0 is not asked for its body, since it would take that for the answer', async (t) => {
  const { port } = await carried(t, {
    application: (incoming, response) => incoming.pipe(response),
  })
  const asking = 'POST / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\nbody'
  assert.match(await exchangeBytes(port, asking), /^HTTP\/1\.1 200 .*\r\n\r\nbody$/s)
})

test('a client that does not read holds the server back', async (t) => {
  let sent = 0
  const size = 64 * 1024 * 1024
  const { port } = await carried(t, {
    application: (_, response) => {
      const chunk = Buffer.alloc(64 * 1024)
      const write = () => {
        while (sent < size) {
          sent += chunk.length
          if (!response.write(chunk)) {
            response.once('drain', write)
            return
          }
        }
        response.end()
      }
      write()
    },
  })
  const socket = connect(port, '127.0.0.1').pause()
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  await new Promise((resolve) => setTimeout(resolve, 700))
  assert.ok(sent < size / 2, `${sent} bytes`)
  let count = 0
  socket.on('data', (chunk) => {
    count += chunk.length
  })
  socket.resume()
  await once(socket, 'close')
  assert.ok(count > size)
})

test('many long answers at once come whole, read by rules or not, to clients that read slowly and quickly', async (t) => {
  const pageOf = (number: number) =>
    Buffer.alloc((number < 20 ? 300_000 : 50_000) + number, `page ${number} of many, `)
  const { port } = await carried(t, {
    rules: ruleSetsOf('SecRule RESPONSE_BODY "@contains nowhere" "id:1,phase:4,deny"'),
    service: { inspection: { mode: 'active' } },
    application: (incoming, response) => {
      const number = Number(incoming.url?.slice(1))
      const page = pageOf(number)
      // Rules read texts, and hold them until then.
      response.setHeader('content-type', number % 4 < 2 ? 'text/html' : 'image/png')
      if (number % 2 === 0) response.setHeader('content-length', page.length)
      response.write(page.subarray(0, 100_000))
      setImmediate(() => response.end(page.subarray(100_000)))
    },
  })
  let ran = 0
  const read = async (number: number) => {
    const message = request({ port, host: '127.0.0.1', path: `/${number}` }).end()
    const [answer] = await once(message, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of answer) {
      chunks.push(chunk)
      if (number % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    assert.ok(Buffer.concat(chunks).equals(pageOf(number)), `page ${number}`)
    ran++
  }
  for (let round = 0; round < 3; round++)
    await Promise.all(Array.from({ length: 24 }, (_, number) => read(number)))
  assert.equal(ran, 72)
})

test('behind a body that its server has not read comes the next request', async (t) => {
  const { port } = await carried(t, {
    application: (request, response) => response.writeHead(request.method === 'POST' ? 413 : 200).end('said'),
  })
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket
    .setEncoding('latin1')
    .write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(200_000)}`)
  const [early] = await once(socket, 'data')
  assert.match(early, /^HTTP\/1\.1 413 /)
  socket.write(`${'x'.repeat(800_000)}GET / HTTP/1.1\r\nHost: a\r\n\r\n`)
  const [next] = await once(socket, 'data', { signal: AbortSignal.timeout(2_000) })
  assert.match(next, /HTTP\/1\.1 200 /)
})

test('a server that has begun to answer is not asked again when it breaks off', async (t) => {
  let count = 0
  const { port } = await carried(t, {
    application: (incoming, response) => {
      count++
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' })
      response.write('begun', () => setTimeout(() => incoming.socket.destroy(), 50))
    },
    rules: ruleSetsOf(`
SecResponseBodyAccess On
SecResponseBodyMimeType text/plain
SecRule RESPONSE_BODY "@rx evil" "id:1,phase:4,deny,status:403"
`),
  })
  assert.match(await exchangeBytes(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 500), /^HTTP\/1\.1 502 /)
  assert.equal(count, 1)
})

test('a request that cannot be sent as it is says nothing of its server', async (t) => {
  const application = createServer((incoming, response) => response.end(incoming.url))
  application.listen(0, '127.0.0.1')
  await once(application, 'listening')
  t.after(() => application.close())
  const health = { refusedMax: 0, timeoutsMax: 0, httpErrorsMax: 0, otherFailuresMax: 1 }
  const { port } = await carried(t, {
    application: () => undefined,
    service: {
      servers: [serverAt((application.address() as AddressInfo).port, { health })],
      rewriting: {
        requests: [],
        responses: [],
        bodies: [],
        translations: [
          { outside: { host: 'a', prefix: '/euro' }, inside: { host: '\u20ac', prefix: '/euro' } },
        ],
        secureHosts: [],
      },
    },
  })
  assert.match(await exchangeBytes(port, 'GET /euro HTTP/1.1\r\nHost: a\r\n\r\n'), /^HTTP\/1\.1 400 /)
  assert.match(await exchangeBytes(port, 'GET /other HTTP/1.1\r\nHost: a\r\n\r\n'), /\/other$/)
})
