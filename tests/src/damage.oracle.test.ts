/**
 * What the vault and the places of restores suffer on a bad day, while real programs use them: each damage is detected and
 * named, and what was not touched still comes back.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { assertHolds, finishedDisks, tool } from './support/backup/images.ts'
import { Share } from './support/backup/share.ts'
import { Administration } from './support/programs/administration.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

after(cleanUp)

const mebibyte = 2 ** 20
const skip = notInstalled('/usr/bin/qemu-img', '/usr/sbin/smbd')
const skipMounting = process.getuid?.() === 0 ? skip : 'only root mounts'

/** With a vault that is repaired within a second of when its damage is found. */
const repairedSoon = { ...provisioned, backup: { ...provisioned.backup, upkeep: { lookEverySeconds: 1 } } }

/** How the file of a pack or an index segment is damaged. */
const damages: Readonly<Record<string, (path: string) => void>> = {
  'a flipped bit': (path) => {
    const content = readFileSync(path)
    const place = Math.floor(content.length / 2)
    content[place] = (content[place] ?? 0) ^ 16
    writeFileSync(path, content)
  },
  'a cut end': (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  'its removal': (path) => rmSync(path),
}

/** The objects of a kind in the vault of an installation, as the server names them. */
function objectsIn(home: string, kind: 'packs' | 'index'): string[] {
  const names = readdirSync(join(home, 'data', 'vault'), { recursive: true, withFileTypes: true })
  return names
    .filter((entry) => entry.isFile() && entry.parentPath.split('/').includes(kind))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(home, 'data', 'vault').length + 1))
}

function makeVolume(path: string, sizeMiB: number): string {
  writeFileSync(path, randomBytes(sizeMiB * mebibyte))
  return path
}

/** What verifying a revision says, and how the revision is listed afterwards. */
async function verified(backups: Backups, revision: number) {
  const { state, reason } = await backups.actionEnded(
    await backups.call('POST', `/revisions/${revision}/verify`, {}),
  )
  const listed = await backups.call('GET', `/revisions/${revision}`)
  const { Verification } = (await listed.json()) as { Verification: { State: string } }
  return { state, reason, listedAs: Verification.State }
}

test('damage of the vault is named by file and revision, nothing else suffers, and the next backup heals it', {
  skip,
}, async (whole) => {
  const home = newFolder()
  const [one, other] = [makeVolume(join(home, 'one.img'), 12), makeVolume(join(home, 'other.img'), 9)]
  let server = await Server.start(home, repairedSoon)
  const agent = await Agent.start(server, home)
  let backups = await Backups.connect(server)
  const otherRevision = await backups.backUp(other)
  const packsBefore = objectsIn(home, 'packs')
  const oneRevision = await backups.backUp(one)
  const [pack = '', ...more] = objectsIn(home, 'packs').filter((name) => !packsBefore.includes(name))
  assert.deepEqual(more, [], 'the revision has one pack of its own')
  await server.program.stop()
  const [data, copy] = [join(home, 'data'), join(home, 'kept')]
  cpSync(data, copy, { recursive: true })
  const start = async () => {
    server = await server.again()
    backups = await Backups.connect(server)
    await backups.untilOnline()
  }

  let ran = 0
  for (const [what, damage] of Object.entries(damages)) {
    for (const when of ['while the server runs', 'while it does not'] as const) {
      await whole.test(`${what} of a pack, ${when}`, async (t) => {
        rmSync(data, { recursive: true })
        cpSync(copy, data, { recursive: true })
        if (when === 'while it does not') damage(join(data, 'vault', pack))
        await start()
        t.after(() => server.program.stop())
        const target = newFolder()
        if (when === 'while the server runs') damage(join(data, 'vault', pack))

        const failed = await backups.ended('restores', await backups.startRestore([oneRevision], target))
        assert.deepEqual([failed.state, failed.error?.code], ['ERROR', 'DataDamaged'], JSON.stringify(failed))
        assert.match(failed.error?.message ?? '', new RegExp(`revision ${oneRevision}\\b`))
        assert.deepEqual(readdirSync(target), [], 'nothing is left of it')
        assertHolds(await backups.restore(otherRevision, target), other)

        assert.equal((await verified(backups, otherRevision)).listedAs, 'SUCCESS')
        const verdict = await verified(backups, oneRevision)
        assert.deepEqual([verdict.state, verdict.listedAs], ['ERROR', 'DAMAGED'])
        const [logged] = await server.program.line(/^\{.*"a revision is damaged".*\}$/)
        assert.equal(JSON.parse(logged).revision, oneRevision)
        // What was gone at the start was named there, and has been repaired since.
        await server.program.line(new RegExp(`damaged.*${pack}|${pack}.*damaged`))

        await server.program.line(/the vault was repaired/)
        await backups.backUp(one)
        assertHolds(await backups.restore(oneRevision, target), one)
        assert.equal((await verified(backups, oneRevision)).listedAs, 'SUCCESS')
        ran++
      })
    }
  }
  assert.equal(ran, 6)

  for (const [what, damage] of Object.entries(damages)) {
    await whole.test(`${what} of every index segment costs nothing`, async (t) => {
      rmSync(data, { recursive: true })
      cpSync(copy, data, { recursive: true })
      const segments = objectsIn(home, 'index')
      assert.ok(segments.length > 0)
      for (const segment of segments) damage(join(data, 'vault', segment))
      await start()
      t.after(() => server.program.stop())
      const target = join(home, 'restored')
      assertHolds(await backups.restore(oneRevision, target), one)
      assertHolds(await backups.restore(otherRevision, target), other)
    })
  }
  await agent.program.stop()
})

