/**
 * Tiny disks that start a Linux with nothing but busybox, made without root and without mounts from Debian's packages:
 *
 *     LBA 0        partition table; for BIOS also the first stage of GRUB
 *     LBA 1        for BIOS the core of GRUB; for UEFI the rest of the GPT
 *     LBA 2047     a text that says which disk this is, see `stamp`
 *     1 MiB        FAT: kernel, initial file system, and for UEFI GRUB as EFI/BOOT/BOOTX64.EFI
 *
 * What is made is kept in the temporary folder and used again by later runs.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { TestContext } from 'node:test'
import { hasTools, run } from '../../testing/tool.ts'
import type { Firmware } from '../machine.ts'

const mebibyte = 1024 * 1024
const stampOffsetBytes = 2047 * 512
const diskSizeBytes = 40 * mebibyte
/** Changes whenever what is built here does. */
const version = 3

/** In the order in which they can be loaded: IDE and AHCI disks, the network card, the power button. */
const modules = [
  ...['scsi_common', 'scsi_mod', 'libata', 'libahci', 'ahci', 'ata_piix'],
  ...[
    'crct10dif_common',
    'crct10dif_generic',
    'crc-t10dif',
    'crc64',
    'crc64_rocksoft_generic',
    'crc64-rocksoft',
  ],
  ...['t10-pi', 'sd_mod', 'e1000', 'evdev', 'button'],
]

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

const grubConfiguration = `serial --unit=0 --speed=115200
terminal_output serial
search --no-floppy --file /vmlinuz --set=root
linux /vmlinuz console=ttyS0 quiet panic=-1 mitigations=off random.trust_cpu=on tsc=reliable no_timer_check audit=0 apparmor=0 cryptomgr.notests
initrd /initrd.gz
boot
`

/** Raw disks, one for each firmware. They are shared: copy before use. */
export type BootImages = Readonly<Record<Firmware, string>>

/**
 * The boot disks of this machine, made now if they have to be. Skips the test, saying why, where they cannot be: Debian's
 * qemu-system-x86, ovmf, busybox-static, grub-pc-bin, grub-efi-amd64-bin, grub-common, mtools and gdisk are needed, and
 * its kernel is downloaded.
 */
