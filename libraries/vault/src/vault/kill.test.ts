import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isVaultFailure } from '../failure.ts'
import { DirectoryBackend } from '../storage/directory-backend.ts'
import { crashChunkSizeBytes, crashDomain, crashVolume } from '../testing/crash-volume.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { restore } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'

const program = fileURLToPath(new URL('../testing/backup-forever.ts', import.meta.url))

/** Runs the program until it has said so many lines, waits a random moment, kills it, and gives what it had said. */
async function runAndKill(folder: string, key: Buffer, run: number, lines: number): Promise<string[]> {
  const child = spawn(
    process.execPath,
    ['--conditions=source', program, folder, key.toString('hex'), `${run}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const said: string[] = []
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line)
    if (said.length === 1) {
      const second = new DirectoryBackend(folder).lock()
      await assert.rejects(second, (error) => isVaultFailure(error, 'locked'))
    }
    // The moment of the kill shall fall anywhere between two lines, not right behind one.
    if (said.length === lines) await delay(randomInt(12)).then(() => child.kill('SIGKILL'))
  }
  const [, signal] = await ended
  assert.equal(signal, 'SIGKILL')
  return said
}

test('keeps every promise when its process is killed, twenty times in a row', async (t) => {
  const folder = await temporaryFolder(t)
  const key = randomBytes(32)
  const backend = new DirectoryBackend(folder)
  await (await createVault({ backend, key: { bytes: key }, chunkSizeBytes: crashChunkSizeBytes })).close()
  const kept = new Set<string>()
  const gone = new Set<string>()
  for (let run = 0; run < 20; run++) {
    for (const line of await runAndKill(folder, key, run, 1 + randomInt(12))) {
      const [word, revision = ''] = line.split(' ')
      if (word === 'committed') kept.add(revision)
      else kept.delete(revision)
      if (word === 'deleted') gone.add(revision)
    }
    const vault = await openVault({ backend, key: { bytes: key } })
    const present = new Set((await vault.revisions(crashDomain)).map((head) => head.revision))
    for (const revision of kept) assert.ok(present.has(revision), `revision ${revision} was lost`)
    for (const revision of gone) assert.ok(!present.has(revision), `revision ${revision} came back`)
    for (const revision of present) {
      assert.ok((await restore(vault, crashDomain, revision)).equals(crashVolume(revision)))
      kept.add(revision)
    }
    assert.deepEqual(await vault.check({ readData: true }), [])
    await vault.close()
  }
  assert.ok(gone.size > 0)
})
