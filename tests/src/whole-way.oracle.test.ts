import assert from 'node:assert/strict'
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { keepCopy, makeExt4, makeNtfsDisk, range, tool } from './support/backup/images.ts'
import { Agent } from './support/programs/agent.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

after(cleanUp)

const mebibyte = 2 ** 20
const skip = notInstalled('/usr/bin/qemu-img', '/usr/sbin/sgdisk', '/usr/sbin/mkntfs')

describe('a real volume comes back as a disk', {
  skip,
}, () => {
  const folder = newFolder()
  let server: Server
  let agent: Agent
  let backups: Backups
  before(async () => {
    server = await Server.start()
    agent = await Agent.start(server, folder)
    backups = await Backups.connect(server)
  })
  after(async () => {
    await agent.program.stop()
    await server.remove()
  })

  /** Judges a restored disk with other people's readers. */
  const judge = (
    file: string,
    format: 'vhdx' | 'vpc',
    original: string,
    offsetBytes: number,
    sizeBytes: number,
  ) => {
    if (format === 'vhdx') assert.match(tool('qemu-img', 'check', '-f', 'vhdx', file), /No errors were found/)
    assert.match(
      tool(
        'qemu-img',
        ...['compare', range('raw', original, offsetBytes, sizeBytes)],
        range(format, file, mebibyte, sizeBytes),
      ),
      /Images are identical/,
    )
    const raw = join(folder, 'flat.img')
    tool('qemu-img', 'convert', '-f', format, '-O', 'raw', file, raw)
    assert.match(tool('sgdisk', '-v', raw), /No problems found/)
    rmSync(raw)
  }

  test('an ext4 volume without a partition table, as VHDX', async () => {
    const image = join(folder, 'linux.img')
    makeExt4(image, 96)
    const original = keepCopy(image)
    const revision = await backups.backUp(image)
    tool('dd', 'if=/dev/urandom', `of=${image}`, 'bs=1M', 'count=40', 'conv=notrunc', 'status=none')
    const file = await backups.restore(revision, join(folder, 'restored', 'deep'))
    assert.match(file, /\.vhdx$/)
    judge(file, 'vhdx', original, 0, 96 * mebibyte)
  })

  test('an NTFS partition of a GPT disk, as VHDX and as VHD', async () => {
    const image = join(folder, 'windows.img')
    const { offsetBytes, sizeBytes } = makeNtfsDisk(image, 128)
    const original = keepCopy(image)
    const revision = await backups.backUp(image, 2)
    judge(await backups.restore(revision, join(folder, 'restored')), 'vhdx', original, offsetBytes, sizeBytes)
    judge(
      await backups.restore(revision, join(folder, 'restored'), 'Vhd'),
      'vpc',
      original,
      offsetBytes,
      sizeBytes,
    )
  })

  test('is listed with its label, sizes and newest revision', async () => {
    const reply = await backups.call('GET', '/restore/diskimage/standard/browse/volumes')
    const volumes = (await reply.json()) as Record<string, unknown>[]
    const archive = volumes.find(({ Label }) => Label === 'Archive')
    assert.ok(archive)
    assert.deepEqual(Object.keys(archive), [
      ...['Id', 'DeviceId', 'DriveLetter', 'Label', 'DateTime', 'Capacity', 'UsedSpace', 'IsBoot'],
      ...['Source', 'PartitionNumber', 'FileSystem', 'HostName', 'BackupSetName', 'IsSystem', 'BackupSetId'],
      ...['Pinned', 'EndToEnd', 'EndToEndKeyCheck', 'Verification', 'LastProvedBootable', 'Proof'],
    ])
    assert.equal(archive.Capacity, 110 * mebibyte)
    const used = Number(archive.UsedSpace)
    assert.ok(used > 12 * mebibyte && used < 40 * mebibyte, `${used} bytes in use`)
  })

  test('a second backup of the same volume is a newer revision of it, and stores only what changed', async () => {
    const image = join(folder, 'linux.img')
    const first = await backups.backUp(image)
    const before = sizeOf(join(server.folder, 'data', 'vault'))
    const second = await backups.backUp(image)
    assert.ok(second > first)
    assert.ok(sizeOf(join(server.folder, 'data', 'vault')) - before < mebibyte)
  })

  test('a disk can be compared with its revision, and what differs is said', async () => {
    const image = join(folder, 'compared.img')
    const { offsetBytes } = makeNtfsDisk(image, 96)
    const revision = await backups.backUp(image, 2)
    const compare = async (body: object) =>
      backups.actionEnded(await backups.call('POST', `/revisions/${revision}/compare`, body))
    const same = { state: 'SUCCESS', reason: '' }
    const target = join(folder, 'compared')
    const files = [await backups.restore(revision, target), await backups.restore(revision, target, 'Vhd')]
    for (const disk of [...files.map((path) => ({ path })), { path: image, partition: 2 }]) {
      const { state, reason } = await compare(disk)
      assert.deepEqual({ state, reason }, same)
    }

    const damaged = openSync(image, 'r+')
    writeSync(damaged, 'changed', offsetBytes + 5 * mebibyte + 7)
    closeSync(damaged)
    const comparison = await compare({ path: image })
    assert.equal(comparison.state, 'ERROR')
    assert.equal(comparison.reason, '1 of 156 chunks differ')

    for (const [body, reason] of [
      [{ path: join(folder, 'nothing') }, /cannot be compared: .* is not there, or/],
      [{ path: 'no/path' }, /not an absolute path/],
      [{ path: image, partition: 1 }, /no partition of the size/],
    ] as const) {
      const failed = await compare(body)
      assert.equal(failed.state, 'ERROR')
      assert.match(failed.reason, reason)
    }
    const unknown = await backups.call('POST', '/revisions/999/compare', { path: image })
    assert.equal(unknown.status, 404)
  })

  test('an existing file is not overwritten', async () => {
    const image = join(folder, 'linux.img')
    const revision = await backups.backUp(image)
    const target = join(folder, 'twice')
    const first = await backups.restore(revision, target)
    const second = await backups.restore(revision, target)
    assert.notEqual(first, second)
    assert.deepEqual(readdirSync(target).length, 2)
  })

  test('progress is told in bytes, and ends at all of them', async () => {
    const revision = await backups.backUp(join(folder, 'linux.img'))
    const id = await backups.startRestore([revision], join(folder, 'progress'))
    const ended = await backups.ended('restores', id)
    assert.equal(ended.state, 'SUCCESS')
    assert.ok(ended.bytesTotal > 0)
    assert.equal(ended.bytesDone, ended.bytesTotal)
  })

  test('what cannot be done says why', async () => {
    const none = await backups.ended('backups', await backups.startBackup(join(folder, 'no-such-image')))
    assert.deepEqual([none.state, none.error?.code], ['ERROR', 'SourceUnreadable'])
    const revision = await backups.backUp(join(folder, 'linux.img'))
    const blocked = join(folder, 'linux.img', 'below-a-file')
    const ended = await backups.ended('restores', await backups.startRestore([revision], blocked))
    assert.deepEqual([ended.state, ended.error?.code], ['ERROR', 'CreateFolderFailed'])
  })

  test('an agent that is gone is said to be offline, and is online again when it comes back', async () => {
    await agent.program.stop()
    await backups.untilOffline()
    const refused = await backups.call('POST', '/restore/diskimage/standard/vhd', {
      destination: { path: '/tmp/x' },
      diskFormat: 'Vhdx',
      revisions: [1],
    })
    assert.deepEqual(
      [refused.status, await refused.json()],
      [400, { errors: ['Agent cannot be reached or is offline'] }],
    )
    agent = await Agent.start(server, folder)
    mkdirSync(join(folder, 'again'), { recursive: true })
    assert.ok(await backups.backUp(join(folder, 'linux.img')))
  })
})

function sizeOf(folder: string): number {
  return Number(tool('du', '-sb', folder).split('\t')[0])
}
