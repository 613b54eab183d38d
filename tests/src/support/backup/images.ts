import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const mebibyte = 2 ** 20

/** Runs one of the programs that lie in folders for administrators. */
export function tool(program: string, ...argv: string[]): string {
  const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LC_ALL: 'C' }
  return execFileSync(program, argv, {
    encoding: 'utf8',
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function emptyFile(path: string, sizeBytes: number): void {
  writeFileSync(path, '')
  truncateSync(path, sizeBytes)
}

/** A folder with text that compresses and noise that does not. */
function makeFiles(folder: string): void {
  mkdirSync(folder)
  for (let number = 1; number <= 12; number++) {
    writeFileSync(
      join(folder, `text-${number}`),
      `line ${number} of a file that compresses well\n`.repeat(9000),
    )
    writeFileSync(join(folder, `noise-${number}`), randomBytes(mebibyte + number * 4099))
  }
}

/** The file systems that volumes of these tests have. */
export type FileSystem = 'NTFS' | 'ext4' | 'FAT'

/** A bare volume with files: no partition table around it. FAT needs 40 MiB, the others 24. */
export function makeVolume(path: string, fileSystem: FileSystem, sizeMiB: number): void {
  const folder = `${path}.files`
  makeFiles(folder)
  emptyFile(path, sizeMiB * mebibyte)
  if (fileSystem === 'ext4') {
    tool('mke2fs', '-q', '-t', 'ext4', '-L', 'linux-data', '-d', folder, path)
    return
  }
  if (fileSystem === 'NTFS') tool('mkntfs', '-Q', '-F', '-L', 'Archive', path)
  else tool('mkfs.vfat', '-F', '32', '-s', '1', '-n', 'ARCHIVE', path)
  for (let number = 1; number <= 12; number++) {
    const [file, name] = [join(folder, `noise-${number}`), `noise-${number}`]
    if (fileSystem === 'NTFS') tool('ntfscp', '-f', path, file, name)
    else tool('mcopy', '-i', path, file, `::${name}`)
  }
}

/** A bare ext4 volume: no partition table around it. */
export function makeExt4(path: string, sizeMiB: number): void {
  makeVolume(path, 'ext4', sizeMiB)
}

/** Puts a volume on a disk of its own, as the first partition, which begins at 3 MiB. */
export function putOnDisk(
  disk: string,
  scheme: 'mbr' | 'gpt',
  volume: string,
  fileSystem: FileSystem,
  sizeMiB: number,
): void {
  const offsetMiB = 3
  emptyFile(disk, (offsetMiB + sizeMiB + 1) * mebibyte)
  const name = scheme === 'gpt' ? 'archive' : 'primary'
  const kind = fileSystem === 'FAT' ? 'fat32' : fileSystem.toLowerCase()
  const place = [`${offsetMiB}MiB`, `${offsetMiB + sizeMiB}MiB`]
  tool('parted', '-s', disk, 'mklabel', scheme === 'gpt' ? 'gpt' : 'msdos', 'mkpart', name, kind, ...place)
  copyInto(disk, volume, offsetMiB)
}

function copyInto(disk: string, volume: string, offsetMiB: number): void {
  tool('dd', `if=${volume}`, `of=${disk}`, 'bs=1M', `seek=${offsetMiB}`, 'conv=notrunc,sparse', 'status=none')
}

/** A GPT disk whose second partition holds NTFS with files; returns where that partition lies. */
export function makeNtfsDisk(path: string, sizeMiB: number): { offsetBytes: number; sizeBytes: number } {
  const [offsetMiB, volumeMiB] = [17, sizeMiB - 18]
  const volume = `${path}.volume`
  makeVolume(volume, 'NTFS', volumeMiB)
  emptyFile(path, sizeMiB * mebibyte)
  const sectors = (mib: number) => mib * 2048
  tool(
    'sgdisk',
    ...['-n', `1:${sectors(1)}:${sectors(offsetMiB) - 1}`, '-t', '1:0C01'],
    ...[
      '-n',
      `2:${sectors(offsetMiB)}:${sectors(offsetMiB + volumeMiB) - 1}`,
      '-t',
      '2:0700',
      '-c',
      '2:Archive',
    ],
    path,
  )
  copyInto(path, volume, offsetMiB)
  return { offsetBytes: offsetMiB * mebibyte, sizeBytes: volumeMiB * mebibyte }
}

/** What a volume looked like when it was backed up, kept beside it. */
export function keepCopy(path: string): string {
  copyFileSync(path, `${path}.original`)
  return `${path}.original`
}

/** A qemu-img name for a range of a raw file, or of the disk inside a VHD or VHDX. */
export function range(format: 'raw' | 'vhdx' | 'vpc', file: string, offset: number, size: number): string {
  const inner =
    format === 'raw'
      ? { driver: 'file', filename: file }
      : { driver: format, file: { driver: 'file', filename: file } }
  return `json:${JSON.stringify({ driver: 'raw', offset, size, file: inner })}`
}

/** Where the volume begins on the disks that an agent makes. */
const volumeOffsetBytes = 2 ** 20

/** The files in a folder that have the name of a finished VHDX; none when there is no folder. */
export function finishedDisks(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.vhdx'))
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** Has qemu-img judge a VHDX, and compare the volume on it with what it was made of. */
export function assertHolds(file: string, original: string): void {
  const { size } = statSync(original)
  tool('qemu-img', 'check', '-f', 'vhdx', file)
  const compared = [range('raw', original, 0, size), range('vhdx', file, volumeOffsetBytes, size)]
  assert.match(tool('qemu-img', 'compare', ...compared), /Images are identical/)
}
