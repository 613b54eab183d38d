/**
 * Single files out of revisions: the command that shows them where the agent runs, with a real server, a real agent and the file systems of the
 * kernel.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { makeNtfsDisk, makeVolume, tool } from './support/backup/images.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisionedWithUpkeep, Server } from './support/programs/server.ts'

after(cleanUp)

const mebibyte = 2 ** 20
const missing = notInstalled(
  ...['/usr/bin/qemu-img', '/usr/bin/qemu-storage-daemon', '/usr/bin/nbdinfo'],
  ...[
    '/usr/sbin/mkntfs',
    '/usr/sbin/sgdisk',
    '/usr/bin/fusermount',
    '/usr/sbin/mkfs.xfs',
    '/usr/sbin/mkfs.btrfs',
  ],
)
const skip = process.getuid?.() === 0 && existsSync('/dev/fuse') ? missing : 'only root mounts, with FUSE'

/** A server with two more computers, and a caller who may only read. */
const configuration = {
  ...provisionedWithUpkeep,
  backup: {
    ...provisionedWithUpkeep.backup,
    accounts: [
      {
        id: 'acme',
        computers: [
          { id: '0001', name: 'files01', enrolmentKey: 'enrol-me' },
          { id: '0002', name: 'files02', enrolmentKey: 'enrol-other' },
          { id: '0003', name: 'files03', enrolmentKey: 'enrol-third' },
        ],
      },
    ],
    apiClients: [
      ...provisionedWithUpkeep.backup.apiClients,
      { clientId: 'reader', clientSecret: 'reader secret', accounts: ['acme'], scopes: ['computers_read'] },
    ],
  },
}
const operator = { PALISADE_CLIENT_ID: 'automation', PALISADE_CLIENT_SECRET: 'backup secret' }
const reader = { PALISADE_CLIENT_ID: 'reader', PALISADE_CLIENT_SECRET: 'reader secret' }

/** What of a mount could be left on this machine: mounts, loop devices, and the command's own files, all below a folder. */
function left(folder: string): string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  const loops = tool('losetup', '--list', '--noheadings', '--output', 'NAME,BACK-FILE').split('\n')
  const own = readdirSync(folder).filter((name) => name.startsWith('palisade-mount-'))
  return [...mounts, ...loops].filter((line) => line.includes(`${folder}/`)).concat(own)
}

function nothingLeft(folder: string): Promise<true> {
  return eventually('nothing being mounted', async () => (left(folder).length === 0 ? true : undefined))
}

