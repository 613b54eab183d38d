import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createLog } from '@palisade/log'
import { wholeExtents } from '../chunks/extents.ts'
import { ChunkIdFile } from '../state/chunk-id-file.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { openVolume } from '../volumes/open-volume.ts'
import { Snapshots, unfrozen } from '../volumes/snapshots/snapshots.ts'
import { identifyFile } from './file-identity.ts'
import { KeptCopies } from './kept-copies.ts'
import { parseKeptRecord } from './kept-record.ts'
import { PatchedChunks } from './patched-chunks.ts'
import { TrackedBackup } from './tracked-backup.ts'
import { findUnchangedChunks } from './unchanged-chunks.ts'
import { UnchangedPieces } from './unchanged-pieces.ts'

const chunkSizeBytes = 4096
const sizeBytes = 16 * chunkSizeBytes
const making = {
  chunkSizeBytes,
  namingKey: Buffer.alloc(32, 1),
  firstChunk: 0,
  inUse: undefined,
  patchedChunksMax: 1,
}

function patchedAt(...positions: readonly number[]): PatchedChunks {
  const patched = new PatchedChunks()
  const entry = { base: Buffer.alloc(32, 1), patch: Buffer.alloc(32, 2), map: Buffer.alloc(16, 3) }
  for (const position of positions) patched.add({ position, ...entry })
  return patched
}

/** Keeps copies of an image, and says what lies in the folder of the records. */
async function setUp(t: TestContext) {
  const directory = temporaryDirectory(t)
  const [copiesFolder, records] = [join(directory, 'kept'), join(directory, 'snapshots')]
  for (const folder of [copiesFolder, records]) mkdirSync(folder)
  const image = join(directory, 'image.raw')
  writeFileSync(image, Buffer.alloc(sizeBytes, 1))
  const volume = await openVolume({ path: image })
  const log = createLog('silent')
  const copies = new KeptCopies(copiesFolder, log)
  const snapshots = new Snapshots(records, log)
  const membership = { serverUrl: 'https://localhost', account: 'acme', computer: '0001' }
  let backups = 0
  /** Begins a backup that reads some content. */
  const begin = async (content: Uint8Array, findUnchanged?: typeof findUnchangedChunks) => {
    backups++
    const path = join(directory, `copy-${backups}`)
    writeFileSync(path, content)
    const copy = { ...(await identifyFile(path)), path }
    const frozen = { ...unfrozen(volume), path }
    const settings = { fullReadEvery: 10 }
    const deps = { volume, frozen, openPath: path, copy, settings, membership, snapshots, copies, log }
    const backup = new TrackedBackup(deps, findUnchanged)
    return { backup, ids: await ChunkIdFile.create(join(directory, `ids-${backups}`), 16) }
  }
  const keep = async (patches: PatchedChunks, wasReadWhole: boolean) => {
    const { backup, ids } = await begin(Buffer.alloc(sizeBytes, 1))
    await backup.keep(backups, ids, patches, making, wasReadWhole)
    await ids.remove()
    return (await copies.find(volume.description.deviceId)) ?? assert.fail('the copy is kept')
  }
  const kinds = () =>
    readdirSync(copiesFolder)
      .map((name) => name.replace(/^[^.]*/, ''))
      .sort()
  return { kept: copiesFolder, copies, begin, keep, kinds, image }
}

test('the patched chunks of a revision are kept with it, and go with it', async (t) => {
  const { kept, copies, keep, kinds } = await setUp(t)
  const first = await keep(patchedAt(), true)
  assert.deepEqual(kinds(), ['.ids', '.in-use', '.json'], 'none is patched')
  assert.equal(first.patches, undefined)
  for (const positions of [[3, 1], [9]]) {
    const { patches } = await keep(patchedAt(...positions), false)
    assert.deepEqual(kinds(), ['.ids', '.in-use', '.json', '.patches'])
    const read = await PatchedChunks.readFrom(join(kept, patches?.name ?? ''))
    assert.deepEqual(
      [...read].map(({ position }) => position),
      positions.toSorted(),
    )
  }
  writeFileSync(join(kept, 'of-nobody.patches'), '')
  await copies.removeStrays()
  assert.deepEqual(kinds(), ['.ids', '.in-use', '.json', '.patches'])
  await keep(patchedAt(), true)
  assert.deepEqual(kinds(), ['.ids', '.in-use', '.json'])
  await copies.drop(await keep(patchedAt(2), false), 'the test wants it')
  assert.deepEqual(kinds(), [])
})

