/** The judge of what was changed is the kernel's XFS, or btrfs; that of revisions the image. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { countPieces, deriveEndToEndKeys, isVaultFailure, openChunk, patchMapBytes } from '@palisade/vault'
import { volumeIn } from '../testing/revisions/restored-disk.ts'
import {
  chunksOf,
  type PatchedIds,
  patchedOf,
  type StoredRevision,
} from '../testing/revisions/stored-revision.ts'
import { type SharingFileSystem, sharingFileSystems } from '../testing/volumes/sharing-file-system.ts'
import {
  chunkCount,
  chunkSizeBytes,
  type TrackedImage,
  withTrackedImage,
} from '../testing/volumes/tracked-image.ts'

const pieceSizeBytes = chunkSizeBytes / 128
/** What the file systems say of changes is in whole blocks. */
const blockSizeBytes = 4096
/** A change of a few bytes, as a patch: a block, the map and the seal. */
const smallPatchMaxBytes = blockSizeBytes + patchMapBytes + 64

function revisionOf({ agent }: TrackedImage, revision: number): StoredRevision {
  return agent.server.revisions.get(revision) ?? assert.fail(`there is no revision ${revision}`)
}

/** Backs up. @returns the patched chunks of the revision, and what was sent for it */
async function backedUp(bench: TrackedImage) {
  const before = bench.agent.server.uploadedBytes
  const revision = await bench.backUp()
  const patched = patchedOf(revisionOf(bench, revision))
  return { revision, patched, sentBytes: bench.agent.server.uploadedBytes - before }
}

const positionsOf = (patched: readonly PatchedIds[]) => patched.map(({ position }) => position)

/** Writes some bytes into a block of a chunk. */
function change(bench: TrackedImage, chunk: number, block: number, bytes = randomBytes(100)): void {
  bench.write(chunk * chunkSizeBytes + block * blockSizeBytes + 77, bytes)
}

function nameAt(bench: TrackedImage, revision: number, position: number): Buffer {
  return chunksOf(revisionOf(bench, revision)).nameOf(position)
}

/** How many pieces a patch has, by what is stored. */
function piecesOf({ agent: { server } }: TrackedImage, { patch }: PatchedIds): number {
  const sealed = server.chunks.get(patch.toString('hex')) ?? assert.fail('a patch is not stored')
  const opened = openChunk(patch, sealed, server.keys, { sizeMaxBytes: chunkSizeBytes })
  const pieces = countPieces(opened.subarray(0, patchMapBytes))
  assert.equal(opened.length, patchMapBytes + pieces * pieceSizeBytes)
  return pieces
}

for (const kind of Object.keys(sharingFileSystems) as SharingFileSystem[]) {
  test(`of small changes all over an image on ${kind} only patches are sent`, async (t) => {
    await withTrackedImage(t, kind, async (bench) => {
      const { revision: first } = await backedUp(bench)
      const chunks = [0, 3, 17, 31, 47, 80, 100, 127, 260, 303]
      for (const [turn, chunk] of chunks.entries()) change(bench, chunk, turn)
      const { revision, patched, sentBytes } = await backedUp(bench)
      assert.deepEqual(positionsOf(patched), chunks)
      assert.ok(sentBytes <= chunks.length * smallPatchMaxBytes, `${sentBytes} bytes were sent`)
      assert.ok(sentBytes > chunks.length * pieceSizeBytes)
      for (const { position, base } of patched) {
        assert.deepEqual(base, nameAt(bench, first, position), 'over what was there before')
        const name = nameAt(bench, revision, position).toString('hex')
        assert.ok(!bench.agent.server.chunks.has(name), 'nothing is stored under its name')
      }
      const again = await backedUp(bench)
      assert.deepEqual([again.patched, again.sentBytes], [patched, 0], 'what nobody touched stays patched')
    })
  })
}

test('a chunk that is changed again is patched over the same base with all that was changed since, and others stay as they are', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    const { revision: first } = await backedUp(bench)
    change(bench, 9, 0)
    change(bench, 20, 0)
    const { patched: before } = await backedUp(bench)
    const pieces: number[] = []
    for (const block of [5, 2, 5, 15]) {
      change(bench, 20, block)
      const { patched, sentBytes } = await backedUp(bench)
      const [still, again = assert.fail()] = patched
      assert.deepEqual(still, before[0])
      assert.deepEqual([patched.length, again.position], [2, 20])
      assert.deepEqual(again.base, nameAt(bench, first, 20))
      pieces.push(piecesOf(bench, again))
      assert.ok(sentBytes < chunkSizeBytes / 2)
    }
    assert.deepEqual(pieces, [16, 24, 24, 32])
  })
})

