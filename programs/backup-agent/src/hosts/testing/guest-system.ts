/** Debian's kernel, and what the guests of tests start from: busybox, modules and `guest-init.sh`. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run } from '../../testing/tool.ts'
import type { Firmware } from '../machine.ts'

const mebibyte = 1024 * 1024

/**
 * In the order in which they can be loaded: IDE or AHCI disks, the network card, the power button, and ext4 where the system is on a
 * volume of its own. BIOS reads each byte of the initial file system slowly on a computed processor, so that it holds no more.
 */
export function modulesFor(firmware: Firmware, isSeparate: boolean): readonly string[] {
  return [
    ...['scsi_common', 'scsi_mod', 'libata'],
    ...(firmware === 'bios' ? ['ata_piix'] : ['libahci', 'ahci']),
    ...['crct10dif_common', 'crct10dif_generic', 'crc-t10dif'],
    ...['crc64', 'crc64_rocksoft_generic', 'crc64-rocksoft'],
    ...['t10-pi', 'sd_mod', 'e1000', 'evdev', 'button'],
    ...(isSeparate ? ['crc32c_generic', 'crc16', 'mbcache', 'jbd2', 'ext4'] : []),
  ]
}

/** Downloads Debian's kernel and takes out of the package what is needed; nothing is installed. */
export function fetchKernel(work: string): { readonly path: string; readonly modules: string } {
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
export function initialFileSystem(work: string, modulesPath: string, modules: readonly string[]): Buffer {
  const root = join(work, 'root')
  mkdirSync(join(root, 'bin'), { recursive: true })
  mkdirSync(join(root, 'modules'))
  copyFileSync('/bin/busybox', join(root, 'bin', 'busybox'))
  copyFileSync(join(import.meta.dirname, 'guest-init.sh'), join(root, 'init'))
  chmodSync(join(root, 'init'), 0o755)
  const sizes = new Map(
    readdirSync(modulesPath, { recursive: true, encoding: 'utf8' }).map((path) => [basename(path), path]),
  )
  for (const name of modules) {
    const path = sizes.get(`${name}.ko`)
    if (path === undefined) throw new Error(`Debian's kernel has no module ${name}`)
    run(
      'strip',
      '--strip-unneeded',
      '-R',
      '.BTF',
      '-o',
      join(root, 'modules', `${name}.ko`),
      join(modulesPath, path),
    )
  }
  writeFileSync(join(root, 'modules', 'order'), `${modules.join('\n')}\n`)
  const pack = 'find . | busybox cpio -o -H newc 2>/dev/null | gzip -9'
  return execFileSync('sh', ['-c', pack], { cwd: root, maxBuffer: 64 * mebibyte })
}