describe('single files out of a revision', { skip }, () => {
  const folder = newFolder()
  const image = join(folder, 'linux.img')
  const inside = join(folder, 'inside')
  const kept = join(folder, 'kept')
  const target = join(folder, 'tuesday')
  let server: Server
  let agent: Agent
  let backups: Backups
  let older: number
  let newer: number
  const commands: Program[] = []
  before(async () => {
    server = await Server.start(newFolder(), configuration)
    agent = await Agent.start(server, folder)
    backups = await Backups.connect(server)
    // A file system that is in use while it is backed up: its journal has not come to its end.
    makeVolume(image, 'ext4', 96)
    for (const place of [inside, kept]) mkdirSync(place)
    tool('mount', '-o', 'loop', image, inside)
    writeFileSync(join(kept, 'report.bin'), randomBytes(3 * mebibyte + 4711))
    copyFileSync(join(kept, 'report.bin'), join(inside, 'report.bin'))
    chownSync(join(inside, 'report.bin'), 1234, 5678)
    chmodSync(join(inside, 'report.bin'), 0o4640)
    symlinkSync('report.bin', join(inside, 'link'))
    tool('sync')
    // The file is on the disk, and the entry in its folder nowhere but in the journal.
    const last = openSync(join(inside, 'last'), 'w')
    writeSync(last, 'written last')
    fsyncSync(last)
    closeSync(last)
    older = await backups.backUp(image)
    writeFileSync(join(inside, 'report.bin'), 'the new report')
    tool('sync')
    newer = await backups.backUp(image)
    tool('umount', inside)
  })
  after(async () => {
    if (existsSync(inside)) spawnSync('umount', [inside])
    await agent.program.stop()
    await server.remove()
  })

  // What a test that fails leaves would be in the way of the next one.
  afterEach(async () => {
    for (const command of commands.splice(0)) await command.stop()
  })

  const run = (argv: readonly string[], caller: Readonly<Record<string, string>> = operator) =>
    new Program(['backup', 'mount', ...argv, '--account', 'acme'], {
      PALISADE_SERVER: server.services,
      TMPDIR: folder,
      ...caller,
    })
  const mount = async (...argv: string[]) => {
    const command = run([...argv, '--computer', '0001'])
    commands.push(command)
    await command.line(/^Ctrl\+C ends it/)
    return command
  }
  const same = (one: string, other: string) => tool('cmp', one, other)

  test('a file of an older revision is there byte for byte, with its owner and rights, beside the newer one', async () => {
    const command = await mount(target, '--revision', String(older), String(newer))
    const old = join(target, `revision-${older}`)
    same(join(old, 'report.bin'), join(kept, 'report.bin'))
    same(join(old, 'link'), join(kept, 'report.bin'))
    const { uid, gid, mode } = statSync(join(old, 'report.bin'))
    assert.deepEqual([uid, gid, mode & 0o7777], [1234, 5678, 0o4640])
    assert.equal(readFileSync(join(old, 'last'), 'utf8'), 'written last')
    for (let number = 1; number <= 12; number++)
      same(join(old, `noise-${number}`), join(`${image}.files`, `noise-${number}`))
    assert.equal(readFileSync(join(target, `revision-${newer}`, 'report.bin'), 'utf8'), 'the new report')
    assert.equal(await command.stop('SIGINT'), 0, command.output)
    assert.match(command.output, /Fetched \d+\.\d MiB of \d+\.\d MiB\./)
    assert.deepEqual(left(folder), [])
    assert.equal(existsSync(target), false)
  })

  test('nobody else can look into it, and what is in it is neither started nor written', async () => {
    mkdirSync(target, { mode: 0o755 })
    const command = await mount(target, '--revision', String(older))
    assert.equal(statSync(target).mode & 0o777, 0o700)
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
    const line = mounts.find((one) => one.includes(join(target, `revision-${older}`))) ?? ''
    for (const option of ['ro', 'nosuid', 'nodev', 'noexec'])
      assert.match(line, new RegExp(`[ ,]${option}[ ,]`))
    const other = spawnSync('setpriv', ['--reuid=1234', '--clear-groups', 'ls', target])
    assert.notEqual(other.status, 0)
    assert.throws(() => writeFileSync(join(target, `revision-${older}`, 'report.bin'), ''), /EROFS/)
    assert.equal(await command.stop(), 0, command.output)
    assert.equal(statSync(target).mode & 0o777, 0o755, 'it is as it was')
    tool('rmdir', target)
  })

  test('one file takes what it needs from the vault, and no more', async () => {
    const command = await mount(target, '--revision', String(older))
    readFileSync(join(target, `revision-${older}`, 'report.bin'))
    await command.stop()
    const [, fetched, all] = /Fetched ([\d.]+) MiB of ([\d.]+) MiB/.exec(command.output) ?? []
    assert.ok(Number(fetched) < Number(all) / 2, `${fetched} of ${all}`)
    assert.ok(Number(fetched) > 3, `${fetched} of ${all}`)
  })

  test('it is a restore in the list, and its revision is not deleted meanwhile', async () => {
    const command = await mount(target, '--revision', String(older))
    const listed = (await (await backups.call('GET', '/restores')).json()) as Record<string, unknown>[]
    const [restore] = listed
    assert.deepEqual(
      [restore?.state, restore?.step, restore?.diskFormat, Object(restore?.served).failures],
      ['RUNNING', 'serving', 'Raw', 0],
    )
    assert.equal((await backups.call('DELETE', `/revisions/${older}`)).status, 409)
    await command.stop()
    const ended = await backups.task('restores', String(restore?.id))
    assert.equal(ended.state, 'SUCCESS')
  })

  test('NTFS, XFS and btrfs are shown as well, in one go, also while the originals are mounted', async () => {
    const windows = join(folder, 'windows.img')
    makeNtfsDisk(windows, 128)
    const ids = [await backups.backUp(windows, 2)]
    const mounted: string[] = []
    try {
      for (const fileSystem of ['xfs', 'btrfs']) {
        const volume = join(folder, `${fileSystem}.img`)
        const place = join(folder, `inside-${fileSystem}`)
        mkdirSync(place)
        writeFileSync(volume, '')
        tool('truncate', '-s', '320M', volume)
        tool(`mkfs.${fileSystem}`, '-q', volume)
        tool('mount', '-o', 'loop', volume, place)
        mounted.push(place)
        copyFileSync(join(kept, 'report.bin'), join(place, 'report.bin'))
        tool('sync')
        ids.push(await backups.backUp(volume))
      }
      const command = await mount(target, '--revision', ...ids.map(String))
      const [ntfs, ...others] = ids.map((id) => join(target, `revision-${id}`))
      for (let number = 1; number <= 12; number++) {
        const name = `noise-${number}`
        same(join(ntfs ?? '', name), join(`${windows}.volume.files`, name))
      }
      for (const shown of others) same(join(shown, 'report.bin'), join(kept, 'report.bin'))
      assert.equal(await command.stop(), 0, command.output)
    } finally {
      for (const place of mounted) tool('umount', place)
    }
    await nothingLeft(folder)
  })

  test('what has no file system that can be shown is said to have none', async () => {
    const nothing = join(folder, 'nothing.img')
    writeFileSync(nothing, randomBytes(2 * mebibyte))
    const revision = await backups.backUp(nothing)
    const command = run([target, '--revision', String(revision), '--computer', '0001'])
    assert.equal((await command.ended()).status, 1)
    assert.match(command.output, /revision \d+ is not shown: no file system was recognised/)
    assert.deepEqual(left(folder), [])
  })

  test('without a folder the disk is there for programs that read NBD', async () => {
    const command = await mount('--nbd', '--revision', String(older))
    const [, address = ''] = /(nbd\+unix:\S+)/.exec(command.output) ?? []
    assert.match(tool('nbdinfo', '--size', address), new RegExp(`^${96 * mebibyte}\\b`))
    const copied = join(folder, 'copied.img')
    tool('nbdcopy', address, copied)
    assert.match(tool('dumpe2fs', '-h', copied), /needs_recovery/, 'the journal has not come to its end')
    const asItStands = tool('debugfs', '-c', '-R', 'cat /last', copied)
    assert.equal(asItStands, '', 'without its journal the volume has not what was written last')
    assert.equal(await command.stop('SIGINT'), 0)
  })

  test('nothing is left of a command that is killed', async () => {
    const command = await mount(target, '--revision', String(older))
    same(join(target, `revision-${older}`, 'report.bin'), join(kept, 'report.bin'))
    process.kill(command.pid, 'SIGKILL')
    await command.ended()
    await nothingLeft(folder)
    await eventually('the folder being removed', async () => (existsSync(target) ? undefined : true))
    const again = await mount(target, '--revision', String(older))
    same(join(target, `revision-${older}`, 'report.bin'), join(kept, 'report.bin'))
    assert.equal(await again.stop(), 0)
  })

  test('what a program still uses is detached all the same, and gone with the program', async () => {
    const command = await mount(target, '--revision', String(older))
    const inIt = spawn('sleep', ['600'], { cwd: join(target, `revision-${older}`), stdio: 'ignore' })
    await once(inIt, 'spawn')
    assert.equal(await command.stop('SIGINT'), 0, command.output)
    assert.equal(existsSync(target), false)
    assert.ok(!readFileSync('/proc/self/mountinfo', 'utf8').includes(`${folder}/`))
    inIt.kill()
    await nothingLeft(folder)
  })

  test('nothing is left when the agent is killed, and the next one serves again', async () => {
    const command = await mount(target, '--revision', String(older))
    await agent.program.kill()
    const { status } = await command.ended()
    assert.equal(status, 1)
    assert.match(command.output, /The agent has stopped serving the disks/)
    await nothingLeft(folder)
    agent = await Agent.start(server, folder)
    const again = await mount(target, '--revision', String(older))
    same(join(target, `revision-${older}`, 'report.bin'), join(kept, 'report.bin'))
    assert.equal(await again.stop(), 0)
  })

  test('a server that is killed and started again is waited for', async () => {
    const command = await mount(target, '--revision', String(older))
    await server.program.kill()
    server = await server.again()
    backups = await Backups.connect(server)
    await backups.untilOnline()
    same(join(target, `revision-${older}`, 'report.bin'), join(kept, 'report.bin'))
    assert.equal(await command.stop(), 0, command.output)
    await nothingLeft(folder)
  })

  test('a damaged place of the vault fails for itself alone, and is told', async () => {
    const packs = () =>
      readdirSync(join(server.dataDirectory, 'vault'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.parentPath.split('/').includes('packs'))
        .map((entry) => join(entry.parentPath, entry.name))
    const before = packs()
    const damaged = join(folder, 'damaged.img')
    makeVolume(damaged, 'ext4', 64)
    const revision = await backups.backUp(damaged)
    const [pack = ''] = packs()
      .filter((path) => !before.includes(path))
      .toSorted((one, other) => statSync(other).size - statSync(one).size)
    const content = readFileSync(pack)
    const place = Math.floor(content.length / 2)
    content[place] = (content[place] ?? 0) ^ 16
    writeFileSync(pack, content)

    const command = await mount(target, '--revision', String(revision))
    const results = new Map<string, string>()
    for (let number = 1; number <= 12; number++) {
      const name = `noise-${number}`
      const { status, stderr } = spawnSync('cmp', [
        join(target, `revision-${revision}`, name),
        join(`${damaged}.files`, name),
      ])
      results.set(name, status === 0 ? 'same' : String(stderr))
    }
    const failed = [...results.values()].filter((result) => result !== 'same')
    assert.ok(failed.length >= 1 && failed.length <= 2, JSON.stringify([...results]))
    for (const result of failed) assert.match(result, /Input\/output error/)
    await command.line(/reads? ha(s|ve) failed so far, the last one because: .*revision \d+/)
    assert.equal(await command.stop(), 0)
    await nothingLeft(folder)
  })

  test('what is sealed with a key of the computer is opened with it', async () => {
    const home = newFolder()
    const image = join(home, 'own.img')
    makeVolume(image, 'ext4', 64)
    const own = await Agent.start(server, home, ['--end-to-end-key-file', join(home, 'own.key')], {
      computer: '0002',
      enrolmentKey: 'enrol-other',
    })
    const other = await Backups.connect(server, '0002')
    const revision = await other.backUp(image)
    const command = run([target, '--revision', String(revision), '--computer', '0002'])
    commands.push(command)
    await command.line(/^Ctrl\+C ends it/)
    same(join(target, `revision-${revision}`, 'noise-3'), join(`${image}.files`, 'noise-3'))
    assert.equal(await command.stop(), 0)
    await own.program.stop()
  })

  test('who may not restore may not look, and no computer sees what is of another one', async () => {
    const refused = run([target, '--revision', String(older), '--computer', '0001'], reader)
    assert.equal((await refused.ended()).status, 3, refused.output)
    const other = await Agent.start(server, newFolder(), [], {
      computer: '0003',
      enrolmentKey: 'enrol-third',
    })
    const foreign = run([target, '--revision', String(older), '--computer', '0003'])
    assert.equal((await foreign.ended()).status, 1)
    assert.match(foreign.output, new RegExp(`${older} is not a revision of this computer`))
    await other.program.stop()
    const offline = run([target, '--revision', String(older), '--computer', '0003'])
    assert.equal((await offline.ended()).status, 1)
    assert.match(offline.output, /Agent cannot be reached or is offline/)
    assert.equal(existsSync(target), false)
  })

  test('a wrong command line is explained', async () => {
    for (const [argv, status, words] of [
      [['--revision', '1', '--computer', '0001'], 2, /Name the folder to show the files in, or give --nbd/],
      [[target, '--nbd', '--revision', '1', '--computer', '0001'], 2, /either a folder or --nbd/],
      [[kept, '--revision', '1', '--computer', '0001'], 1, /is not empty/],
      [[image, '--revision', '1', '--computer', '0001'], 1, /is no folder/],
    ] as const) {
      const command = run(argv)
      assert.equal((await command.ended()).status, status, command.output)
      assert.match(command.output, words)
    }
  })
})
