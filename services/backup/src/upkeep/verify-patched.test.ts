import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { idSizeBytes } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import type { TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { someVolume, vaultChunkSizeBytes } from '../testing/fake-agent.ts'
import { ManualSets } from '../testing/manual-sets.ts'
import { changedIn, finishPatched, type PatchedUpload, uploadPatched } from '../testing/patched-chunks.ts'

const dayMs = 86_400_000
const misfit = '1 patched chunks do not have the content that was backed up'

onEveryStore('the verification of patched revisions', (newStore) => {
  let service: TestService
  let sets: ManualSets
  before(async () => {
    sets = await ManualSets.start(await newStore())
    service = sets.service
  })
  after(async () => {
    await service.served.close()
    // What was found begins further verifications, which find it again.
    const logged = service.loggedErrors.splice(0)
    service.loggedErrors.push(...logged.filter((line) => !/revisions? (?:is|are) damaged"/.test(line)))
    return service.close()
  })

  /** Runs a set whose volume was something else before; two of its chunks are patched. */
  const runPatched = async (
    set: string,
    content: Buffer,
    alter: (uploaded: PatchedUpload) => PatchedUpload = (uploaded) => uploaded,
  ): Promise<number> => {
    const { json } = await service.computer('POST', '/backupsets/run', { backupSetId: set })
    const { id } = await sets.agent.heard('start-backup')
    const now = changedIn(content, vaultChunkSizeBytes, [0, 3])
    const uploaded = alter(await uploadPatched(sets.agent, id, content, now))
    const volume = { ...someVolume, deviceId: set, capacityBytes: now.length }
    const revision = await finishPatched(sets.agent, id, uploaded, volume)
    await service.ended(json.data.id)
    return revision
  }
  /** The second patched chunk says that it has the base of a chunk that is not patched. */
  const onWrongBase = ({ ids, table }: PatchedUpload): PatchedUpload => {
    const wrong = Buffer.from(table)
    ids.copy(wrong, table.length / 2 + 4, 2 * idSizeBytes, 3 * idSizeBytes)
    return { ids, table: wrong }
  }
  const verificationOf = async (revision: number) =>
    (await service.computer('GET', `/revisions/${revision}`)).json.Verification
  const verify = async (revision: number, body: object = {}) => {
    const reply = await service.computer('POST', `/revisions/${revision}/verify`, body)
    assert.equal(reply.status, 202, reply.text)
    await service.ended(reply.json.data.id)
    return verificationOf(revision)
  }
  const packs = (): string[] =>
    readdirSync(join(service.dataDirectory, 'vault'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /packs\/[0-9a-f]{32}$/.test(name))
      .map((name) => join(service.dataDirectory, 'vault', name))

  test('names the pack with a base that is damaged, and that alone', async () => {
    const set = await sets.create({})
    const packNames = new Set(packs())
    const revision = await runPatched(set, sets.newContent())
    const [pack = ''] = packs().filter((file) => !packNames.has(file))
    const bytes = readFileSync(pack)
    // The first chunk that was stored is the base of both.
    bytes[4096] = (bytes[4096] ?? 0) ^ 1
    writeFileSync(pack, bytes)
    const { State } = await verify(revision)
    assert.equal(State, 'DAMAGED')
    // The revision itself may say already what the repair that this begins has found.
    const logged = service.loggedErrors.splice(0).map((line) => JSON.parse(line))
    const { message } = logged.find(({ msg }) => msg === 'a revision is damaged') ?? {}
    assert.match(message, /^2 of 6 chunks that were read are damaged, in \S+ of the vault$/)
  })

  test('finds one right whose patches lie over their bases, and one damaged where a base is another one', async () => {
    const set = await sets.create({})
    const content = sets.newContent()
    const good = await runPatched(set, content)
    assert.deepEqual([(await verify(good)).State, (await verify(good)).Message], ['SUCCESS', ''])
    const bad = await runPatched(set, content, onWrongBase)
    const findings = await verify(bad)
    assert.deepEqual([findings.State, findings.Message], ['DAMAGED', misfit])
    assert.match(service.loggedErrors.splice(0).join(), /a revision is damaged/)
    assert.equal((await verify(good)).State, 'SUCCESS')
  })

  test('ends no mark when a part of the revision shows nothing, on request and by the schedule of a set', async () => {
    const set = await sets.create({ verification: { everyDays: 3, samplePercent: 1 } })
    const bad = await runPatched(set, sets.newContent(), onWrongBase)
    assert.equal((await verify(bad)).State, 'DAMAGED')
    for (let time = 0; time < 5; time++) {
      const findings = await verify(bad, { samplePercent: 1 })
      assert.deepEqual([findings.State, findings.Message], ['DAMAGED', misfit])
      // Now and then the chunk that is damaged is in the part.
      assert.ok([1, 100].includes(findings.SamplePercent), `${findings.SamplePercent}`)
    }
    const before = (await verificationOf(bad)).DateTime
    await service.pass(4 * dayMs)
    await eventually(async () => assert.notEqual((await verificationOf(bad)).DateTime, before))
    assert.equal((await verificationOf(bad)).State, 'DAMAGED')
    service.loggedErrors.splice(0)
  })

  test('finds it after the backup, and by the schedule of a set', async () => {
    const [after, scheduled] = [
      await sets.create({ verification: { afterBackup: true } }),
      await sets.create({ verification: { everyDays: 3 } }),
    ]
    const outcome = await verificationOf(await runPatched(after, sets.newContent(), onWrongBase))
    assert.deepEqual([outcome.State, outcome.Message], ['DAMAGED', misfit])
    assert.match(service.loggedErrors.splice(0).join(), /a revision is damaged/)
    const content = sets.newContent()
    const good = await runPatched(scheduled, content)
    const bad = await runPatched(scheduled, content, onWrongBase)
    await service.pass(4 * dayMs)
    await eventually(async () => {
      const both = [await verificationOf(good), await verificationOf(bad)]
      assert.deepEqual(
        both.map((verification) => [verification?.State, verification?.Message]),
        [
          ['SUCCESS', ''],
          ['DAMAGED', misfit],
        ],
      )
    })
    await eventually(async () => assert.match(service.loggedErrors.join(), /revisions are damaged/))
    service.loggedErrors.splice(0)
  })
})
