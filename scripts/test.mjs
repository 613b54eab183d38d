// Everything that has to hold, in one command: installs what the tests need, type-checks, runs every test, and
// closes with a line that counts them. Arguments are files or patterns to run instead of all.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDebianPackages } from './debian-packages.mjs'
import { build, node, root, setUp } from './set-up.mjs'

/** Programs that judge our work or stand beside it, by the Debian package that holds them. */
const packageOfProgram = {
  '/usr/bin/qemu-img': 'qemu-utils',
  '/usr/bin/qemu-system-x86_64': 'qemu-system-x86',
  '/usr/share/OVMF': 'ovmf',
  '/bin/busybox': 'busybox-static',
  '/usr/bin/grub-mkimage': 'grub-common',
  '/usr/lib/grub/i386-pc': 'grub-pc-bin',
  '/usr/lib/grub/x86_64-efi': 'grub-efi-amd64-bin',
  '/usr/bin/qemu-storage-daemon': 'qemu-system-common',
  '/usr/bin/nbdinfo': 'libnbd-bin',
  '/usr/bin/virsh': 'libvirt-clients',
  '/usr/share/doc/libvirt-daemon-system': 'libvirt-daemon-system',
  '/usr/share/doc/libvirt-daemon-driver-qemu': 'libvirt-daemon-driver-qemu',
  '/usr/sbin/sgdisk': 'gdisk',
  '/usr/bin/7z': 'p7zip-full',
  '/usr/sbin/mke2fs': 'e2fsprogs',
  '/usr/sbin/mkntfs': 'ntfs-3g',
  '/usr/sbin/mkfs.vfat': 'dosfstools',
  '/usr/bin/mcopy': 'mtools',
  '/usr/sbin/mkfs.exfat': 'exfatprogs',
  '/usr/sbin/mkfs.xfs': 'xfsprogs',
  '/usr/sbin/mkfs.btrfs': 'btrfs-progs',
  '/usr/sbin/parted': 'parted',
  '/usr/sbin/sfdisk': 'fdisk',
  '/usr/bin/fincore': 'util-linux-extra',
  '/usr/sbin/cryptsetup': 'cryptsetup-bin',
  '/usr/sbin/pvcreate': 'lvm2',
  '/usr/bin/shellcheck': 'shellcheck',
  '/usr/bin/vhdiinfo': 'libvhdi-utils',
  '/usr/bin/fusermount': 'fuse3',
  '/usr/share/modsecurity-crs/rules': 'modsecurity-crs',
  '/usr/lib/apache2/modules/mod_security2.so': 'libapache2-mod-security2',
  '/usr/share/doc/libmodsecurity3': 'libmodsecurity3',
  '/usr/bin/h2load': 'nghttp2-client',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/sbin/nginx': 'nginx-light',
  '/usr/lib/nginx/modules/ngx_http_modsecurity_module.so': 'libnginx-mod-http-modsecurity',
  '/usr/bin/caddy': 'caddy',
  '/usr/bin/wrk': 'wrk',
  '/usr/bin/restic': 'restic',
  '/usr/bin/borg': 'borgbackup',
  '/usr/sbin/smbd': 'samba',
  '/usr/bin/smbclient': 'smbclient',
  '/usr/sbin/rsyslogd': 'rsyslog',
  '/usr/lib/x86_64-linux-gnu/rsyslog/lmnsd_gtls.so': 'rsyslog-gnutls',
  '/usr/sbin/slapd': 'slapd',
  '/usr/sbin/freeradius': 'freeradius',
  '/usr/sbin/dnsmasq': 'dnsmasq-base',
  '/usr/bin/openssl': 'openssl',
  '/usr/bin/pebble': 'pebble',
  '/usr/bin/oathtool': 'oathtool',
  '/usr/bin/curl': 'curl',
  '/usr/bin/jq': 'jq',
  '/usr/bin/prometheus': 'prometheus',
  '/usr/bin/slowhttptest': 'slowhttptest',
  '/usr/bin/sqlmap': 'sqlmap',
  '/usr/bin/chromium': 'chromium',
  '/usr/bin/jupyter-notebook': 'jupyter-notebook',
  '/usr/bin/php': 'php-cli',
  '/usr/share/doc/php-sqlite3': 'php-sqlite3',
  '/usr/share/dokuwiki': 'dokuwiki',
  '/usr/share/adminer': 'adminer',
  '/usr/lib/postgresql': 'postgresql',
  '/usr/bin/sqlite3': 'sqlite3',
  '/usr/sbin/debootstrap': 'debootstrap',
  '/usr/bin/mmdebstrap': 'mmdebstrap',
  '/usr/bin/systemd-nspawn': 'systemd-container',
  '/usr/bin/lintian': 'lintian',
  '/usr/bin/strip': 'binutils',
  '/usr/sbin/ip': 'iproute2',
  '/usr/sbin/iptables': 'iptables',
  '/usr/bin/git': 'git',
  '/usr/lib/python3/dist-packages/cryptography': 'python3-cryptography',
  '/usr/lib/python3/dist-packages/zstandard': 'python3-zstandard',
  '/usr/lib/python3/dist-packages/argon2': 'python3-argon2',
}

/** One more than CI has processors: a sixth or more of what a test does is waiting, for clocks and for other programs. */
const filesAtOnce = 3

const everyTest = [
  '{libraries,protocols,services,programs,clients}/*/src/**/*.test.ts',
  '{tests,bench}/src/**/*.test.ts',
]

setUp()
installMissingPackages()
build()
const { passed, failed, skipped } = runTests(process.argv.slice(2))
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

function installMissingPackages() {
  const missing = Object.entries(packageOfProgram)
    .filter(([program]) => !existsSync(program))
    .map(([, name]) => name)
  if (missing.length === 0) return
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(`Tests that need these Debian packages will fail or be skipped: ${missing.join(' ')}`)
    return
  }
  console.error(`Installing Debian packages for the tests: ${missing.join(' ')} …`)
  installDebianPackages(missing)
}

function runTests(patterns) {
  const folder = mkdtempSync(join(tmpdir(), 'palisade-test-'))
  const counts = join(folder, 'counts.json')
  spawnSync(
    node,
    [
      '--conditions=source',
      '--test',
      `--test-concurrency=${filesAtOnce}`,
      '--test-timeout=600000',
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(root, 'scripts', 'count-tests.mjs')}`,
      `--test-reporter-destination=${counts}`,
      ...(patterns.length > 0 ? patterns : everyTest),
    ],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      // Hundreds of processes load the same modules: what one has compiled, the others take from here. So with what
      // takes long to make for a test and is the same for all.
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled'), PALISADE_TESTS_SHARE: folder },
    },
  )
  try {
    return JSON.parse(readFileSync(counts, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
