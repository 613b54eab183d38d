import assert from 'node:assert/strict'
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ProxySnapshot, SnapshotService } from '@palisade/proxy-protocol'
import { serverAt } from '../testing/carried.ts'
import { StateDirectory } from './state-directory.ts'

const count = 40

function service(number: number, port = 8000 + number): SnapshotService {
  return {
    name: `service-${number}`,
    address: '127.0.0.1',
    port,
    does: 'forward',
    inspection: { mode: 'off' },
    idleTimeoutSeconds: 60,
    requestsPerConnectionMax: 0,
    servers: [serverAt(9000)],
    balancing: { algorithm: 'round-robin', whenServerFails: 'another' },
    contentRules: [],
    maskedParameters: [],
    logsAccess: true,
    allowsWebSockets: false,
  }
}

const first: ProxySnapshot = {
  version: 1,
  digest: 'digest 1',
  services: Array.from({ length: count }, (_, number) => service(number)),
}

/** The snapshot of a version, with one other service than the one before. */
function after(before: ProxySnapshot): ProxySnapshot {
  const version = before.version + 1
  const services = before.services.with(version % count, service(version % count, 9000 + version))
  return { version, digest: `digest ${version}`, services }
}

async function opened(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'palisade-state-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const state = await StateDirectory.open(folder)
  return {
    state,
    whole: join(folder, 'snapshot.json'),
    changes: join(folder, 'snapshot-changes.jsonl'),
    /** What the next process finds. */
    found: async () => (await StateDirectory.open(folder)).snapshot(),
  }
}

test('a change of one service among many is written as that, for the owner alone', async (t) => {
  const { state, whole, changes, found } = await opened(t)
  assert.equal(await found(), undefined)
  await state.keep(first)
  const wholeBytes = statSync(whole).size
  const second = after(first)
  await state.keep(second)
  assert.deepEqual(await found(), second)
  assert.equal(statSync(whole).size, wholeBytes)
  assert.ok(statSync(changes).size < wholeBytes / 10)
  assert.equal(statSync(changes).mode & 0o777, 0o600)
})

test('the whole is written anew before the changes are larger than it', async (t) => {
  const { state, whole, changes, found } = await opened(t)
  let last = first
  let rewritten = 0
  await state.keep(last)
  for (let change = 0; change < 3 * count; change++) {
    last = after(last)
    await state.keep(last)
    const written = JSON.parse(readFileSync(whole, 'utf8'))
    if (written.digest === last.digest) rewritten++
    else assert.ok(statSync(changes).size <= statSync(whole).size + count)
    assert.deepEqual((await found())?.digest, last.digest)
  }
  assert.ok(rewritten > 0 && rewritten < 10, `${rewritten} times`)
  assert.deepEqual(await found(), last)
})

test('a snapshot with a smaller number counts, as of a management that was put back', async (t) => {
  const { state, found } = await opened(t)
  const second = after(first)
  await state.keep(second)
  await state.keep(first)
  assert.deepEqual(await found(), first)
})

test('a change that a stop has cut is not there, and those before it are', async (t) => {
  const { state, changes, found } = await opened(t)
  await state.keep(first)
  const second = after(first)
  await state.keep(second)
  const intact = statSync(changes).size
  await state.keep(after(second))
  for (const size of [intact, intact + 1, statSync(changes).size - 2]) {
    truncateSync(changes, size)
    assert.deepEqual(await found(), second, `${size} bytes`)
  }
})

test('changes that a stop has left beside a newer whole count no more', async (t) => {
  const { state, changes, found } = await opened(t)
  const copy = `${changes}.copy`
  await state.keep(first)
  const second = after(first)
  await state.keep(second)
  // The configuration was what it is again.
  const third = { ...first, version: 3 }
  await state.keep(third)
  copyFileSync(changes, copy)
  const another = await StateDirectory.open(join(changes, '..'))
  await another.keep({ ...first, version: 9 })
  appendFileSync(changes, readFileSync(copy), { mode: 0o600 })
  assert.deepEqual(await found(), { ...first, version: 9 })
})
