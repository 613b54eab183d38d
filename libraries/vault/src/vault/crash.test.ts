import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { type Fate, FaultyBackend } from '../testing/faulty-backend.ts'
import { noise } from '../testing/noise.ts'
import { backUpPatched, changeForPatches } from '../testing/patched-volume.ts'
import { backUp, exampleVolume, restore } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096
const options = { key, chunkSizeBytes, packSizeBytes: 9000 }

/** What the vault has promised so far. */
interface Promises {
  /** Committed, and not yet asked to be deleted. */
  readonly kept: Set<string>
  /** Deleted for certain. */
  readonly gone: Set<string>
}

/** Revisions of which a part is patched. */
const patched = new Set(['2', '3', '5'])

function volumeOf(revision: string): Buffer {
  return patched.has(revision) ? changeOf(revision).volume : wholeVolumeOf(revision)
}

function changeOf(revision: string) {
  return changeForPatches(wholeVolumeOf(revision), chunkSizeBytes, revision)
}

function wholeVolumeOf(revision: string): Buffer {
  const shared = exampleVolume('shared', chunkSizeBytes, 24)
  exampleVolume(revision, chunkSizeBytes, 12).copy(shared, Number(revision) * chunkSizeBytes)
  return shared
}

/** Backs up, deletes, collects and repairs, noting what was promised. */
async function liveThrough(backend: FaultyBackend, promises: Promises): Promise<void> {
  const vault = await createVault({ backend, ...options })
  const keep = async (revision: string) => {
    if (patched.has(revision)) await backUpPatched(vault, domain, revision, changeOf(revision))
    else await backUp(vault, domain, revision, volumeOf(revision))
    promises.kept.add(revision)
  }
  const remove = async (revision: string) => {
    promises.kept.delete(revision)
    await vault.deleteRevision(domain, revision)
    promises.gone.add(revision)
  }
  for (const revision of ['1', '2', '3', '4']) await keep(revision)
  await remove('1')
  await remove('3')
  await vault.collect({ liveFractionMin: 0.9 })
  await keep('5')
  await remove('4')
  await vault.collect({ liveFractionMin: 0.9 })
  await vault.repair()
  await vault.close()
}

async function assertPromisesKept(memory: MemoryBackend, promises: Promises): Promise<void> {
  if (!(await memory.sizeBytes('vault.json'))) return assert.equal(promises.kept.size, 0)
  const vault = await openVault({ backend: memory, key, packSizeBytes: options.packSizeBytes })
  const heads = await vault.revisions(domain)
  const present = new Set(heads.map((head) => head.revision))
  for (const revision of promises.kept) assert.ok(present.has(revision), `revision ${revision} was lost`)
  for (const revision of promises.gone) assert.ok(!present.has(revision), `revision ${revision} came back`)
  for (const revision of present) {
    assert.ok(
      (await restore(vault, domain, revision)).equals(volumeOf(revision)),
      `revision ${revision} is wrong`,
    )
  }
  assert.deepEqual(await vault.check({ readData: true }), [])
  // Life goes on: what is left over is cleaned up and the next backup works.
  await vault.collect({ liveFractionMin: 0.9 })
  await backUp(vault, domain, '9', volumeOf('9'))
  assert.deepEqual(await vault.check({ readData: true }), [])
  await vault.close()
}

for (const lastFate of ['refused', 'done-but-refused'] as const) {
  test(`keeps its promises when the process ends at any change of the storage (${lastFate})`, async () => {
    let changes = 0
    for (let survived = 0; ; survived++) {
      const memory = new MemoryBackend()
      const promises = { kept: new Set<string>(), gone: new Set<string>() }
      changes = 0
      const decide = (): Fate => {
        changes++
        if (changes <= survived) return 'done'
        return changes === survived + 1 ? lastFate : 'refused'
      }
      const crashed = await liveThrough(new FaultyBackend(memory, decide), promises).then(
        () => false,
        () => true,
      )
      await assertPromisesKept(memory.afterCrash(), promises)
      if (!crashed && changes <= survived) break
    }
    assert.ok(changes > 50)
  })
}
