import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLog } from '@palisade/log'
import { bootId, startOf } from './process-status.ts'
import { WorkerRecords } from './worker-records.ts'

/** A process that is written down as a worker, whose primary process is gone unless it says otherwise. */
function newWorker(t: TestContext, differences: { boot?: string; start?: string; primary?: object } = {}) {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'palisade-records-'))
  t.after(() => rmSync(stateDirectory, { recursive: true }))
  const child = spawn('sleep', ['60'])
  t.after(() => child.kill('SIGKILL'))
  const pid = child.pid ?? 0
  const record = {
    boot: differences.boot ?? bootId(),
    worker: { pid, start: differences.start ?? startOf(pid) },
    // The process of this number was started at another time.
    primary: differences.primary ?? { pid: process.pid, start: '1' },
  }
  const folder = join(stateDirectory, 'workers')
  mkdirSync(folder)
  writeFileSync(join(folder, `${pid}.json`), JSON.stringify(record))
  const records = new WorkerRecords(stateDirectory, createLog('silent'))
  return { child, records, files: () => readdirSync(folder) }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

test('a worker whose primary process is gone is asked to end', async (t) => {
  const { child, records, files } = newWorker(t)
  const ended = once(child, 'exit')
  await Promise.all([records.endOrphans(), records.endOrphans()])
  assert.deepEqual(await ended, [null, 'SIGTERM'])
  assert.deepEqual(files(), [])
})

test('a worker whose primary process runs is left alone', async (t) => {
  const primary = { pid: process.pid, start: startOf(process.pid) }
  const { child, records, files } = newWorker(t, { primary })
  await records.endOrphans()
  assert.ok(isRunning(child))
  assert.equal(files().length, 1)
})

test('another process that has the number of a worker is left alone', async (t) => {
  for (const differences of [{ start: '1' }, { boot: 'another run of the machine' }]) {
    const { child, records, files } = newWorker(t, differences)
    await records.endOrphans()
    assert.ok(isRunning(child))
    assert.deepEqual(files(), [])
  }
})

test('workers are written down while they run', (t) => {
  const { child, records, files } = newWorker(t)
  records.delete(child.pid ?? 0)
  assert.deepEqual(files(), [])
  records.add(child.pid ?? 0)
  assert.deepEqual(files(), [`${child.pid}.json`])
})
