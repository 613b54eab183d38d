/**
 * Tiny disks that start a Linux with nothing but busybox, made without root and without mounts from Debian's packages:
 *
 *     LBA 0        partition table; for BIOS also the first stage of GRUB
 *     LBA 1        for BIOS the core of GRUB; for UEFI the rest of the GPT
 *     LBA 2047     a text that says which disk this is, see `stamp`
 *     1 MiB        FAT: kernel, initial file system, and for UEFI GRUB as EFI/BOOT/BOOTX64.EFI
 *
 * Of each there is a second one whose system is on another volume than what starts it:
 *
 *     BIOS         MBR: the FAT is active; in an extended partition a logical drive with ext4
 *     UEFI         GPT: the FAT is an EFI system partition; behind it a partition with ext4
 *     both         the ext4 has the system, and data that says nothing
 *
 * What is made is kept in the temporary folder and used again by later runs.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { hasTools, run } from '../../testing/tool.ts'
import type { Firmware } from '../machine.ts'
import { fetchKernel, initialFileSystem, modulesFor } from './guest-system.ts'

const mebibyte = 1024 * 1024
const stampOffsetBytes = 2047 * 512
const diskSizeBytes = 40 * mebibyte

/** The UUID of the ext4 that holds a system. */
const rootId = '9a15ade0-0000-4000-8000-00000000ef53'

/** Where everything is on a disk whose system is on a volume of its own. The end is not on a mebibyte. */
const separate = {
  diskSizeBytes: 104 * mebibyte + 7 * 512,
  fatSectors: (16 * mebibyte) / 512,
  rootSector: (24 * mebibyte) / 512,
  rootSectors: (76 * mebibyte) / 512,
  dataSizeBytes: 56 * mebibyte,
}
/** Changes whenever what is built here does. */
const version = 7

const grubModules = [
  'part_msdos',
  'part_gpt',
  'fat',
  'search',
  'search_fs_file',
  'serial',
  'terminal',
  'linux',
  'boot',
]

/** @param parameters for the kernel, and through it for `guest-init.sh` */
const grubConfiguration = (parameters: string) => `serial --unit=0 --speed=115200
terminal_output serial
search --no-floppy --file /vmlinuz --set=root
linux /vmlinuz console=ttyS0 quiet panic=-1 mitigations=off random.trust_cpu=on tsc=reliable no_timer_check audit=0 apparmor=0 cryptomgr.notests initcall_blacklist=crypto_kdf108_init,cubictcp_register ${parameters}
initrd /initrd.gz
boot
`

/** Raw disks, one for each firmware. They are shared: copy before use. */
export type BootImages = Readonly<Record<Firmware, string>> & {
  /** Those whose system is on a volume of its own. */
  readonly separate: Readonly<Record<Firmware, string>>
}

/** Which partitions the disks with separate volumes have, by their numbers. */
export const separatePartitions = { bios: [1, 5], uefi: [1, 2] } as const satisfies Record<Firmware, unknown>

/**
 * The boot disks of this machine, made now if they have to be. Skips the test, saying why, where they cannot be: Debian's
 * qemu-system-x86, ovmf, busybox-static, grub-pc-bin, grub-efi-amd64-bin, grub-common, mtools, gdisk, fdisk, e2fsprogs and binutils are
 * needed, and its kernel is downloaded.
 */
export function bootImages(t: Pick<TestContext, 'skip'>): BootImages | undefined {
  if (
    !hasTools(
      t,
      ...['qemu-system-x86_64', 'qemu-img', 'busybox', 'grub-mkimage', 'mformat', 'mke2fs'],
      ...['sgdisk', 'sfdisk', 'dpkg-deb', 'strip'],
    )
  )
    return undefined
  const folder = join(tmpdir(), `palisade-boot-images-${version}-${process.getuid?.() ?? 0}`)
  if (!existsSync(folder)) {
    try {
      buildInto(folder)
    } catch (error) {
      t.skip(`boot images cannot be made here: ${error instanceof Error ? error.message : error}`)
      return undefined
    }
  }
  return {
    bios: join(folder, 'bios.raw'),
    uefi: join(folder, 'uefi.raw'),
    separate: { bios: join(folder, 'bios-separate.raw'), uefi: join(folder, 'uefi-separate.raw') },
  }
}