test('a chunk is sent whole when more than half of it was changed, at once or over time, and is a base from then on', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    await backedUp(bench)
    const half = chunkSizeBytes / 2
    bench.write(4 * chunkSizeBytes, randomBytes(half))
    bench.write(6 * chunkSizeBytes, randomBytes(half + 1))
    const { revision, patched } = await backedUp(bench)
    assert.deepEqual(positionsOf(patched), [4])
    change(bench, 4, 15)
    change(bench, 6, 15)
    const next = await backedUp(bench)
    assert.deepEqual(positionsOf(next.patched), [6])
    assert.deepEqual(next.patched[0]?.base, nameAt(bench, revision, 6))
    assert.ok(next.sentBytes > chunkSizeBytes, 'the other one is whole')
    change(bench, 4, 15)
    const last = await backedUp(bench)
    assert.deepEqual(last.patched[0]?.base, nameAt(bench, next.revision, 4))
  })
})

test('neither the last chunk, which is a short one, is patched, nor one that was zeros', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    const [empty, last] = [70, chunkCount - 1]
    const { revision: first } = await backedUp(bench)
    assert.ok(chunksOf(revisionOf(bench, first)).stored.isZero(empty))
    const fill = async () => {
      change(bench, last, 0)
      change(bench, empty, 3)
      return backedUp(bench)
    }
    const filled = await fill()
    assert.deepEqual(filled.patched, [])
    const again = await fill()
    assert.deepEqual(positionsOf(again.patched), [empty], 'now that it has content, it is')
    bench.write(empty * chunkSizeBytes, Buffer.alloc(chunkSizeBytes))
    const zeros = await backedUp(bench)
    assert.deepEqual([zeros.patched, zeros.sentBytes], [[], 0])
    assert.ok(chunksOf(revisionOf(bench, zeros.revision)).stored.isZero(empty))
  })
})

test('a chunk of few bytes that become zeros is zeros', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    await backedUp(bench)
    change(bench, 70, 3)
    await backedUp(bench)
    change(bench, 70, 3, Buffer.alloc(100))
    const { revision, patched, sentBytes } = await backedUp(bench)
    assert.deepEqual([patched, sentBytes], [[], 0])
    assert.ok(chunksOf(revisionOf(bench, revision)).stored.isZero(70))
  })
})

test('what is put back to what is stored as a whole is not patched, and nothing is sent', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    const original = readFileSync(bench.image)
    const { revision: first } = await backedUp(bench)
    change(bench, 12, 3)
    change(bench, 13, 3)
    assert.deepEqual(positionsOf((await backedUp(bench)).patched), [12, 13])
    bench.write(12 * chunkSizeBytes, original.subarray(12 * chunkSizeBytes, 13 * chunkSizeBytes))
    const { revision, patched, sentBytes } = await backedUp(bench)
    assert.deepEqual([positionsOf(patched), sentBytes], [[13], 0])
    assert.deepEqual(nameAt(bench, revision, 12), nameAt(bench, first, 12))
  })
})

test('chunks that become alike by the same change have one patch', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    const alike = randomBytes(chunkSizeBytes)
    for (const chunk of [24, 25]) bench.write(chunk * chunkSizeBytes, alike)
    await backedUp(bench)
    const bytes = randomBytes(100)
    for (const chunk of [24, 25]) change(bench, chunk, 1, bytes)
    const { patched } = await backedUp(bench)
    const [one = assert.fail(), other] = patched
    assert.deepEqual(other, { ...one, position: 25 })
  })
})

for (const lost of ['base', 'patch'] as const) {
  test(`a patched chunk whose ${lost} the server has lost is read again, and nothing refers to what is lost`, async (t) => {
    await withTrackedImage(t, 'xfs', async (bench) => {
      await backedUp(bench)
      for (const chunk of [2, 14, 18]) change(bench, chunk, 1)
      const { patched: before } = await backedUp(bench)
      const [, untouched = assert.fail(), touched = assert.fail()] = before
      for (const patch of [untouched, touched]) bench.agent.server.chunks.delete(patch[lost].toString('hex'))
      change(bench, touched.position, 2)
      const { patched, sentBytes } = await backedUp(bench)
      // Where only the patch is lost, another one is made of what the base lacks.
      assert.deepEqual(positionsOf(patched), lost === 'base' ? [2] : [2, 18])
      assert.deepEqual(patched[0], before[0])
      assert.ok(sentBytes > chunkSizeBytes)
      assert.equal(bench.unread, chunkCount - 2)
      assert.deepEqual((await backedUp(bench)).patched, patched)
    })
  })
}