export function bootImages(t: TestContext): BootImages | undefined {
  if (
    !hasTools(t, 'qemu-system-x86_64', 'qemu-img', 'busybox', 'grub-mkimage', 'mformat', 'sgdisk', 'dpkg-deb')
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
  return { bios: join(folder, 'bios.raw'), uefi: join(folder, 'uefi.raw') }
}

/** Says on a disk image which one it is; at most 512 characters. The guest reads it. */
export function stamp(path: string, text: string): void {
  const disk = openSync(path, 'r+')
  writeSync(disk, text, stampOffsetBytes)
  closeSync(disk)
}

function buildInto(folder: string): void {
  const work = mkdtempSync(join(tmpdir(), 'palisade-boot-'))
  try {
    const kernel = fetchKernel(work)
    const initialFiles = join(work, 'initrd.gz')
    writeFileSync(initialFiles, initialFileSystem(work, kernel.modules))
    const configuration = join(work, 'grub.cfg')
    writeFileSync(configuration, grubConfiguration)
    const parts = { work, kernel: kernel.path, initialFiles, configuration }
    const made = join(work, 'made')
    mkdirSync(made)
    buildBios(join(made, 'bios.raw'), parts)
    buildUefi(join(made, 'uefi.raw'), parts)
    // As a whole, so that a run that is killed leaves nothing that looks finished.
    renameSync(made, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

interface Parts {
  readonly work: string
  readonly kernel: string
  readonly initialFiles: string
  readonly configuration: string
}

function buildBios(path: string, { work, kernel, initialFiles, configuration }: Parts): void {
  emptyDisk(path)
  const core = join(work, 'core.img')
  run('grub-mkimage', '-O', 'i386-pc', '-p', '/', '-c', configuration, '-o', core, 'biosdisk', ...grubModules)
  const disk = openSync(path, 'r+')
  writeSync(disk, readFileSync('/usr/lib/grub/i386-pc/boot.img'), 0, 440, 0)
  writeSync(disk, readFileSync(core), 0, undefined, 512)
  const entry = Buffer.from('80feffff0cfeffff0000000000000000', 'hex')
  entry.writeUInt32LE(mebibyte / 512, 8)
  entry.writeUInt32LE((diskSizeBytes - mebibyte) / 512, 12)
  writeSync(disk, entry, 0, entry.length, 446)
  writeSync(disk, Buffer.from([0x55, 0xaa]), 0, 2, 510)
  closeSync(disk)
  fillFat(path, { [kernel]: '/vmlinuz', [initialFiles]: '/initrd.gz' })
}

function buildUefi(path: string, { work, kernel, initialFiles, configuration }: Parts): void {
  emptyDisk(path)
  const loader = join(work, 'grub.efi')
  run('grub-mkimage', '-O', 'x86_64-efi', '-p', '/', '-c', configuration, '-o', loader, ...grubModules)
  run('sgdisk', '-a', '2048', '-n', '1:2048:0', '-t', '1:ef00', path)
  const files = { [kernel]: '/vmlinuz', [initialFiles]: '/initrd.gz', [loader]: '/EFI/BOOT/BOOTX64.EFI' }
  fillFat(path, files, ['/EFI', '/EFI/BOOT'])
}

function emptyDisk(path: string): void {
  writeFileSync(path, '')
  truncateSync(path, diskSizeBytes)
}

/** Makes the file system of the partition at 1 MiB; 33 sectors stay free for the copy of a GPT. */
function fillFat(
  disk: string,
  files: Readonly<Record<string, string>>,
  folders: readonly string[] = [],
): void {
  const partition = `${disk}@@1M`
  const sectors = String((diskSizeBytes - mebibyte) / 512 - 33)
  run('mformat', '-i', partition, '-T', sectors, '-h', '64', '-s', '32', '::')
  for (const folder of folders) run('mmd', '-i', partition, `::${folder}`)
  for (const [source, target] of Object.entries(files)) run('mcopy', '-i', partition, source, `::${target}`)
}

/** Downloads Debian's kernel and takes out of the package what is needed; nothing is installed. */
function fetchKernel(work: string): { readonly path: string; readonly modules: string } {
  const depends = run('apt-cache', 'depends', 'linux-image-amd64')
  const name = /Depends: (linux-image-\S+)/.exec(depends)?.[1]
  if (name === undefined) throw new Error('apt does not know the package linux-image-amd64')
  const limited = { cwd: work, stdio: 'pipe', timeout: 120_000 } as const
  execFileSync('apt-get', ['-qq', 'download', name], limited)
  const [deb] = readdirSync(work).filter((file) => file.endsWith('.deb'))
  if (deb === undefined) throw new Error(`apt did not download ${name}`)
  execFileSync(
    'sh',
    [
      '-c',
      'dpkg-deb --fsys-tarfile "$1" | tar -x --wildcards --no-anchored "vmlinuz-*" "kernel/*.ko"',
      'sh',
      deb,
    ],
    limited,
  )
  const [release = ''] = readdirSync(join(work, 'lib', 'modules'))
  const [image = ''] = readdirSync(join(work, 'boot')).filter((file) => file.startsWith('vmlinuz-'))
  return { path: join(work, 'boot', image), modules: join(work, 'lib', 'modules', release, 'kernel') }
}

/** What Linux starts from: busybox, the modules and `guest-init.sh`; a compressed cpio archive. */
function initialFileSystem(work: string, modulesPath: string): Buffer {
  const root = join(work, 'root')
  mkdirSync(join(root, 'bin'), { recursive: true })
  mkdirSync(join(root, 'modules'))
  copyFileSync('/bin/busybox', join(root, 'bin', 'busybox'))
  copyFileSync(join(import.meta.dirname, 'guest-init.sh'), join(root, 'init'))
  chmodSync(join(root, 'init'), 0o755)
  const found = new Map(
    readdirSync(modulesPath, { recursive: true, encoding: 'utf8' }).map((path) => [basename(path), path]),
  )
  for (const name of modules) {
    const path = found.get(`${name}.ko`)
    if (path === undefined) throw new Error(`Debian's kernel has no module ${name}`)
    copyFileSync(join(modulesPath, path), join(root, 'modules', `${name}.ko`))
  }
  writeFileSync(join(root, 'modules', 'order'), `${modules.join('\n')}\n`)
  const pack = 'find . | busybox cpio -o -H newc 2>/dev/null | gzip -9'
  return execFileSync('sh', ['-c', pack], { cwd: root, maxBuffer: 64 * mebibyte })
}