/** Says on a disk image which one it is; at most 512 characters. The guest reads it. */
export function stamp(path: string, text: string): void {
  const disk = openSync(path, 'r+')
  writeSync(disk, text, stampOffsetBytes)
  closeSync(disk)
}

interface Disk {
  readonly firmware: Firmware
  readonly isSeparate: boolean
  readonly name: string
  readonly build: (path: string, parts: Parts) => void
}

const disks: readonly Disk[] = [
  { firmware: 'bios', isSeparate: false, name: 'bios', build: buildBios },
  { firmware: 'uefi', isSeparate: false, name: 'uefi', build: buildUefi },
  { firmware: 'bios', isSeparate: true, name: 'bios-separate', build: buildSeparateBios },
  { firmware: 'uefi', isSeparate: true, name: 'uefi-separate', build: buildSeparateUefi },
]

function buildInto(folder: string): void {
  const work = mkdtempSync(join(tmpdir(), 'palisade-boot-'))
  try {
    const kernel = fetchKernel(work)
    const image = join(work, 'made')
    mkdirSync(image)
    for (const { firmware, isSeparate, name, build } of disks) {
      const folder = join(work, name)
      mkdirSync(folder)
      const initialFiles = join(folder, 'initrd.gz')
      writeFileSync(initialFiles, initialFileSystem(folder, kernel.modules, modulesFor(firmware, isSeparate)))
      const configuration = join(folder, 'grub.cfg')
      writeFileSync(configuration, grubConfiguration(isSeparate ? `palisade_root=${rootId}` : ''))
      build(join(image, `${name}.raw`), { work: folder, kernel: kernel.path, initialFiles, configuration })
    }
    keep(image, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** As a whole, so that a run that is killed leaves nothing that looks finished. What another test has kept meanwhile stays. */
function keep(image: string, folder: string): void {
  try {
    renameSync(image, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

interface Parts {
  readonly work: string
  readonly kernel: string
  readonly initialFiles: string
  readonly configuration: string
}

function buildBios(path: string, parts: Parts): void {
  emptyDisk(path, diskSizeBytes)
  installGrub(path, parts)
  const disk = openSync(path, 'r+')
  const entry = Buffer.from('80feffff0cfeffff0000000000000000', 'hex')
  entry.writeUInt32LE(mebibyte / 512, 8)
  entry.writeUInt32LE((diskSizeBytes - mebibyte) / 512, 12)
  writeSync(disk, entry, 0, entry.length, 446)
  writeSync(disk, Buffer.from([0x55, 0xaa]), 0, 2, 510)
  closeSync(disk)
  fillFat(path, wholeFatSectors, biosFiles(parts))
}

function buildUefi(path: string, parts: Parts): void {
  emptyDisk(path, diskSizeBytes)
  run('sgdisk', '-a', '2048', '-n', '1:2048:0', '-t', '1:ef00', path)
  fillFat(path, wholeFatSectors, uefiFiles(parts), efiFolders)
}

function buildSeparateBios(path: string, parts: Parts): void {
  emptyDisk(path, separate.diskSizeBytes)
  partition(path, [
    'label: dos',
    'label-id: 0x9a15ade0',
    `start=2048, size=${separate.fatSectors}, type=c, bootable`,
    `start=${separate.rootSector - 2048}, size=${separate.rootSectors + 2048}, type=f`,
    `start=${separate.rootSector}, size=${separate.rootSectors}, type=83`,
  ])
  installGrub(path, parts)
  fillFat(path, separate.fatSectors, biosFiles(parts))
  fillRoot(path, parts.work)
}

function buildSeparateUefi(path: string, parts: Parts): void {
  emptyDisk(path, separate.diskSizeBytes)
  partition(path, [
    'label: gpt',
    'label-id: 9A15ADE0-0000-4000-8000-000000000001',
    `start=2048, size=${separate.fatSectors}, type=U, name="EFI system", uuid=9A15ADE0-0000-4000-8000-000000000002`,
    `start=${separate.rootSector}, size=${separate.rootSectors}, type=L, name="root", uuid=9A15ADE0-0000-4000-8000-000000000003`,
  ])
  fillFat(path, separate.fatSectors, uefiFiles(parts), efiFolders)
  fillRoot(path, parts.work)
}

/** Has sfdisk write a partition table. */
function partition(path: string, lines: readonly string[]): void {
  execFileSync('sfdisk', ['-q', path], { input: `${lines.join('\n')}\n`, stdio: 'pipe' })
}

/** The first stage into the boot record, the core right behind it. */
function installGrub(path: string, { work, configuration }: Parts): void {
  const core = join(work, 'core.img')
  run('grub-mkimage', '-O', 'i386-pc', '-p', '/', '-c', configuration, '-o', core, 'biosdisk', ...grubModules)
  const disk = openSync(path, 'r+')
  writeSync(disk, readFileSync('/usr/lib/grub/i386-pc/boot.img'), 0, 440, 0)
  writeSync(disk, readFileSync(core), 0, undefined, 512)
  closeSync(disk)
}

type Files = Readonly<Record<string, string>>

function biosFiles({ kernel, initialFiles }: Parts): Files {
  return { [kernel]: '/vmlinuz', [initialFiles]: '/initrd.gz' }
}

const efiFolders = ['/EFI', '/EFI/BOOT']

function uefiFiles(parts: Parts): Files {
  const loader = join(parts.work, 'grub.efi')
  run('grub-mkimage', '-O', 'x86_64-efi', '-p', '/', '-c', parts.configuration, '-o', loader, ...grubModules)
  return { ...biosFiles(parts), [loader]: '/EFI/BOOT/BOOTX64.EFI' }
}

function emptyDisk(path: string, sizeBytes: number): void {
  writeFileSync(path, '')
  truncateSync(path, sizeBytes)
}

/** 33 sectors stay free for the copy of a GPT. */
const wholeFatSectors = (diskSizeBytes - mebibyte) / 512 - 33

/** Makes the file system of the partition at 1 MiB. */
function fillFat(disk: string, sectors: number, files: Files, folders: readonly string[] = []): void {
  const partition = `${disk}@@1M`
  run('mformat', '-i', partition, '-T', String(sectors), '-h', '64', '-s', '32', '::')
  for (const folder of folders) run('mmd', '-i', partition, `::${folder}`)
  for (const [source, target] of Object.entries(files)) run('mcopy', '-i', partition, source, `::${target}`)
}

/** Makes the ext4 with the system: busybox, `guest-init.sh`, and data that fills most of it. */
function fillRoot(disk: string, work: string): void {
  const root = join(work, 'system')
  if (!existsSync(root)) {
    for (const folder of ['bin', 'etc', 'modules', 'proc', 'sys', 'dev', 'var']) {
      mkdirSync(join(root, folder), { recursive: true })
    }
    copyFileSync('/bin/busybox', join(root, 'bin', 'busybox'))
    copyFileSync(join(import.meta.dirname, 'guest-init.sh'), join(root, 'init'))
    chmodSync(join(root, 'init'), 0o755)
    writeFileSync(join(root, 'modules', 'order'), '')
    writeFileSync(join(root, 'etc', 'palisade-root'), `${rootId}\n`)
    writeFileSync(join(root, 'data'), randomBytes(separate.dataSizeBytes))
  }
  const offset = `offset=${separate.rootSector * 512},lazy_itable_init=0`
  run(
    'mke2fs',
    ...['-q', '-F', '-t', 'ext4', '-O', '^metadata_csum', '-m', '0', '-N', '2048', '-U', rootId],
    ...['-E', offset, '-d', root, disk, `${separate.rootSectors / 2}k`],
  )
}
