import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressInUse, leaveAddress, type ServerAddresses, serverAddresses } from '../addresses.ts'
import { DownloadConnection } from './download-connection.ts'

const body = randomBytes(4 * 1024 * 1024)

/** The address of a server that answers everything alike. */
async function serverOf(t: TestContext, answer: Buffer): Promise<string> {
  const server = createServer((_request, response) => response.end(answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${address.port}/backup`
}

function connectionTo(t: TestContext, addresses: ServerAddresses): DownloadConnection {
  const server = { addresses, credential: 'secret', trust: { insecure: false } }
  const connection = new DownloadConnection(server, Buffer.alloc(64 * 1024))
  t.after(() => connection.close())
  return connection
}

/** A connection to a server that answers everything with {@link body}. */
async function connect(t: TestContext): Promise<DownloadConnection> {
  return connectionTo(t, serverAddresses([await serverOf(t, body)]))
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

test('leads to the address in use, also while the one before still serves it', async (t) => {
  const answers = ['one', 'two'].map((text) => Buffer.from(text))
  const urls = await Promise.all(answers.map((answer) => serverOf(t, answer)))
  const addresses = serverAddresses([...urls, 'http://127.0.0.1:1/backup'])
  const connection = connectionTo(t, addresses)
  const { signal } = new AbortController()
  const get = async () => {
    let text = ''
    const take = (bytes: Buffer) => {
      text += bytes.toString()
      return undefined
    }
    await connection.get('/chunks', take, signal)
    return text
  }
  assert.equal(await get(), 'one')
  leaveAddress(addresses, addressInUse(addresses))
  assert.equal(await get(), 'two')
  leaveAddress(addresses, addressInUse(addresses))
  await assert.rejects(get(), { code: 'ECONNREFUSED' })
  assert.equal(await get(), 'one')
})
