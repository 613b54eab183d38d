import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChunkList, createVault, MemoryBackend, RevisionChunks } from '@palisade/vault'
import { someVolume } from '../testing/fake-agent.ts'
import { Commits } from './commits.ts'

const computer = { accountId: 'acme', computerId: '0001' }
const body = {
  metadata: {
    volume: { ...someVolume, capacityBytes: 8192 },
    chunkSizeBytes: 4096,
    chunkCount: 2,
    createdAtMs: 1,
  },
  chunks: RevisionChunks.of(ChunkList.ofZeros(2)),
}

/** A store that fails as often as told when a row is written. */
function failingRevisions(failures: number): ConstructorParameters<typeof Commits>[0]['revisions'] {
  let [last, left] = [0, failures]
  const rows = new Map<string, number>()
  return {
    nextId: async () => ++last,
    idOfBackup: async (_computer, backupId) => rows.get(backupId),
    originOf: async () => undefined,
    enter: async (_computer, backupId, id) => {
      if (left-- > 0) throw new Error('the database is away')
      rows.set(backupId, id)
    },
  }
}

async function withVault(work: (vault: Awaited<ReturnType<typeof createVault>>) => Promise<void>) {
  const vault = await createVault({
    backend: new MemoryBackend(),
    key: { bytes: Buffer.alloc(32, 1) },
    chunkSizeBytes: 4096,
  })
  await work(vault)
  await vault.close()
}

test('a row that could not be written is written when the agent asks again, for the same revision', async () => {
  await withVault(async (vault) => {
    const commits = new Commits({ vault, revisions: failingRevisions(2) })
    const session = await vault.beginBackup('acme/0001')
    for (let attempt = 0; attempt < 2; attempt++) {
      await assert.rejects(commits.commit(computer, 'b', session, body), /the database is away/)
    }
    assert.equal(await commits.commit(computer, 'b', session, body), 1)
    assert.equal(await commits.commit(computer, 'b', session, body), 1)
    assert.equal((await vault.revisions('acme/0001')).length, 1)
  })
})

test('two commits of one backup at the same moment are one', async () => {
  await withVault(async (vault) => {
    const commits = new Commits({ vault, revisions: failingRevisions(0) })
    const session = await vault.beginBackup('acme/0001')
    const both = [1, 2].map(() => commits.commit(computer, 'b', session, body))
    assert.deepEqual(await Promise.all(both), [1, 1])
  })
})

test('an id that the vault has already is passed over', async () => {
  await withVault(async (vault) => {
    const commits = new Commits({ vault, revisions: failingRevisions(0) })
    await commits.commit(computer, 'one', await vault.beginBackup('acme/0001'), body)
    const behind = new Commits({ vault, revisions: failingRevisions(0) })
    assert.equal(await behind.commit(computer, 'two', await vault.beginBackup('acme/0001'), body), 2)
  })
})
