/** Patches that a server does not take: it is of an earlier version, or what the agent has kept of its patches is wrong. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { patchedOf } from '../testing/revisions/stored-revision.ts'
import {
  chunkCount,
  chunkSizeBytes,
  type TrackedImage,
  withTrackedImage,
} from '../testing/volumes/tracked-image.ts'

/** Changes some bytes of a chunk and backs up. @returns the positions of the patched chunks */
async function backUpChanged(bench: TrackedImage, chunk: number): Promise<readonly number[]> {
  bench.write(chunk * chunkSizeBytes + 4096, randomBytes(100))
  const { revisions } = bench.agent.server
  const revision = revisions.get(await bench.backUp()) ?? assert.fail('it was committed')
  return patchedOf(revision).map(({ position }) => position)
}

/** Refuses the commits that a test chooses. @returns how many came, whatever became of them */
function refuseCommits({ agent: { server } }: TrackedImage, isRefused: (number: number) => boolean) {
  const commits = { count: 0 }
  server.interfere = (request, response) => {
    if (!request.url?.endsWith('/commit') || !isRefused(++commits.count)) return false
    request.resume().once('end', () => {
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"errors":["There are more ids than chunks."]}')
    })
    return true
  }
  return commits
}

test('a server that refuses what is said of patches gets a backup of which everything was read', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    await bench.backUp()
    const commits = refuseCommits(bench, (number) => number === 1)
    assert.deepEqual(await backUpChanged(bench, 30), [])
    assert.equal(commits.count, 2)
    assert.ok(bench.said('the server takes no patches').length > 0)
    assert.deepEqual(await backUpChanged(bench, 31), [31], 'its copy is gone on from')
  })
})

test('a server that says nothing of patches gets none, also when one of before took them', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    const { server } = bench.agent
    server.patchedChunksMax = undefined
    await bench.backUp()
    assert.deepEqual(await backUpChanged(bench, 30), [])
    assert.ok(bench.unread > chunkCount - 8, 'and only what was changed is read for it')
    server.patchedChunksMax = 1
    assert.deepEqual(await backUpChanged(bench, 31), [31])
    server.patchedChunksMax = 0
    const commits = refuseCommits(bench, () => false)
    assert.deepEqual(await backUpChanged(bench, 32), [])
    assert.equal(commits.count, 1)
    assert.ok(bench.said('the server takes 0 patched chunks, and there are 1').length > 0)
  })
})

test('a commit without patches that the server finds wrong ends the backup', async (t) => {
  await withTrackedImage(t, 'xfs', async (bench) => {
    const commits = refuseCommits(bench, () => true)
    await assert.rejects(bench.backUp(), /the server refused: the server answered 400/)
    assert.equal(commits.count, 1)
  })
})

/** What of the only entry of a kept file is made wrong. */
const wrongs: Record<string, (entry: Buffer) => void> = {
  'a base of zeros': (entry) => entry.fill(0, 4, 36),
  'a patch of zeros': (entry) => entry.fill(0, 36, 68),
  'a base that is not stored': (entry) => entry.fill(1, 4, 36),
  'the position of a chunk of zeros': (entry) => entry.writeUInt32LE(70, 0),
  'the position of the last chunk, which is a short one': (entry) => entry.writeUInt32LE(chunkCount - 1, 0),
  'a position behind the volume': (entry) => entry.writeUInt32LE(0xffff_ffff, 0),
}

for (const [what, spoil] of Object.entries(wrongs)) {
  test(`the next revision is right when somebody has put ${what} among the kept patches`, async (t) => {
    await withTrackedImage(t, 'xfs', async (bench) => {
      await bench.backUp()
      assert.deepEqual(await backUpChanged(bench, 30), [30])
      await bench.stopAgent()
      const recordPath = bench.records.find((path) => path.endsWith('.json')) ?? assert.fail()
      const record = JSON.parse(readFileSync(recordPath, 'utf8'))
      const path = join(recordPath, '..', record.patches.name)
      const entry = readFileSync(path)
      spoil(entry)
      writeFileSync(path, entry)
      record.patches.sha256 = createHash('sha256').update(entry).digest('hex')
      writeFileSync(recordPath, JSON.stringify(record))
      await bench.agent.start()
      await backUpChanged(bench, 31)
      assert.ok(bench.said('reading only what has changed since the kept copy').length > 0)
    })
  })
}
