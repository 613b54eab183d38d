import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverAddresses } from '../addresses.ts'
import { DownloadConnection } from './download-connection.ts'

const body = randomBytes(4 * 1024 * 1024)

/** A connection to a server that answers everything with {@link body}. */
async function connect(t: TestContext): Promise<DownloadConnection> {
  const server = createServer((_request, response) => response.end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const connection = new DownloadConnection(
    {
      addresses: serverAddresses([`http://127.0.0.1:${address.port}/backup`]),
      credential: 'secret',
      trust: { insecure: false },
    },
    Buffer.alloc(64 * 1024),
  )
  t.after(() => {
    connection.close()
    server.closeAllConnections()
    server.close()
  })
  return connection
}

test('brings nothing while its caller is not ready, and all of it in the end, again and again', async (t) => {
  const connection = await connect(t)
  for (let round = 0; round < 2; round++) {
    const pieces: Buffer[] = []
    let isPaused = false
    const onBody = (bytes: Buffer) => {
      assert.ok(!isPaused)
      pieces.push(Buffer.from(bytes))
      isPaused = true
      return sleep(pieces.length % 8 === 0 ? 2 : 0).then(() => {
        isPaused = false
      })
    }
    await connection.get('/chunks', onBody, AbortSignal.timeout(30_000))
    assert.ok(Buffer.concat(pieces).equals(body))
  }
})

test('can be ended while its caller is not ready', async (t) => {
  const connection = await connect(t)
  const ending = new AbortController()
  const ready = Promise.withResolvers<void>()
  const response = connection.get(
    '/chunks',
    () => {
      setImmediate(() => ending.abort())
      return ready.promise
    },
    ending.signal,
  )
  await assert.rejects(response, { name: 'AbortError' })
  ready.resolve()
  await connection.get('/chunks', () => undefined, AbortSignal.timeout(30_000))
})