/** Does something while a small file system is mounted at a folder. */
async function onSmallDisk(folder: string, sizeMiB: number, work: () => Promise<void>): Promise<void> {
  mkdirSync(folder, { recursive: true })
  tool('mount', '-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', folder)
  try {
    await work()
  } finally {
    tool('umount', '--lazy', folder)
  }
}

test('a vault whose disk is full still gives back what it has, and takes the backup as soon as there is room', {
  skip: skipMounting,
}, async () => {
  const home = newFolder()
  const [small, large] = [makeVolume(join(home, 'small.img'), 8), makeVolume(join(home, 'large.img'), 40)]
  const vault = join(home, 'data', 'vault')
  await onSmallDisk(vault, 24, async () => {
    const server = await Server.start(home, { ...provisioned, administration: { attentionSeconds: 1 } })
    const agent = await Agent.start(server, home)
    const backups = await Backups.connect(server)
    const revision = await backups.backUp(small)
    const waiting = await backups.startBackup(large)
    await server.program.line(/the vault could not do what an agent needs.*|.*ENOSPC/)
    assertHolds(await backups.restore(revision, join(home, 'restored')), small)
    const full = await backups.task('backups', waiting)
    assert.deepEqual([full.state, full.error?.code], ['RUNNING', 'VaultFull'], JSON.stringify(full))
    const isWritable = async () =>
      /^palisade_backup_vault_writable (\d)$/m.exec(
        await (await fetch(`${server.services}/metrics`)).text(),
      )?.[1]
    assert.equal(await isWritable(), '0')
    // However long there is no room, the agent sends the same again, and does not begin anew until it gives up.
    const refused = /"err":.*ENOSPC/g
    await eventually('the vault to have refused the same again and again', async () =>
      (server.program.output.match(refused)?.length ?? 0) >= 8 ? true : undefined,
    )
    assert.equal((await backups.task('backups', waiting)).error?.code, 'VaultFull')
    assert.doesNotMatch(agent.program.output, /reading the volume again/)
    const operator = await Administration.connect(server)
    const told = await eventually('the administration to tell of it', async () => {
      const attention = (await (await operator.call('GET', '/attention')).json()) as {
        items: { condition: string; severity: string; message: string }[]
      }
      return attention.items.find(({ condition }) => condition === 'vault-not-writable')
    })
    assert.deepEqual([told.severity, /no room/.test(told.message)], ['critical', true])
    tool('mount', '-o', 'remount,size=128m', vault)
    const ended = await backups.ended('backups', waiting)
    assert.equal(ended.state, 'SUCCESS', JSON.stringify(ended))
    assert.deepEqual([ended.error, await isWritable()], [null, '1'])
    assertHolds(await backups.restore(ended.revisionId ?? 0, join(home, 'restored')), large)
    for (const revisionId of [revision, ended.revisionId ?? 0]) {
      assert.equal((await verified(backups, revisionId)).listedAs, 'SUCCESS')
    }
    await agent.program.stop()
    await server.program.stop()
  })
})

test('a restore to a disk without room ends with NotEnoughSpace and leaves nothing, and one beside it ends well', {
  skip: skipMounting,
}, async () => {
  const home = newFolder()
  const volume = makeVolume(join(home, 'volume.img'), 24)
  const server = await Server.start(home)
  const agent = await Agent.start(server, home)
  const backups = await Backups.connect(server)
  const revision = await backups.backUp(volume)
  const target = join(home, 'small')
  await onSmallDisk(target, 40, async () => {
    assertHolds(await backups.restore(revision, target), volume)
    const failed = await backups.ended('restores', await backups.startRestore([revision], target))
    assert.deepEqual([failed.state, failed.error?.code], ['ERROR', 'NotEnoughSpace'], JSON.stringify(failed))
    assert.equal(readdirSync(target).length, 1)
    assert.equal(finishedDisks(target).length, 1)
  })
  assertHolds(await backups.restore(revision, join(home, 'large')), volume)
  await agent.program.stop()
  await server.program.stop()
})

test('a share that goes away in the middle of a restore ends it by name, and takes the next one when it is back', {
  skip,
}, async (t) => {
  const home = newFolder()
  const share = await Share.start()
  t.after(() => share.remove())
  const volume = makeVolume(join(home, 'volume.img'), 160)
  const server = await Server.start(home)
  const agent = await Agent.start(server, home, share.agentFlags)
  const backups = await Backups.connect(server)
  const revision = await backups.backUp(volume)
  const id = await backups.startRestore([revision], share.destination('deep'))
  const target = share.fileAt('\\\\127.0.0.1\\data\\deep')
  await eventually('the first bytes on the share', async () =>
    existsSync(target) && readdirSync(target).length > 0 ? true : undefined,
  )
  await share.stop()
  const failed = await backups.ended('restores', id)
  assert.deepEqual(
    [failed.state, failed.error?.code],
    ['ERROR', 'BackupSetActions_NetworkShareInaccessible'],
    JSON.stringify(failed),
  )
  assert.match(failed.error?.message ?? '', /\\\\127\.0\.0\.1\\data\\deep/)
  assert.deepEqual(finishedDisks(target), [])
  await share.resume()
  const file = await backups.restore(revision, share.destination('again'))
  assertHolds(share.fileAt(file), volume)
  await agent.program.stop()
  await server.program.stop()
})
