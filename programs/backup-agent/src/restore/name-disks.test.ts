import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { link } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Destination } from '../destinations/destination.ts'
import { LocalFolder } from '../destinations/local-folder.ts'
import { type DiskToName, Journal } from '../state/journal.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { nameDisks } from './name-disks.ts'

const key = { task: 'restore', id: 'r1' } as const

/** Stands for being killed: nothing after it happens. */
class Killed extends Error {}

/** Kills before or after a step of giving names, the `countdown`th time. */
class KillingFolder extends LocalFolder {
  readonly #passPointOfDeath: () => void

  constructor(path: string, countdown: number) {
    let left = countdown
    const passPointOfDeath = () => {
      if (left-- === 0) throw new Killed()
    }
    super(path, {
      naming: {
        link: async (existing, name) => {
          passPointOfDeath()
          await link(existing, name)
          passPointOfDeath()
        },
      },
    })
    this.#passPointOfDeath = passPointOfDeath
  }

  override async giveName(partialPath: string, finalPath: string, wasAttempted: boolean): Promise<boolean> {
    this.#passPointOfDeath()
    const isGiven = await super.giveName(partialPath, finalPath, wasAttempted)
    this.#passPointOfDeath()
    return isGiven
  }
}

function setUp(directory: string): { folder: string; journal: string; disks: DiskToName[] } {
  const folder = join(directory, 'restored')
  const journal = join(directory, 'journal')
  mkdirSync(folder)
  mkdirSync(journal)
  writeFileSync(join(folder, 'a.vhdx'), 'somebody else')
  const disks = ['a', 'b', 'a'].map((baseName, index) => {
    const partialPath = join(folder, `.${index}.partial`)
    writeFileSync(partialPath, `disk ${index}`)
    return { partialPath, baseName, extension: 'vhdx' }
  })
  return { folder, journal, disks }
}

async function open(directory: string): Promise<Journal> {
  return Journal.open(directory, (name) => assert.fail(`${name} is damaged`))
}

const contentsOf = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

const expected = {
  'a.vhdx': 'somebody else',
  'a-2.vhdx': 'disk 0',
  'b.vhdx': 'disk 1',
  'a-3.vhdx': 'disk 2',
}

test('each disk gets the first name that is free', async (t) => {
  const { folder, journal, disks } = setUp(temporaryDirectory(t))
  const names = await nameDisks(key, disks, new LocalFolder(folder), await open(journal))
  assert.deepEqual(
    names,
    ['a-2.vhdx', 'b.vhdx', 'a-3.vhdx'].map((name) => join(folder, name)),
  )
  assert.deepEqual(contentsOf(folder), expected)
})

test('killed at any point, it goes on from the journal, and no disk is named twice or lost', async (t) => {
  let kills = 0
  for (let pointOfDeath = 0; ; pointOfDeath++) {
    const { folder, journal, disks } = setUp(temporaryDirectory(t))
    const mortal: Destination = new KillingFolder(folder, pointOfDeath)
    try {
      await nameDisks(key, disks, mortal, await open(journal))
      break
    } catch (error) {
      assert.ok(error instanceof Killed || (error instanceof Error && error.cause instanceof Killed))
      kills++
    }
    const reopened = await open(journal)
    const record = reopened.find(key)
    assert.equal(record?.state, 'naming')
    const names = await nameDisks(key, record.disks, new LocalFolder(folder), reopened)
    assert.deepEqual(
      names,
      ['a-2.vhdx', 'b.vhdx', 'a-3.vhdx'].map((name) => join(folder, name)),
    )
    assert.deepEqual(contentsOf(folder), expected)
  }
  assert.ok(kills >= 16)
})
