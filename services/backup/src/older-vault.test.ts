import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import type { TestService } from './testing/backup-service.ts'
import { eventually } from './testing/eventually.ts'
import { ManualSets } from './testing/manual-sets.ts'

const dayMs = 86_400_000

onEveryStore('a vault that is older than the database', (newStore) => {
  let service: TestService
  let sets: ManualSets
  before(async () => {
    sets = await ManualSets.start(await newStore())
    service = sets.service
  })
  after(() => service.close())

  const revisions = async (): Promise<number[]> =>
    (await service.computer('GET', '/revisions')).json.map(({ Id }: { Id: number }) => Id)
  const verificationOf = async (revision: number) =>
    (await service.computer('GET', `/revisions/${revision}`)).json.Verification
  /** Does something to the folder of the vault while the service is stopped. */
  const meanwhile = async (work: (vault: string, copy: string) => void) => {
    await service.served.close()
    work(join(service.dataDirectory, 'vault'), join(service.dataDirectory, 'copy'))
    await sets.restart()
  }

  let set: string
  let present: number[]
  let absent: number[]

  test('the log names the revisions that are not in the vault', async () => {
    set = await sets.create({ retention: { keepLast: 2 }, verification: { everyDays: 3 } })
    present = [await sets.run(set), await sets.run(set)]
    await meanwhile((vault, copy) => cpSync(vault, copy, { recursive: true }))
    absent = [await sets.run(set), await sets.run(set)]
    assert.deepEqual(await revisions(), absent.toReversed())
    await meanwhile((vault, copy) => {
      rmSync(vault, { recursive: true })
      cpSync(copy, vault, { recursive: true })
    })
    assert.deepEqual(await revisions(), [...present, ...absent].reverse())
    const [logged = '', ...more] = service.loggedErrors.splice(0)
    assert.deepEqual([JSON.parse(logged).revisions, more], [absent, []])
  })

  test('they are marked at once, and the others are not', async () => {
    for (const revision of absent) {
      const { State, Message } = await verificationOf(revision)
      assert.deepEqual([State, Message], ['DAMAGED', 'the vault does not have it'])
    }
    for (const revision of present) assert.equal(await verificationOf(revision), null)
  })

  test('they take no place of those that retention keeps, and stay', async () => {
    const [, newest] = present
    const next = await sets.run(set)
    assert.deepEqual(await revisions(), [next, ...absent.toReversed(), newest])
    present = [newest ?? 0, next]
  })

  test('they are found damaged, by the schedule of their set and on request', async () => {
    await service.pass(4 * dayMs)
    const stateOf = async (revision: number) => (await verificationOf(revision))?.State
    await eventually(async () => {
      assert.deepEqual(await Promise.all(present.map(stateOf)), ['SUCCESS', 'SUCCESS'])
      assert.deepEqual(await Promise.all(absent.map(stateOf)), ['DAMAGED', 'DAMAGED'])
    })
    const { json } = await service.computer('POST', `/revisions/${absent[0]}/verify`, {})
    const path = `/action/${json.data.id}/status`
    await eventually(async () => {
      const { status, reason } = (await service.computer('GET', path)).json.data
      assert.deepEqual([status, reason], [3, 'the vault does not have it'])
    })
    await eventually(async () => {
      const logged = new Set(service.loggedErrors.map((line) => JSON.parse(line).msg))
      assert.deepEqual([...logged].sort(), [
        'a revision cannot be read or is not in the vault, and nothing of its computer is freed until it is deleted',
        'a revision is damaged',
        'revisions are damaged',
      ])
    })
    service.loggedErrors.splice(0)
  })

  test('no vault is made where there was one unless that is asked for; the log then names all of them, and the marks end when the right one is back', async () => {
    const all = (await revisions()).reverse()
    const stateOf = async (revision: number) => (await verificationOf(revision))?.State
    await assert.rejects(
      meanwhile((vault) => renameSync(vault, `${vault}.away`)),
      /backup\.vault\.directory: .* is empty, and it had vault [0-9a-f-]{36} when .* delete .*vault-place\.json/,
    )
    rmSync(join(service.dataDirectory, 'vault-place.json'))
    await sets.restart()
    const [logged = '', ...more] = service.loggedErrors.splice(0)
    assert.deepEqual([JSON.parse(logged).revisions, more], [all, []])
    for (const revision of all) assert.equal(await stateOf(revision), 'DAMAGED')
    await meanwhile((vault) => {
      rmSync(vault, { recursive: true })
      renameSync(`${vault}.away`, vault)
    })
    await eventually(async () => {
      for (const revision of present) assert.equal(await stateOf(revision), 'SUCCESS')
    })
    for (const revision of absent) assert.equal(await stateOf(revision), 'DAMAGED')
    service.loggedErrors.splice(0)
  })

  test('one whose head the vault cannot read is marked at once', async () => {
    const [revision = 0] = present
    await meanwhile((vault) => {
      const [name = ''] = readdirSync(vault, { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.endsWith(`/revisions/${revision}`),
      )
      const content = readFileSync(join(vault, name))
      content.writeUInt8(content.readUInt8(40) ^ 1, 40)
      writeFileSync(join(vault, name), content)
    })
    const { State, Message } = await verificationOf(revision)
    assert.deepEqual([State, Message], ['DAMAGED', 'the list of its chunks cannot be read'])
    assert.match(service.loggedErrors.splice(0).join(), /a revision in the vault cannot be read/)
  })
})
