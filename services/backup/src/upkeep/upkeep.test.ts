import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { DirectoryBackend, VaultFailure } from '@palisade/vault'
import type { TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { someVolume } from '../testing/fake-agent.ts'
import { ManualSets } from '../testing/manual-sets.ts'
import { Timers } from '../timers.ts'

const dayMs = 86_400_000

onEveryStore('upkeep', (newStore) => {
  let service: TestService
  let sets: ManualSets
  before(async () => {
    sets = await ManualSets.start(await newStore())
    service = sets.service
  })
  after(() => service.close())

  const revisionsOf = async (deviceId: string): Promise<number[]> => {
    const path = `/restore/diskimage/standard/browse/revisions?deviceId=${encodeURIComponent(deviceId)}`
    return (await service.computer('GET', path)).json.map(({ Id }: { Id: number }) => Id)
  }
  const verify = async (revision: number, body: object = {}) => {
    const reply = await service.computer('POST', `/revisions/${revision}/verify`, body)
    assert.equal(reply.status, 202, reply.text)
    await service.ended(reply.json.data.id)
    const status = await service.computer('GET', `/action/${reply.json.data.id}/status`)
    const shown = await service.computer('GET', `/revisions/${revision}`)
    return { status: status.json.data, verification: shown.json.Verification }
  }
  const packs = () => files('pack')
  /** The files of the vault whose names contain a text. */
  const files = (text: string): string[] =>
    readdirSync(join(service.dataDirectory, 'vault'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes(text))
      .map((name) => join(service.dataDirectory, 'vault', name))
      .filter((file) => statSync(file).isFile())

  test('after each run a set keeps what its retention says, and no other set loses anything', async () => {
    const [two, all] = [await sets.create({ retention: { keepLast: 2 } }), await sets.create({})]
    const fromAll = [await sets.run(all), await sets.run(all), await sets.run(all)]
    const fromTwo = [await sets.run(two), await sets.run(two), await sets.run(two), await sets.run(two)]
    assert.deepEqual(await revisionsOf(two), fromTwo.slice(2).reverse())
    assert.deepEqual(await revisionsOf(all), fromAll.reverse())
    assert.equal((await service.computer('GET', `/revisions/${fromTwo[0]}`)).status, 404)
    const restore = await service.restoreDisks({
      destination: { path: '/x' },
      diskFormat: 'Vhdx',
      revisions: [fromTwo[0]],
    })
    assert.equal(restore.status, 400)
  })

  test('a revision that is deleted is gone, after a restart too, and its space is freed', async () => {
    const set = await sets.create({})
    const [gone, stays] = [await sets.run(set), await sets.run(set)]
    const sizeBefore = packs().reduce((sum, file) => sum + statSync(file).size, 0)
    assert.equal((await service.computer('DELETE', `/revisions/${gone}`)).status, 204)
    assert.equal((await service.computer('DELETE', `/revisions/${gone}`)).status, 404)
    assert.deepEqual(await revisionsOf(set), [stays])
    await sets.restart()
    assert.deepEqual(await revisionsOf(set), [stays])
    await service.pass(2 * dayMs)
    await eventually(async () => {
      const size = packs().reduce((sum, file) => sum + statSync(file).size, 0)
      assert.ok(size < sizeBefore - 1024 * 1024, `${size} of ${sizeBefore} bytes are left`)
    })
    const { verification } = await verify(stays)
    assert.equal(verification.State, 'SUCCESS', 'what was not deleted is whole')
  })

  test('of a restore and a deletion of its revision at the same time one is refused', async () => {
    const set = await sets.create({})
    const content = sets.newContent()
    for (let round = 0; round < 10; round++) {
      const revision = await sets.run(set, content)
      const both = await Promise.all([
        service.restoreDisks({ destination: { path: '/x' }, diskFormat: 'Vhdx', revisions: [revision] }),
        service.computer('DELETE', `/revisions/${revision}`),
      ])
      const [restore] = both
      assert.equal(both.filter(({ status }) => status === 204).length, 1, `${both.map(({ text }) => text)}`)
      if (restore.status !== 204) continue
      const { id } = await sets.agent.heard('start-restore')
      await sets.agent.finish('restore', id, { state: 'CANCELED' })
    }
  })

  test('a revision that cannot be read keeps the space of its computer until it is deleted, which the log says', async () => {
    const revision = await sets.run(await sets.create({}))
    const [list = ''] = files(`revisions/${revision}`)
    writeFileSync(list, readFileSync(list).fill(0, 40, 60))
    await service.pass(2 * dayMs)
    await eventually(async () => {
      assert.match(service.loggedErrors.join(), /nothing of its computer is freed until it is deleted/)
    })
    service.loggedErrors.splice(0)
    assert.equal((await service.computer('DELETE', `/revisions/${revision}`)).status, 204)
  })

  test('a deletion that a crash has cut short is finished at the next start', async () => {
    const set = await sets.create({})
    const revision = await sets.run(set)
    await service.served.close()
    await service.store
      .tables<{ backup_revision: { id: number; deleted_at: number | null } }>()
      .updateTable('backup_revision')
      .set({ deleted_at: 1 })
      .where('id', '=', revision)
      .execute()
    await sets.restart()
    assert.deepEqual(await revisionsOf(set), [])
    await sets.restart()
    assert.deepEqual(await revisionsOf(set), [])
  })

  test('a revision that the vault cannot let go is gone all the same, and leaves it before the next collection', async (t) => {
    const set = await sets.create({})
    const [gone, stays] = [await sets.run(set), await sets.run(set)]
    const [list = ''] = files(`revisions/${gone}`)
    const refusal = t.mock.method(DirectoryBackend.prototype, 'delete', async () => {
      throw new VaultFailure('storage', 'the folder is read-only')
    })
    assert.equal((await service.computer('DELETE', `/revisions/${gone}`)).status, 204)
    assert.match(service.loggedErrors.splice(0).join(), /a revision cannot be deleted yet/)
    assert.deepEqual(await revisionsOf(set), [stays])
    assert.ok(existsSync(list))
    refusal.mock.restore()
    await service.pass(2 * dayMs)
    await eventually(async () => assert.ok(!existsSync(list)))
  })

  test('a verification whose revision is deleted before it begins says so, and is no failure of the vault', async (t) => {
    const revision = await sets.run(await sets.create({}))
    const [start, deleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { sizeBytes } = DirectoryBackend.prototype
    const looked = t.mock.method(
      DirectoryBackend.prototype,
      'sizeBytes',
      async function (this: DirectoryBackend, name: string) {
        if (name.endsWith(`/${revision}`)) {
          looked.mock.restore()
          start.resolve()
          await deleted.promise
        }
        return sizeBytes.call(this, name)
      },
    )
    const { json } = await service.computer('POST', `/revisions/${revision}/verify`, {})
    await start.promise
    assert.equal((await service.computer('DELETE', `/revisions/${revision}`)).status, 204)
    deleted.resolve()
    const { state, reason } = await service.ended(json.data.id)
    assert.deepEqual([state, reason], ['ERROR', 'the revision was deleted before it was verified'])
  })

  test('a set that is deleted leaves its revisions, or takes them along', async () => {
    const [left, taken] = [await sets.create({}), await sets.create({})]
    const revision = await sets.run(left)
    await sets.run(taken)
    await service.computer('POST', '/backupsets/delete', { backupSetId: left })
    await service.computer('POST', '/backupsets/delete', { backupSetId: taken, deleteData: true })
    assert.deepEqual(await revisionsOf(left), [revision])
    assert.deepEqual(await revisionsOf(taken), [])
  })

  test('the machine of a boot volume is kept with it, and of no other', async () => {
    const hardware = { cores: 8, memoryMebibytes: 16_384, osVersion: '10.0.14393', is64Bit: true }
    const sourcesFor = async (volume: object) => {
      const { json } = await service.computer('POST', '/backups', { source: { path: '/x' } })
      await sets.agent.heard('start-backup')
      const content = sets.newContent()
      const { ids } = await sets.agent.upload(json.data.id, content)
      const description = { ...someVolume, capacityBytes: content.length, ...volume }
      const reply = await sets.agent.commit(json.data.id, ids, description, { hardware })
      const { revisionId } = (await reply.json()) as { revisionId: number }
      await sets.agent.finish('backup', json.data.id, { state: 'SUCCESS', revisionId })
      return service.computer('POST', '/restore/diskimage/standard/hardware', { id: String(revisionId) })
    }
    const boot = await sourcesFor({ deviceId: 'boot', isBoot: true, firmware: 'uefi' })
    assert.deepEqual(
      [boot.status, boot.json],
      [200, { cores: 8, memorySize: 16_384, osVersion: '10.0.14393', is64Bit: true, firmwareType: 'Uefi' }],
    )
    assert.equal((await sourcesFor({ deviceId: 'data' })).status, 400)
  })

  test('a new revision is verified where its set says so', async () => {
    const set = await sets.create({ verification: { afterBackup: true, samplePercent: 50 } })
    const { json } = await service.computer('GET', `/revisions/${await sets.run(set)}`)
    assert.deepEqual([json.Verification.State, json.Verification.SamplePercent], ['SUCCESS', 50])
  })

  /** Changes one byte in the middle of the pack that was not there before. */
  const spoil = (before: ReadonlySet<string>) => {
    const [pack] = packs().filter((file) => !before.has(file))
    assert.ok(pack)
    const bytes = readFileSync(pack)
    const middle = Math.floor(bytes.length / 2)
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
    writeFileSync(pack, bytes)
  }
  /** When what follows damage has been done, all of which is logged. */
  const repaired = async () => {
    await eventually(async () => {
      for (const kind of ['verify-computer', 'repair'] as const) {
        assert.equal(await new Timers(service.store).dueAt(kind, 'acme/0001'), undefined)
      }
    })
    service.loggedErrors.splice(0)
  }

  test('damage is found on request, costs no good revision its place, and is healed by the next backup', async () => {
    const set = await sets.create({ retention: { keepLast: 1 } })
    const before = new Set(packs())
    const content = sets.newContent()
    const revision = await sets.run(set, content)
    const whole = await verify(revision)
    assert.deepEqual(whole.status, { status: 5, reason: '' })
    assert.deepEqual([whole.verification.State, whole.verification.SamplePercent], ['SUCCESS', 100])

    spoil(before)
    const damaged = await verify(revision)
    assert.equal(damaged.verification.State, 'DAMAGED')
    assert.deepEqual([damaged.status.status, damaged.status.reason], [3, damaged.verification.Message])
    assert.match(service.loggedErrors.splice(0).join(), /a revision is damaged/)
    await repaired()

    const next = await sets.run(set)
    assert.deepEqual(await revisionsOf(set), [next, revision], 'the damaged one stays')
    assert.equal((await verify(next)).verification.State, 'SUCCESS')
    await sets.run(await sets.create({}), content)
    assert.equal((await verify(revision)).verification.State, 'SUCCESS', 'and is whole again')
    const { body } = await service.metrics.text()
    for (const state of ['SUCCESS', 'DAMAGED']) {
      assert.match(body, new RegExp(`^palisade_backup_revisions_verified_total{state="${state}"} [1-9]`, 'm'))
    }
  })

  test('what the disk cannot read is damage too', { skip: process.platform !== 'linux' }, async () => {
    const set = await sets.create({})
    const before = new Set(packs())
    const content = sets.newContent()
    const revision = await sets.run(set, content)
    const [pack = ''] = packs().filter((file) => !before.has(file))
    rmSync(pack)
    // The first page of a process is nobody's: reading it is an input/output error.
    symlinkSync('/proc/self/mem', pack)
    assert.equal((await verify(revision)).verification.State, 'DAMAGED')
    assert.match(service.loggedErrors.splice(0).join(), /a revision is damaged/)
    await repaired()
    await sets.run(set, content)
    assert.equal((await verify(revision)).verification.State, 'SUCCESS')
  })

  test('a set that cannot be read holds up no other one, at the start either', async () => {
    const broken = await sets.create({ verification: { everyDays: 3 } })
    const set = await sets.create({ verification: { everyDays: 3 } })
    const revision = await sets.run(set)
    await service.store
      .tables<{ backup_set: { id: string; definition: string } }>()
      .updateTable('backup_set')
      .set({ definition: '{}' })
      .where('id', '=', broken)
      .execute()
    await sets.restart()
    await service.pass(4 * dayMs)
    await eventually(async () => {
      const { json } = await service.computer('GET', `/revisions/${revision}`)
      assert.equal(json.Verification?.State, 'SUCCESS')
    })
    await service.store
      .tables<{ backup_set: { id: string } }>()
      .deleteFrom('backup_set')
      .where('id', '=', broken)
      .execute()
    // What has failed is tried again after a quarter of an hour.
    await service.pass(15 * 60_000)
    await eventually(async () =>
      assert.equal(await new Timers(service.store).dueAt('verify-set', broken), undefined),
    )
    assert.ok(service.loggedErrors.splice(0).length > 0)
  })

  test('damage is found by the schedule of a set, in all revisions that have it, also of other sets', async () => {
    const [set, other] = [await sets.create({ verification: { everyDays: 3 } }), await sets.create({})]
    const intact = await sets.run(set)
    const before = new Set(packs())
    const content = sets.newContent()
    const [damaged, shared] = [await sets.run(set, content), await sets.run(other, content)]
    spoil(before)
    await service.pass(4 * dayMs)
    const stateOf = async (revision: number) =>
      (await service.computer('GET', `/revisions/${revision}`)).json.Verification?.State
    await eventually(async () => {
      assert.deepEqual(
        [await stateOf(intact), await stateOf(damaged), await stateOf(shared)],
        ['SUCCESS', 'DAMAGED', 'DAMAGED'],
      )
    })
    await eventually(async () => {
      assert.match(service.loggedErrors.join(), /all backups of this computer are verified now/)
      assert.notEqual(await new Timers(service.store).dueAt('verify-set', set), undefined)
    })
    await repaired()
  })
})
