import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { carried } from '../testing/carried.ts'
import { emptyRuleSets } from '../testing/rules.ts'

const kibibyte = 1024

/** A service of which 300 KiB of bodies are held at once, and whose application says how many bytes it got. */
function uploading(t: TestContext, mode: 'active' | 'passive', waitMaxMs: number) {
  return carried(t, {
    application: (incoming, response) => {
      let size = 0
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      incoming.on('end', () => response.end(String(size)))
    },
    service: { inspection: { mode } },
    rules: emptyRuleSets,
    bodies: { bytesMax: 300 * kibibyte, waitMaxMs },
  })
}

/** Says that it will send so much, and sends a part of it. */
function begin(port: number, declared: number, sent: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: ${declared}\r\nConnection: close\r\n\r\n`,
  )
  socket.write(Buffer.alloc(sent))
  let reply = ''
  socket.setEncoding('latin1').on('data', (text) => {
    reply += text
  })
  return { socket, ended: once(socket, 'close').then(() => reply) }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5)
}

async function upload(port: number, bytes: number): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  const text = await reply.text()
  return reply.status === 200 ? `200 ${text}` : String(reply.status)
}

/** Without a length that is told beforehand. */
function uploadInChunks(port: number, bytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST' }, async (reply) => {
      const parts = await reply.setEncoding('utf8').toArray()
      resolve(`${reply.statusCode} ${parts.join('')}`)
    })
    sent.on('error', reject)
    for (let rest = bytes; rest > 0; rest -= 50 * kibibyte)
      sent.write(Buffer.alloc(Math.min(rest, 50 * kibibyte)))
    sent.end()
  })
}

test('bodies wait for room and all come through, and small ones never wait', async (t) => {
  const { port, bodyRoom } = await uploading(t, 'active', 60_000)
  const stalled = begin(port, 280 * kibibyte, 100 * kibibyte)
  await until(() => bodyRoom.takenBytes === 280 * kibibyte)
  const waiting = [upload(port, 200 * kibibyte), uploadInChunks(port, 150 * kibibyte)]
  let isServed = false
  for (const one of waiting) {
    void one.then(() => {
      isServed = true
    })
  }
  await until(() => bodyRoom.waitingCount === 2)
  assert.equal(await upload(port, 30 * kibibyte), `200 ${30 * kibibyte}`)
  assert.equal(isServed, false)
  stalled.socket.write(Buffer.alloc(180 * kibibyte))
  assert.match(await stalled.ended, /^HTTP\/1\.1 200 .*286720/s)
  assert.deepEqual(await Promise.all(waiting), [`200 ${200 * kibibyte}`, `200 ${150 * kibibyte}`])
  await until(() => bodyRoom.takenBytes === 0)
})

test('a client that goes away gives its room to others', async (t) => {
  const { port, bodyRoom } = await uploading(t, 'active', 60_000)
  const aborted = begin(port, 280 * kibibyte, 100 * kibibyte)
  const waitsAndGoes = begin(port, 280 * kibibyte, 100 * kibibyte)
  await until(() => bodyRoom.waitingCount === 1)
  const other = upload(port, 200 * kibibyte)
  await until(() => bodyRoom.waitingCount === 2)
  waitsAndGoes.socket.destroy()
  aborted.socket.destroy()
  assert.equal(await other, `200 ${200 * kibibyte}`)
})

test('who sends slowly loses its room to one that has waited long enough', async (t) => {
  const { port, exchanges, bodyRoom } = await uploading(t, 'active', 500)
  const slow = begin(port, 280 * kibibyte, 100 * kibibyte)
  await until(() => bodyRoom.takenBytes > 0)
  assert.equal(await upload(port, 200 * kibibyte), `200 ${200 * kibibyte}`)
  assert.match(await slow.ended, /^HTTP\/1\.1 408 /)
  assert.match(exchanges[0]?.violations[0]?.detail ?? '', /so slowly/)
})

test('without room a service that blocks refuses, and another one lets pass what it cannot read', async (t) => {
  for (const mode of ['active', 'passive'] as const) {
    const { port, exchanges, bodyRoom } = await carried(t, {
      // The answer does not come, so that the first body stays.
      application: (incoming, response) => {
        incoming.resume().on('end', () => incoming.url === '/' && response.end('reached'))
      },
      service: { inspection: { mode } },
      rules: emptyRuleSets,
      bodies: { bytesMax: 200 * kibibyte, waitMaxMs: 300 },
    })
    const slow = request({ host: '127.0.0.1', port, method: 'POST', path: '/held' })
    slow.on('error', () => undefined).end(Buffer.alloc(190 * kibibyte))
    await until(() => bodyRoom.takenBytes > 0)
    const { ended } = begin(port, 100 * kibibyte, 100 * kibibyte)
    assert.match(await ended, mode === 'active' ? /^HTTP\/1\.1 503 / : /^HTTP\/1\.1 200 .*reached/s)
    const [violation] = exchanges[0]?.violations ?? []
    assert.deepEqual(
      [violation?.attack, violation?.action],
      ['Service Unavailable', mode === 'active' ? undefined : 'LOG'],
    )
    slow.destroy()
  }
})
