import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { type FileSystem, makeVolume, putOnDisk, range, tool } from './support/backup/images.ts'
import { Share } from './support/backup/share.ts'
import { Agent } from './support/programs/agent.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

after(cleanUp)

const mebibyte = 2 ** 20
const sizeMiB = 40
const sizeBytes = sizeMiB * mebibyte
/** Where the volume begins on the disks that an agent makes. */
const offsetBytes = mebibyte

const formats = ['Vhd', 'Vhdx'] as const
const schemes = ['mbr', 'gpt'] as const
const fileSystems = ['NTFS', 'ext4', 'FAT'] as const
const places = ['local folder', 'share'] as const

const skip = notInstalled(
  ...['/usr/bin/qemu-img', '/usr/sbin/sgdisk', '/usr/sbin/sfdisk', '/usr/sbin/parted', '/usr/bin/vhdiinfo'],
  ...['/usr/sbin/mkntfs', '/usr/sbin/mke2fs', '/usr/sbin/mkfs.vfat', '/usr/bin/mcopy', '/usr/sbin/smbd'],
)

test('every volume comes back in every format to every kind of place, as others judge it', {
  skip,
}, async (t) => {
  const folder = newFolder()
  const share = await Share.start()
  t.after(() => share.remove())
  const server = await Server.start()
  const agent = await Agent.start(server, folder, share.agentFlags)
  const backups = await Backups.connect(server)
  let ran = 0
  for (const scheme of schemes) {
    for (const fileSystem of fileSystems) {
      const volume = join(folder, `${scheme}-${fileSystem}`)
      makeVolume(volume, fileSystem, sizeMiB)
      const disk = `${volume}.disk`
      putOnDisk(disk, scheme, volume, fileSystem, sizeMiB)
      const revision = await backups.backUp(disk, 1)
      for (const diskFormat of formats) {
        for (const place of places) {
          await t.test(`${fileSystem} of ${scheme} as ${diskFormat} in a ${place}`, async () => {
            const isLocal = place === 'local folder'
            const target = isLocal ? join(folder, 'restored') : share.destination(`${scheme}\\deep`)
            const restore = await backups.restore(revision, target, diskFormat)
            const file = isLocal ? restore : share.fileAt(restore)
            assert.ok(file.endsWith(`.${diskFormat.toLowerCase()}`))
            judgeFile(file, diskFormat, volume)
            const flat = join(folder, 'flat.img')
            tool('qemu-img', 'convert', '-f', driverOf(diskFormat), '-O', 'raw', file, flat)
            judgeTable(flat, scheme)
            judgeVolume(flat, fileSystem)
            rmSync(flat)
            rmSync(file)
            ran++
          })
        }
      }
    }
  }
  assert.equal(ran, 24)
  await agent.program.stop()
  await server.remove()
})

function driverOf(diskFormat: 'Vhd' | 'Vhdx'): 'vpc' | 'vhdx' {
  return diskFormat === 'Vhd' ? 'vpc' : 'vhdx'
}

/** The file as QEMU and libvhdi read it: one disk to both of them, with the volume on it as it was backed up. */
function judgeFile(file: string, diskFormat: 'Vhd' | 'Vhdx', volume: string): void {
  const driver = driverOf(diskFormat)
  if (driver === 'vhdx') assert.match(tool('qemu-img', 'check', '-f', driver, file), /No errors were found/)
  const info = JSON.parse(tool('qemu-img', 'info', '--output=json', file))
  assert.equal(info.format, driver, 'the format is recognised')
  assertIdentical(range('raw', volume, 0, sizeBytes), range(driver, file, offsetBytes, sizeBytes))

  const toLibvhdi = tool('vhdiinfo', file)
  assert.match(
    toLibvhdi,
    diskFormat === 'Vhd' ? /Format\s*: VHD \(version 1\)/ : /Format\s*: VHDX \(version 2\)/,
  )
  assert.match(toLibvhdi, /Disk type\s*: Dynamic/)
  assert.ok(toLibvhdi.includes(`(${info['virtual-size']} bytes)`), toLibvhdi)
  if (!existsSync('/dev/fuse')) return
  const mounted = `${volume}.mounted`
  mkdirSync(mounted)
  tool('vhdimount', file, mounted)
  try {
    assertIdentical(
      range('raw', volume, 0, sizeBytes),
      range('raw', join(mounted, 'vhdi1'), offsetBytes, sizeBytes),
    )
  } finally {
    tool('fusermount', '-u', mounted)
    rmSync(mounted, { recursive: true })
  }
}

function assertIdentical(one: string, other: string): void {
  assert.match(tool('qemu-img', 'compare', one, other), /Images are identical/)
}

/** The scheme is that of the disk that the volume came from, and the volume is its only partition, as long as it was. */
function judgeTable(flat: string, scheme: 'mbr' | 'gpt'): void {
  if (scheme === 'gpt') assert.match(tool('sgdisk', '-v', flat), /No problems found/)
  else assert.match(tool('sfdisk', '--verify', flat), /No errors detected/)
  const [, disk = '', ...partitions] = tool('parted', '-m', '-s', flat, 'unit', 'B', 'print')
    .trim()
    .split('\n')
  assert.equal(disk.split(':')[5], scheme === 'gpt' ? 'gpt' : 'msdos')
  assert.deepEqual(
    partitions.map((line) => line.split(':').slice(0, 4)),
    [['1', `${offsetBytes}B`, `${offsetBytes + sizeBytes - 1}B`, `${sizeBytes}B`]],
  )
}

/** The volume as the file system's own tools read it, and as one of its files. */
function judgeVolume(flat: string, fileSystem: FileSystem): void {
  const volume = `${flat}.volume`
  const place = ['bs=1M', `skip=${offsetBytes / mebibyte}`, `count=${sizeMiB}`]
  tool('dd', `if=${flat}`, `of=${volume}`, ...place, 'conv=sparse', 'status=none')
  if (fileSystem === 'ext4') tool('e2fsck', '-f', '-n', volume)
  if (fileSystem === 'FAT') tool('fsck.fat', '-n', volume)
  if (fileSystem === 'NTFS') {
    assert.match(tool('ntfsfix', '-n', volume), /processed successfully/)
    tool('ntfsresize', '--check', volume)
  }
  rmSync(volume)
}
