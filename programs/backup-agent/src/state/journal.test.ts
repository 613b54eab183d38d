import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { isTaskId, Journal, type MachineRecord, type TaskState } from './journal.ts'

const machine: MachineRecord = {
  id: '5d05495f-39e5-4e4e-ad0c-e351cc2c78f3',
  name: 'files01',
  firmware: 'uefi',
  start: true,
  cores: 2,
  memoryMebibytes: 2048,
  hostName: 'hv01',
  sealedLogon: 'sealed',
}

const states: readonly TaskState[] = [
  { state: 'writing', folder: '/restored', partialPaths: ['/restored/.disk.r1.partial'] },
  {
    state: 'naming',
    folder: '/restored',
    disks: [
      {
        partialPath: '/restored/.a.r1.partial',
        baseName: 'a',
        extension: 'vhdx',
        attemptedPath: '/restored/a.vhdx',
      },
      { partialPath: '/restored/.b.r1.partial', baseName: 'b', extension: 'vhdx' },
    ],
  },
  { state: 'naming', folder: '/restored', disks: [], machine },
  { state: 'making', folder: '/restored', files: ['/restored/a.vhdx'], machine },
  {
    state: 'removing',
    folder: '/restored',
    files: ['/restored/a.vhdx'],
    machine,
    outcome: { state: 'CANCELED' },
  },
  { state: 'finished', outcome: { state: 'SUCCESS', files: ['/restored/a.vhdx'] } },
  { state: 'finished', outcome: { state: 'CANCELED' } },
]

const noneDamaged = (name: string) => assert.fail(`${name} is damaged`)

test('what was recorded last is there when it is opened again', async (t) => {
  const directory = temporaryDirectory(t)
  for (const state of states) {
    const key = { task: 'restore', id: 'r1' } as const
    await (await Journal.open(directory, noneDamaged)).record(key, state)
    const reopened = await Journal.open(directory, noneDamaged)
    assert.deepEqual(reopened.records(), [{ ...key, ...state }])
    assert.deepEqual(reopened.find(key), { ...key, ...state })
  }
})

test('nothing is there of a task that was forgotten', async (t) => {
  const directory = temporaryDirectory(t)
  const journal = await Journal.open(directory, noneDamaged)
  await journal.record({ task: 'backup', id: 'b1' }, { state: 'finished', outcome: { state: 'CANCELED' } })
  await journal.forget({ task: 'backup', id: 'b1' })
  await journal.forget({ task: 'backup', id: 'b1' })
  assert.deepEqual(journal.records(), [])
  assert.deepEqual(readdirSync(directory), [])
})

test('leaves nothing of a record that could not be written, nor of one that a crash cut short', async (t) => {
  const directory = temporaryDirectory(t)
  const journal = await Journal.open(directory, noneDamaged)
  // A folder has the name of the record.
  mkdirSync(join(directory, 'backup-b1.json'))
  const outcome = { state: 'CANCELED' } as const
  await assert.rejects(journal.record({ task: 'backup', id: 'b1' }, { state: 'finished', outcome }))
  assert.deepEqual(readdirSync(directory), ['backup-b1.json'])
  rmdirSync(join(directory, 'backup-b1.json'))
  writeFileSync(join(directory, 'backup-b2.json.new'), '{"task":"back')
  assert.deepEqual((await Journal.open(directory, noneDamaged)).records(), [])
  assert.deepEqual(readdirSync(directory), [])
})

test('sets a record aside that cannot be understood, and says so', async (t) => {
  const directory = temporaryDirectory(t)
  const damaged = {
    'restore-a.json': '{"task":"restore",',
    'restore-b.json': '{"task":"restore","id":"b","state":"writing","folder":"/x","partialPaths":[1]}',
    'restore-c.json': '{"task":"restore","id":"another","state":"finished","outcome":{"state":"CANCELED"}}',
    'restore-d.json': '{"task":"restore","id":"../../d","state":"finished","outcome":{"state":"CANCELED"}}',
    'restore-e.json':
      '{"task":"restore","id":"e","state":"making","folder":"/x","files":[],"machine":{"id":"x"}}',
    'restore-f.json': '{"task":"restore","id":"f","state":"making","folder":"/x","files":[]}',
  }
  for (const [name, text] of Object.entries(damaged)) writeFileSync(join(directory, name), text)
  const names: string[] = []
  const journal = await Journal.open(directory, (name) => names.push(name))
  assert.deepEqual(journal.records(), [])
  assert.deepEqual(names.toSorted(), Object.keys(damaged))
  for (const name of names) assert.ok(existsSync(join(directory, `${name}.damaged`)))
})

test('takes only ids that can be a part of a file name', () => {
  for (const id of ['1', 'b2c7cdcd-7a52-44b6-8a3c-6d0e3b7e37c1', 'a_b']) assert.ok(isTaskId(id), id)
  for (const id of ['', '../x', 'a/b', 'a b', 'a\0', 'ä', 'x'.repeat(65)]) assert.ok(!isTaskId(id), id)
})