test('a record of an agent that knew no patches is read, and one whose patches are named wrongly is not', async (t) => {
  const { keep } = await setUp(t)
  const { patches, ...record } = await keep(patchedAt(1), true)
  assert.ok(patches)
  assert.deepEqual(parseKeptRecord(JSON.stringify(record)), record)
  assert.deepEqual(parseKeptRecord(JSON.stringify({ ...record, patches })), { ...record, patches })
  for (const wrong of [null, 'name', { name: 'a' }, { name: 'a', sha256: 1 }])
    assert.equal(parseKeptRecord(JSON.stringify({ ...record, patches: wrong })), undefined)
})

test('nothing is taken for unchanged when the patched chunks are not as they were left', async (t) => {
  const { kept, keep, image } = await setUp(t)
  const record = await keep(patchedAt(1, 2), true)
  const path = join(kept, record.patches?.name ?? '')
  const { binding } = record
  const geometry = { volumeSizeBytes: sizeBytes, chunkSizeBytes }
  const present = {
    binding,
    beforePath: record.copy.path,
    path: image,
    geometry,
    inUse: wholeExtents(sizeBytes),
  }
  const whole = readFileSync(path)
  const flipped = Buffer.from(whole)
  flipped[70] = 0xff
  for (const damaged of [flipped, whole.subarray(84), Buffer.alloc(0)]) {
    writeFileSync(path, damaged)
    const unchangedChunks = await findUnchangedChunks(record, present, kept)
    assert.deepEqual(unchangedChunks, { why: 'what is known of it is damaged' })
  }
})

/** A system that tells of no change. */
const unaware: typeof findUnchangedChunks = async (_record, { geometry }) => {
  const unchanged = new UnchangedPieces(geometry)
  await unchanged.addWithin(wholeExtents(geometry.volumeSizeBytes)())
  return unchanged
}

test('where the system has not told of a change that is come upon, everything is read, the backup fails, and changes are not tracked any more', async (t) => {
  const { copies, begin, keep, kinds } = await setUp(t)
  await keep(patchedAt(), true)
  const lacksNothing = async (_ids: Buffer, count: number) => new Uint8Array(Math.ceil(count / 8))
  const content = Buffer.alloc(sizeBytes, 1)
  const same = await begin(content, unaware)
  t.after(() => same.ids.remove())
  const rightly =
    (await same.backup.findReusable(making, lacksNothing)) ?? assert.fail('the copy is gone on from')
  await rightly.chunks.close()
  assert.deepEqual([rightly.isToBeChecked, rightly.chunks.count], [false, 16])

  const changed = 5
  content[changed * chunkSizeBytes] = 2
  const { backup, ids } = await begin(content, unaware)
  t.after(() => ids.remove())
  // Of the 16 chunks 8 are looked at.
  const recallUntilFound = async () => {
    for (let attempt = 0; attempt < 200; attempt++) {
      const reusable = await backup.findReusable(making, lacksNothing)
      if (reusable?.isToBeChecked === true) return reusable
      await reusable?.chunks.close()
    }
    return assert.fail('nothing was found')
  }
  const reused = await recallUntilFound()
  t.after(() => reused.chunks.close())
  assert.deepEqual(kinds(), ['.json'], 'also when nothing comes of this backup')
  const place = changed * chunkSizeBytes
  assert.match((await copies.refusal()) ?? '', new RegExp(`at byte ${place} of .* was changed`))
  await assert.rejects(backup.check(reused, ids, making, 3), {
    code: 'VerificationFailed',
    message: new RegExp(`revision 3 of .* differs in 1 chunks .*first at byte ${place}\\.`),
  })
})