test('patches of which nobody said that they had arrived are asked for again, and stay patches', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    const { server } = bench.agent
    await backedUp(bench)
    for (const chunk of [1, 40, 150, 290]) change(bench, chunk, 1)
    const lost = new Map<string, number>()
    server.interfere = (request, response) => {
      const [what = ''] = /(missing|chunks|commit)$/.exec(request.url ?? '') ?? []
      const turn = lost.get(what) ?? 0
      if (what === '' || turn === 3) return false
      lost.set(what, turn + 1)
      if (turn < 2) response.end = () => response.destroy()
      else request.socket.destroy()
      return turn === 2
    }
    assert.deepEqual(positionsOf((await backedUp(bench)).patched), [1, 40, 150, 290])
    assert.deepEqual(
      Object.fromEntries(lost),
      { missing: 3, chunks: 1, commit: 3 },
      'what arrived is not sent again',
    )
  })
})

test('a base that is lost after the server was asked for it is sent in the backup that begins anew', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    const { server } = bench.agent
    const { revision: first } = await backedUp(bench)
    change(bench, 30, 1)
    let refusals = 0
    server.interfere = (request, response) => {
      if (!request.url?.endsWith('/commit') || refusals++ > 0) return false
      server.chunks.delete(nameAt(bench, first, 30).toString('hex'))
      response
        .writeHead(409, { 'content-type': 'application/json' })
        .end('{"errors":["a chunk is missing."]}')
      return true
    }
    const { patched, sentBytes } = await backedUp(bench)
    assert.deepEqual([patched, refusals], [[], 2])
    assert.ok(sentBytes > chunkSizeBytes)
  })
})

test('a backup that reads everything has no patches, and finds that the patched chunks before were right', async (t) => {
  await withTrackedImage(
    t,
    'xfs',
    async (bench) => {
      const counts: number[] = []
      for (let backup = 0; backup < 11; backup++) {
        const { patched } = await backedUp(bench)
        counts.push(patched.length)
        for (const chunk of [backup, 16, 17]) change(bench, chunk, 0)
      }
      assert.deepEqual(counts, [0, 3, 4, 5, 6, 7, 8, 9, 10, 0, 3])
      assert.equal(bench.said('"isToBeChecked":true').length, 1)
    },
    { backup: { tracking: { fullReadEvery: 9 } } },
  )
})

test('patches are made after the agent was started anew', async (t) => {
  await withTrackedImage(t, 'btrfs', async (bench) => {
    await backedUp(bench)
    change(bench, 3, 1)
    const { patched: before } = await backedUp(bench)
    await bench.stopAgent()
    await bench.agent.start()
    change(bench, 5, 1)
    const { patched } = await backedUp(bench)
    assert.deepEqual(positionsOf(patched), [3, 5])
    assert.deepEqual(patched[0], before[0])
  })
})

test('a tracked image comes back from patches, in both formats', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    const { server, target } = bench.agent
    await backedUp(bench)
    for (const chunk of [0, 7, 150, 300]) change(bench, chunk, chunk % 16)
    const { revision, patched } = await backedUp(bench)
    assert.equal(patched.length, 4)
    for (const format of ['Vhdx', 'Vhd'] as const) {
      const outcome = await server.restore(`r-${format}`, target, format, [revision])
      assert.ok(outcome.state === 'SUCCESS', JSON.stringify(outcome))
      assert.ok((await volumeIn(outcome.files?.[0] ?? '')).equals(readFileSync(bench.image)))
    }
  })
})

test('patches are sealed with the key of the computer like everything else, and come back with it', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    const { agent } = bench
    const keyFile = join(agent.directory, 'own.key')
    await agent.stop()
    await agent.start({ endToEndKeyFile: keyFile })
    bench.keys = deriveEndToEndKeys(readFileSync(keyFile), 'acme/0001').chunks
    await backedUp(bench)
    change(bench, 8, 2)
    const { revision, patched } = await backedUp(bench)
    const [{ base, patch } = assert.fail()] = patched
    for (const id of [base, patch]) {
      const sealed = agent.server.chunks.get(id.toString('hex')) ?? assert.fail()
      assert.throws(
        () => openChunk(id, sealed, agent.server.keys, { sizeMaxBytes: chunkSizeBytes }),
        (error) => isVaultFailure(error, 'damaged'),
      )
    }
    const outcome = await agent.server.restore('r1', agent.target, 'Vhdx', [revision])
    assert.ok(outcome.state === 'SUCCESS', JSON.stringify(outcome))
    assert.ok((await volumeIn(outcome.files?.[0] ?? '')).equals(readFileSync(bench.image)))
  })
})
