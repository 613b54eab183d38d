import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '@palisade/tests'

/** What tells that a Debian package is there, whose programs are peers or make the load. */
const fileOf = {
  borgbackup: '/usr/bin/borg',
  caddy: '/usr/bin/caddy',
  gdisk: '/usr/sbin/sgdisk',
  libmodsecurity3: '/usr/share/doc/libmodsecurity3',
  'libnginx-mod-http-modsecurity': '/usr/lib/nginx/modules/ngx_http_modsecurity_module.so',
  'modsecurity-crs': '/usr/share/modsecurity-crs/rules',
  'nginx-light': '/usr/sbin/nginx',
  ovmf: '/usr/share/OVMF',
  'qemu-system-x86': '/usr/bin/qemu-system-x86_64',
  'qemu-utils': '/usr/bin/qemu-img',
  restic: '/usr/bin/restic',
  wrk: '/usr/bin/wrk',
  xfsprogs: '/usr/sbin/mkfs.xfs',
} as const

export type DebianPackage = keyof typeof fileOf

/** Those of the packages that are not there. */
export function missingPackages(names: readonly DebianPackage[]): readonly DebianPackage[] {
  return names.filter((name) => !existsSync(fileOf[name]))
}

/**
 * Installs Debian packages, of which no service is started.
 *
 * @throws Error with the command to enter, when this is not root
 */
export function installPackages(names: readonly DebianPackage[]): void {
  if (process.getuid?.() !== 0) throw new Error(`not installed: apt-get install ${names.join(' ')}`)
  execFileSync(process.execPath, [join(root, 'scripts', 'debian-packages.mjs'), ...names], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** `wrk 4.1.0-3+b2, …`, as Debian numbers them; only the names where they do not come from Debian. */
export function packagesWithVersions(names: readonly DebianPackage[]): string {
  try {
    const format = `--showformat=\${Package} \${Version}\n`
    const listed = execFileSync('dpkg-query', ['--show', format, ...names], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return listed.trim().replaceAll('\n', ', ')
  } catch {
    return names.join(', ')
  }
}
