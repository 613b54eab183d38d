import assert from 'node:assert/strict'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { SnapshotCompression } from '@palisade/proxy-protocol'
import { carried } from '../../testing/carried.ts'
import { takesGzip } from './accepted-codings.ts'

const settings: SnapshotCompression = {
  contentTypes: ['text[/]html', 'application[/](x-)?javascript'],
  unknownTypes: false,
  sizeMin: 100,
}
const page = 'a page that says the same again and again. '.repeat(100)

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly trailers: NodeJS.Dict<string>
}

async function compressing(t: TestContext, application: RequestListener, compression = settings) {
  const { port } = await carried(t, { application, service: { compression } })
  return (path: string, headers: Record<string, string> = { 'accept-encoding': 'gzip' }, method = 'GET') =>
    new Promise<Reply>((resolve) => {
      request({ port, host: '127.0.0.1', path, method, headers }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk) => chunks.push(chunk))
        reply.on('end', () => {
          const { statusCode = 0, headers: told, trailers } = reply
          resolve({
            status: statusCode,
            headers: told,
            body: Buffer.concat(chunks),
            trailers: { ...trailers },
          })
        })
      }).end()
    })
}

test('answers of the types that are named are compressed, whole and with true headers', async (t) => {
  const get = await compressing(t, (_, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': page.length,
      etag: '"1"',
      vary: 'Origin',
      'accept-ranges': 'bytes',
    })
    response.end(page)
  })
  const { headers, body } = await get('/')
  assert.equal(headers['content-encoding'], 'gzip')
  assert.equal(headers.vary, 'Origin, Accept-Encoding')
  assert.equal(headers.etag, 'W/"1"')
  assert.deepEqual([headers['content-length'], headers['accept-ranges']], [undefined, undefined])
  assert.ok(body.length < page.length / 5)
  assert.equal(gunzipSync(body).toString(), page)
})

test('what follows a body that was compressed says nothing of the bytes that came from the server', async (t) => {
  const get = await compressing(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', trailer: 'Content-Digest, X-Lines' })
    response.write(page)
    response.addTrailers({ 'Content-Digest': 'sha-256=:AA==:', 'X-Lines': '1' })
    response.end()
  })
  assert.deepEqual((await get('/')).trailers, { 'x-lines': '1' })
  assert.deepEqual((await get('/', {})).trailers, { 'content-digest': 'sha-256=:AA==:', 'x-lines': '1' })
})

test('a client that does not take gzip gets the answer as it is, and caches are told', async (t) => {
  const get = await compressing(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/javascript', etag: '"1"' })
    response.end(page)
  })
  for (const accepted of [
    {},
    { 'accept-encoding': 'br, gzip;q=0' },
    { 'accept-encoding': 'identity, gzip;q=0.5' },
  ]) {
    const { headers, body } = await get('/', accepted as Record<string, string>)
    assert.equal(body.toString(), page)
    assert.deepEqual(
      [headers['content-encoding'], headers.vary, headers.etag],
      [undefined, 'Accept-Encoding', '"1"'],
    )
  }
})

test('answers stay as they are that are small, of other types, compressed, parts, or not to be changed', async (t) => {
  const kinds: Readonly<Record<string, readonly [number, Record<string, string | number>, Buffer | string]>> =
    {
      '/small': [200, { 'content-type': 'text/html', 'content-length': 5 }, 'small'],
      '/png': [200, { 'content-type': 'image/png' }, page],
      '/none': [200, {}, page],
      '/gzip': [200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }, gzipSync(page)],
      '/part': [206, { 'content-type': 'text/html', 'content-range': 'bytes 0-1/9' }, page],
      '/fixed': [200, { 'content-type': 'text/html', 'cache-control': 'public, no-transform' }, page],
      '/unchanged': [304, { 'content-type': 'text/html', etag: '"1"' }, ''],
      '/events': [200, { 'content-type': 'text/event-stream' }, page],
    }
  const get = await compressing(
    t,
    (incoming, response) => {
      const [status, headers, body] = kinds[incoming.url ?? ''] ?? [404, {}, '']
      response.writeHead(status, headers)
      response.end(body)
    },
    { ...settings, contentTypes: [...settings.contentTypes, 'text[/]event-stream'] },
  )
  let ran = 0
  for (const [path, [status, headers, body]] of Object.entries(kinds)) {
    const reply = await get(path)
    assert.equal(reply.status, status)
    assert.equal(reply.headers['content-encoding'], headers['content-encoding'], path)
    assert.deepEqual(reply.body, Buffer.from(body), path)
    ran++
  }
  assert.equal(ran, Object.keys(kinds).length)
})

test('the answer to HEAD says nothing of a body that is not there', async (t) => {
  const get = await compressing(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length })
    response.end()
  })
  const { headers } = await get('/', { 'accept-encoding': 'gzip' }, 'HEAD')
  assert.deepEqual([headers['content-encoding'], headers['content-length']], [undefined, String(page.length)])
})

test('unknown types are compressed where that is wanted', async (t) => {
  const get = await compressing(t, (_, response) => response.end(page), { ...settings, unknownTypes: true })
  assert.equal((await get('/')).headers['content-encoding'], 'gzip')
})

test('weights say what a client takes', () => {
  for (const [accepted, takes] of [
    ['gzip', true],
    ['deflate, GZIP;q=0.1', true],
    ['*', true],
    ['*;q=0', false],
    ['gzip;q=0.000', false],
    ['gzip;q=oops', false],
    ['identity;q=0.5, gzip;q=1.0', true],
    ['identity;q=0.5, *;q=0.1', false],
    ['x-gzip', true],
    ['', false],
  ] as const) {
    assert.equal(takesGzip(['Accept-Encoding', accepted]), takes, accepted)
  }
  assert.equal(takesGzip([]), false)
})
