/**
 * Processes that back up, delete and collect are killed at random moments. Afterwards every promise they made holds, and the
 * next collection leaves nothing that no revision needs. `PALISADE_KILLS` says how often, for a long run.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isVaultFailure } from '../failure.ts'
import { type CrashStorage, newBucket, newDirectory, openStorage } from '../testing/crash-storage.ts'
import { crashChunkSizeBytes, crashDomain, crashVolume } from '../testing/crash-volume.ts'
import { restore } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'
import type { Vault } from './vault.ts'

const program = fileURLToPath(new URL('../testing/backup-forever.ts', import.meta.url))
const liveFractionMin = 0.8

/** Runs the program until it has said so many lines, waits a random moment, kills it, and gives what it had said. */
async function runAndKill(storage: CrashStorage, key: Buffer, run: number, lines: number): Promise<string[]> {
  const child = spawn(
    process.execPath,
    ['--conditions=source', program, JSON.stringify(storage), key.toString('hex'), `${run}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const outputLines: string[] = []
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    outputLines.push(line)
    if (outputLines.length === 1) {
      await assert.rejects(openStorage(storage).lock(), (error) => isVaultFailure(error, 'locked'))
    }
    // The moment of the kill shall fall anywhere between two lines, not right behind one.
    if (outputLines.length === lines) await delay(randomInt(12)).then(() => child.kill('SIGKILL'))
  }
  const [, signal] = await ended
  assert.equal(signal, 'SIGKILL')
  return outputLines
}

/** What is stored beyond what the revisions need is less than a collection tolerates, and nothing is unknown. */
async function assertNothingLeaked(vault: Vault, storage: CrashStorage, unfinished: string[]): Promise<void> {
  await vault.collect({ liveFractionMin })
  const packs = (await openStorage(storage).list('domains/')).filter((name) => name.includes('/packs/'))
  const usage = await vault.usage(crashDomain)
  assert.equal(packs.length, usage.packs)
  assert.deepEqual(unfinished, [])
  assert.deepEqual(await vault.collect({ liveFractionMin }), {
    packsDeleted: 0,
    packsWritten: 0,
    bytesFreed: 0,
    packsDamaged: 0,
    revisionsUnread: [],
    revisionsIncomplete: [],
    packsMissing: [],
  })
}

for (const [kind, newStorage, killsDefault] of [
  ['a directory', newDirectory, 10],
  ['a bucket', newBucket, 5],
] as const) {
  const kills = Number(process.env.PALISADE_KILLS ?? killsDefault)
  test(`keeps every promise in ${kind} when its process is killed, ${kills} times in a row`, async (t) => {
    const { storage, unfinished } = await newStorage(t)
    const key = randomBytes(32)
    const backend = openStorage(storage)
    await (await createVault({ backend, key: { bytes: key }, chunkSizeBytes: crashChunkSizeBytes })).close()
    const revisions = new Set<string>()
    const lost = new Set<string>()
    for (let run = 0; run < kills; run++) {
      for (const line of await runAndKill(storage, key, run, 1 + randomInt(12))) {
        const [word, revision = ''] = line.split(' ')
        if (word === 'committed') revisions.add(revision)
        else revisions.delete(revision)
        if (word === 'deleted') lost.add(revision)
      }
      const vault = await openVault({ backend, key: { bytes: key } })
      const present = new Set((await vault.revisions(crashDomain)).map((head) => head.revision))
      for (const revision of revisions) assert.ok(present.has(revision), `revision ${revision} was lost`)
      for (const revision of lost) assert.ok(!present.has(revision), `revision ${revision} came back`)
      for (const revision of present) {
        assert.ok((await restore(vault, crashDomain, revision)).equals(crashVolume(revision)))
        revisions.add(revision)
      }
      assert.deepEqual(await vault.check({ readData: true }), [])
      // Every other time the next process finds what the former left.
      if (run % 2 === 1) await assertNothingLeaked(vault, storage, await unfinished())
      await vault.close()
    }
    const last = await openVault({ backend, key: { bytes: key } })
    for (const { revision } of await last.revisions(crashDomain))
      await last.deleteRevision(crashDomain, revision)
    await assertNothingLeaked(last, storage, await unfinished())
    assert.equal((await last.usage(crashDomain)).storedBytes, 0)
    await last.close()
    assert.ok(lost.size > 0)
  })
}
