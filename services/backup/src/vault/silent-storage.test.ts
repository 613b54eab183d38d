import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createLog } from '@palisade/platform'
import { settableClock } from '@palisade/platform/testing'
import { openServiceVault } from './open-service-vault.ts'

test('a start says that it waits for a storage that takes requests and never answers', async (t) => {
  const sockets: Socket[] = []
  const storage = createServer((socket) => sockets.push(socket.on('error', () => undefined).resume()))
  storage.listen(0, '127.0.0.1')
  await once(storage, 'listening')
  const address = storage.address()
  assert.ok(address !== null && typeof address !== 'string')
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-silent-'))
  t.after(() => rmSync(dataDirectory, { recursive: true }))
  const lines: string[] = []
  const opening = openServiceVault({
    configuration: {
      s3: {
        bucket: 'backups',
        prefix: 'palisade/',
        endpoint: `http://127.0.0.1:${address.port}`,
        accessKeyId: 'id',
        secretAccessKey: 'not to be told',
      },
    },
    dataDirectory,
    clock: settableClock(),
    log: createLog('info', { write: (line) => lines.push(line) }),
  })
  opening.catch(() => undefined)
  for (let waited = 0; lines.length === 0 && waited < 20_000; waited += 100) await setTimeout(100)
  storage.close()
  for (const socket of sockets) socket.destroy()
  await assert.rejects(opening, (error: Error) => !error.message.includes('not to be told'))
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /"vault":"s3:\/\/backups\/.*has not answered for five seconds/)
})
