/** A vault in a storage that fails, is slow or away, and that says of what it has that it is missing. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { isVaultFailure } from '../failure.ts'
import { S3Backend } from '../storage/s3/s3-backend.ts'
import { noise } from '../testing/noise.ts'
import { type Disturbance, type S3Relay, startS3Relay } from '../testing/s3-relay.ts'
import { type S3TestServer, startS3Server } from '../testing/s3-server.ts'
import { backUp, exampleVolume, restore } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'
import type { Vault } from './vault.ts'

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096
const packSizeBytes = 40_000
const volumes = new Map(
  ['1', '2', '3'].map((revision) => [revision, exampleVolume(revision, chunkSizeBytes, 40)] as const),
)

let server: S3TestServer
let relay: S3Relay
let prefixes = 0
let prefix = ''
let vault: Vault

before(async () => {
  server = await startS3Server()
  relay = await startS3Relay(Number(new URL(server.options.endpoint ?? '').port))
})

after(async () => {
  await relay.close()
  await server.close()
})

function backend(): S3Backend {
  return new S3Backend({ ...server.options, prefix, endpoint: `http://127.0.0.1:${relay.port}` })
}

async function reopen(): Promise<void> {
  await vault.close()
  vault = await openVault({ backend: backend(), key, packSizeBytes })
}

async function takeBackup(revision: string): Promise<void> {
  await backUp(vault, domain, revision, volumes.get(revision) ?? Buffer.alloc(0))
}

async function assertRestores(revisions: Iterable<string>): Promise<void> {
  for (const revision of revisions) {
    const restored = await restore(vault, domain, revision)
    assert.ok(restored.equals(volumes.get(revision) ?? Buffer.alloc(0)), `revision ${revision}`)
  }
}

/** What a check and a repair make of it, as the backup service has them follow on each other, until nothing is found any more. */
async function healed(): Promise<void> {
  if ((await vault.check({ readData: true })).length > 0) await vault.repair({ readData: true })
  assert.deepEqual(await vault.check({ readData: true }), [])
}

/** Does something while the storage lies, and what a server would do about what it then finds; afterwards everything is there. */
async function survives(lie: Disturbance, work: () => Promise<unknown>): Promise<void> {
  await takeBackup('1')
  await takeBackup('2')
  relay.disturb(lie)
  await work()
  relay.disturb({})
  await healed()
  await assertRestores(['1', '2'])
  await vault.collect()
  await assertRestores(['1', '2'])
  await reopen()
  assert.deepEqual(await vault.check({ readData: true }), [])
  await assertRestores(['1', '2'])
}

