/**
 * Agent and server are killed in turn, at random moments of backups, restores, retention and collections. Afterwards
 * every revision that is listed comes back byte for byte, no unfinished disk ever had a finished name, and when all
 * revisions are deleted the vault holds nothing, and nothing lies beside the image. So with an agent that reads the whole
 * image each time, and with one that tracks changes and sends patches. `KILLS` says how often, for a long run.
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import type { Writes } from './support/backup/changing-image.ts'
import { KilledInstallation, type KillPlan } from './support/backup/killed-installation.ts'
import { makeSharingVolume } from './support/backup/sharing-volume.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder } from './support/programs/server.ts'

after(cleanUp)

const mebibyte = 2 ** 20

/** Writes of which each makes chunks that are new as a whole. */
const longWrites: Writes = { countMin: 1, countMax: 5, sizeBytes: mebibyte, alignmentBytes: mebibyte }

interface Kind {
  readonly name: string
  /** How often something is killed, unless `KILLS` says so. */
  readonly kills: number
  readonly flags: readonly string[]
  readonly writes: readonly Writes[]
  /** Makes an empty folder for the image; undefined when that is not possible here, and the test skipped. */
  readonly folderForImage: (t: TestContext) => string | undefined
  readonly plans: readonly KillPlan[]
}

const kinds: readonly Kind[] = [
  {
    name: 'reads everything',
    kills: 8,
    flags: [],
    writes: [longWrites],
    folderForImage: newFolder,
    plans: [
      { victim: 'agent', since: 'beginning', afterMsMax: 1200 },
      { victim: 'server', since: 'beginning', afterMsMax: 1200 },
      { victim: 'agent', since: 'beginning', afterMsMax: 300 },
      { victim: 'server', since: 'backup', afterMsMax: 1600 },
    ],
  },
  {
    name: 'sends patches',
    kills: 5,
    flags: ['--track-changes', '--full-read-every', '5'],
    writes: [
      { countMin: 8, countMax: 16, sizeBytes: 5000, alignmentBytes: 1 },
      { ...longWrites, countMax: 1 },
    ],
    folderForImage: folderThatShares,
    plans: [
      { victim: 'agent', since: 'beginning', afterMsMax: 300 },
      { victim: 'server', since: 'beginning', afterMsMax: 300 },
      { victim: 'agent', since: 'commit', afterMsMax: 80 },
      { victim: 'server', since: 'commit', afterMsMax: 40 },
      { victim: 'server', since: 'backup', afterMsMax: 1600 },
    ],
  },
]

/** A folder on a file system of its own, on which a copy of a file shares its blocks. */
function folderThatShares(t: TestContext): string | undefined {
  const home = join(newFolder(), 'sharing')
  mkdirSync(home)
  const volume = makeSharingVolume(home, 512 * mebibyte)
  if ('why' in volume) {
    t.skip(volume.why)
    return undefined
  }
  t.after(async () => {
    await Program.stopAll()
    await volume.remove()
  })
  return volume.folder
}

for (const { name, kills: killsInShort, flags, writes, folderForImage, plans } of kinds) {
  const kills = Number(process.env.KILLS ?? killsInShort)
  test(`nothing is lost, half done or left over after ${kills} kills of a server and an agent that ${name}`, {
    skip: notInstalled('/usr/bin/qemu-img'),
  }, async (t) => {
    const folder = folderForImage(t)
    if (folder === undefined) return
    const path = join(folder, 'volume.img')
    const installation = await KilledInstallation.start({ path, writes, flags })
    let ran = 0
    for (; ran < kills; ran++) {
      const plan = plans[ran % plans.length]
      assert.ok(plan)
      await installation.round(plan)
    }
    await installation.assertAllThere()
    await installation.assertVaultSound()
    await installation.assertNothingLeaked()
    await installation.stop()
    assert.equal(ran, kills)
    const { hits, patchedCount } = installation
    t.diagnostic(
      `${kills} kills, of which fell into ${JSON.stringify(hits)}; ${patchedCount} revisions patched`,
    )
    assert.equal(patchedCount > 0, flags.includes('--track-changes'), 'some revisions are patched')
    assert.ok(Object.keys(hits).length > 0, 'kills fell into something')
  })
}
