import assert from 'node:assert/strict'
import cluster from 'node:cluster'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLog } from '@palisade/log'
import { WorkerFleet } from './fleet.ts'
import { WorkerRecords } from './worker-records.ts'

/** A worker that is ready at once and serves nothing. */
const workerProgram = `
import { writeFileSync } from 'node:fs'
writeFileSync(import.meta.dirname + '/flags', process.execArgv.join(' '))
process.send({ type: 'ready', rules: { problem: '', notice: '' } })
process.on('message', ({ type }) => type === 'stop' && process.exit())
`

test('workers have their settings of V8, and a fleet that closes starts nobody, also where a worker becomes ready at that moment', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'palisade-fleet-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const exec = join(folder, 'worker.mjs')
  writeFileSync(exec, workerProgram)
  cluster.setupPrimary({ exec, args: [], execArgv: [] })
  const { NODE_OPTIONS } = process.env
  process.env.NODE_OPTIONS = '--max_semi_space_size=32'
  t.after(() => {
    if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS
    else process.env.NODE_OPTIONS = NODE_OPTIONS
  })
  t.after(() => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
  })
  const log = createLog('silent')
  const nothing = () => undefined
  const fleet = new WorkerFleet({
    size: 2,
    hasSpare: true,
    records: new WorkerRecords(folder, log),
    log,
    onNews: nothing,
    onCollections: () => undefined,
    onCounted: nothing,
    onLearnt: nothing,
    onStored: nothing,
    onLogs: nothing,
  })
  const isReady = fleet.start()
  // Both workers say that they are ready before the first of them is heard.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000)
  await isReady
  await fleet.close()
  assert.deepEqual(Object.keys(cluster.workers ?? {}), [])
  // What the owner has chosen stays.
  assert.equal(readFileSync(join(folder, 'flags'), 'utf8'), '--no-allocation-site-pretenuring')
})