describe('a vault in a storage that errs', () => {
  beforeEach(async (t) => {
    prefix = `test-${prefixes++}/`
    relay.disturb({})
    vault = await createVault({ backend: backend(), key, chunkSizeBytes, packSizeBytes })
    if (!('after' in t)) return
    t.after(async () => {
      relay.disturb({})
      await vault.close()
    })
  })

  test('keeps and gives back every byte when it answers after 50 ms and fails one request in ten', async () => {
    relay.disturb({ delayMs: 50, failEvery: 10 })
    await takeBackup('1')
    await assertRestores(['1'])
    await reopen()
    await assertRestores(['1'])
    assert.deepEqual(await vault.check(), [])
    assert.ok(relay.failures > 0)
  })

  test('keeps and gives back every byte when it answers after half a second', async () => {
    const small = (volumes.get('1') ?? Buffer.alloc(0)).subarray(0, chunkSizeBytes * 8)
    relay.disturb({ delayMs: 500 })
    await backUp(vault, domain, 'small', small)
    assert.ok((await restore(vault, domain, 'small')).equals(small))
    relay.disturb({})
  })

  test('fails a backup while it is away, keeps nothing half, and goes on when it is there again', async () => {
    await takeBackup('1')
    relay.disturb({ away: 'refusing' })
    await assert.rejects(takeBackup('2'), (error) => isVaultFailure(error, 'storage'))
    await assert.rejects(restore(vault, domain, '1'), (error) => isVaultFailure(error, 'storage'))
    relay.disturb({})
    assert.deepEqual([...(await vault.revisionIds(domain))], ['1'])
    await assertRestores(['1'])
    await takeBackup('2')
    await assertRestores(['1', '2'])
    assert.deepEqual(await vault.check({ readData: true }), [])
  })

  for (const [names, from] of [
    ['/packs/', 'reading'],
    ['/packs/', 'listing'],
    ['/packs/', 'both'],
    ['/revisions/1$', 'reading'],
    ['/revisions/1$', 'listing'],
    ['/revisions/', 'both'],
    ['/index/', 'both'],
    ['/domain$', 'reading'],
    ['/vault[.]', 'both'],
    ['', 'both'],
  ] as const) {
    test(`loses nothing when ${names || 'everything'} is missing in ${from} during a collection, a check and a repair`, () =>
      survives({ hidden: { names, from } }, async () => {
        for (const work of [
          () => vault.collect(),
          () => vault.check({ readData: true }),
          () => vault.repair({ readData: true }),
          () => vault.collect(),
        ]) {
          await work().catch((error: unknown) => assert.ok(isVaultFailure(error, 'storage'), String(error)))
        }
      }))
  }

  for (const from of ['reading', 'listing', 'both'] as const) {
    test(`loses nothing when packs are missing in ${from} while the vault is opened and used`, () =>
      survives({ hidden: { names: '/packs/|/index/', from } }, async () => {
        await reopen()
        await takeBackup('3')
        await vault.collect()
        await vault.repair({ readData: true })
        await vault.collect()
      }))
  }

  test('frees nothing while a revision is left out that the caller or this process knows of', async () => {
    await takeBackup('1')
    await reopen()
    relay.disturb({ hidden: { names: '/revisions/', from: 'both' } })
    const report = await vault.collect({ expectedRevisions: async () => ['1'] })
    assert.deepEqual(report.revisionsUnread, [{ domain, revision: '1' }])
    assert.equal(report.packsDeleted, 0)
    relay.disturb({})
    assert.deepEqual((await vault.collect()).revisionsUnread, [])
    relay.disturb({ hidden: { names: '/revisions/', from: 'both' } })
    assert.deepEqual((await vault.collect()).revisionsUnread, [{ domain, revision: '1' }])
    relay.disturb({})
    await assertRestores(['1'])
    await vault.deleteRevision(domain, '1')
    assert.ok((await vault.collect()).packsDeleted > 0)
  })

  test('deletes a revision though it is said to be missing', async () => {
    await takeBackup('1')
    relay.disturb({ hidden: { names: '/revisions/', from: 'both' } })
    await assert.rejects(vault.deleteRevision(domain, '1'), (error) =>
      isVaultFailure(error, 'revision-missing'),
    )
    relay.disturb({})
    assert.equal((await vault.revisionIds(domain)).size, 0)
  })

  test('finds a pack that was acknowledged and not stored, says whose it is, and takes its chunks again', async () => {
    await takeBackup('1')
    relay.disturb({ unstored: '/packs/' })
    await takeBackup('2')
    relay.disturb({})
    const findings = await vault.check()
    assert.ok(findings.some(({ code, revisions }) => code === 'pack-missing' && revisions.includes('2')))
    assert.ok(findings.every(({ revisions }) => !revisions.includes('1')))
    const collected = await vault.collect()
    assert.ok(collected.packsMissing.length > 0)
    assert.equal(collected.packsDeleted, 0)
    const { revisions } = await vault.repair()
    assert.deepEqual(
      revisions.map(({ revision }) => revision),
      ['2'],
    )
    await backUp(vault, domain, '3', volumes.get('2') ?? Buffer.alloc(0))
    assert.deepEqual(await vault.check({ readData: true }), [])
    await assertRestores(['1', '2'])
  })

  test('keeps what it copies until the copy was read back', async () => {
    const shared = exampleVolume('1', chunkSizeBytes, 40)
    await takeBackup('1')
    await backUp(vault, domain, 'part', shared.subarray(0, chunkSizeBytes * 2))
    await vault.deleteRevision(domain, '1')
    relay.disturb({ unstored: '/packs/' })
    await assert.rejects(vault.collect({ liveFractionMin: 0.9 }), /acknowledged .* does not give it back/)
    relay.disturb({})
    const part = await restore(vault, domain, 'part')
    assert.ok(part.equals(shared.subarray(0, chunkSizeBytes * 2)))
    assert.ok((await vault.collect({ liveFractionMin: 0.9 })).packsWritten > 0)
    assert.deepEqual(await vault.check({ readData: true }), [])
  })

  test('makes no vault whose keys were acknowledged and not stored', async () => {
    prefix = `test-${prefixes++}/`
    relay.disturb({ unstored: '/vault[.]' })
    await assert.rejects(createVault({ backend: backend(), key }), /acknowledged vault\.json/)
  })
})
