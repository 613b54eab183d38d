import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { HonestClient } from './support/firewall/honest-client.ts'
import {
  application,
  cleanUpApplications,
  Management,
  ProxyProcess,
  workerPids,
} from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { mebibytes, peakBytesOf, residentBytesOf } from './support/programs/process-state.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

/** How many upload at once; UPLOADS=200 is the long form. */
const uploads = Number(process.env.UPLOADS ?? 60)
const workers = 2
const mebibyte = 1024 * 1024
/** How much of bodies each worker may hold. */
const memoryMiB = 48

const boundary = 'a-part-of-the-form'
const file = Buffer.alloc(10 * mebibyte, 'The quick brown fox jumps over the lazy dog.\n')
const form = Buffer.concat([
  Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="fox.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
  ),
  file,
  Buffer.from(`\r\n--${boundary}--\r\n`),
])
const headers = {
  host: 'shop.example',
  'user-agent': 'uploading',
  accept: '*/*',
  'content-type': `multipart/form-data; boundary=${boundary}`,
}

let server: Server
let management: Management
let behind: number
before(async () => {
  server = await Server.start()
  management = await Management.connect(server)
  await management.call('POST', 'security-policies', { name: 'large-files' })
  await management.call('PUT', 'security-policies/large-files/parameter-protection', {
    'maximum-upload-file-size': 20_000,
  })
  behind = await application((incoming, response) => {
    let size = 0
    let isRight = true
    incoming.on('data', (chunk: Buffer) => {
      isRight &&= form.subarray(size, size + chunk.length).equals(chunk)
      size += chunk.length
    })
    incoming.on('end', () => response.end(isRight && size > 0 ? `${size}` : 'served'))
  })
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

async function protect(name: string, proxy: ProxyProcess): Promise<number> {
  await eventually('all workers', async () => (workerPids(proxy).length === workers ? true : undefined))
  const port = await management.protect(name, behind)
  await management.call('PUT', `services/${name}/basic-security`, {
    mode: 'Active',
    'web-firewall-policy': 'large-files',
  })
  await eventually('the service', async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    return reply?.status === 200 ? true : undefined
  })
  return port
}

/** @returns status and body, or why there were none */
function upload(port: number): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-length': form.length },
      },
      async (reply) => {
        const parts = await reply.setEncoding('utf8').toArray()
        resolve(`${reply.statusCode} ${parts.join('')}`)
      },
    )
    sent.on('error', (error) => resolve(error.message)).end(form)
  })
}

/** Begins an upload and sends no more than this of it. */
function stall(port: number, bytes: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST / HTTP/1.1\r\n${lines.join('')}content-length: ${form.length}\r\n\r\n`)
  socket.write(form.subarray(0, bytes))
  return socket
}

/** Starts a proxy for one test: another one would want the same ports. */
async function startProxy(t: TestContext, waitSeconds: number): Promise<ProxyProcess> {
  const proxy = await ProxyProcess.start(server, newFolder(), { workers, bodies: { memoryMiB, waitSeconds } })
  t.after(() => proxy.program.kill())
  return proxy
}

test(`${uploads} uploads of 10 MB at once all come through in bounded memory, and small requests are served beside them`, async (t) => {
  const proxy = await startProxy(t, 3_000)
  const port = await protect('uploads', proxy)
  const pids = workerPids(proxy)
  assert.equal(await upload(port), `200 ${form.length}`)
  const before = residentBytesOf(pids)
  const client = new HonestClient(port, '/', 'served')
  const begunAt = performance.now()
  const outcomes = await Promise.all(Array.from({ length: uploads }, () => upload(port)))
  const seconds = (performance.now() - begunAt) / 1000
  await client.stop()
  const peak = peakBytesOf(pids)
  t.diagnostic(
    `${seconds.toFixed(1)} s; memory ${mebibytes(before)} before, at most ${mebibytes(peak)}; ` +
      `small requests: median ${client.medianMs.toFixed(1)} ms, worst ${client.worstMs.toFixed(0)} ms of ${client.count}`,
  )
  assert.deepEqual(new Set(outcomes), new Set([`200 ${form.length}`]))
  assert.deepEqual(client.failures, [])
  assert.deepEqual(workerPids(proxy), pids, 'no worker was replaced')
  // A body that is held and what rules made of it, several times that while they read it, and what is not cleared away yet.
  const bound = before + workers * 12 * memoryMiB * mebibyte
  assert.ok(peak < bound, `${mebibytes(peak)}, expected less than ${mebibytes(bound)}`)
})

test('uploads that stall keep others out for no longer than these wait', async (t) => {
  const proxy = await startProxy(t, 2)
  const port = await protect('stalling', proxy)
  const stalled = Array.from({ length: 40 }, () => stall(port, 200_000))
  const closed = () => stalled.filter((socket) => socket.resume().destroyed).length
  await eventually(
    'an upload',
    async () => ((await upload(port)) === `200 ${form.length}` ? true : undefined),
    120_000,
  )
  await eventually('stalled ones being closed', async () => (closed() > 0 ? true : undefined), 60_000)
  for (const socket of stalled) socket.destroy()
})
