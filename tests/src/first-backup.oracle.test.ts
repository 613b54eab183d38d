import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { guestDisks } from './support/backup/guests.ts'
import { freePort } from './support/firewall/proxy.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder } from './support/programs/server.ts'
import { follow, passagesIn } from './support/repository/document-commands.ts'
import { root } from './support/repository/root.ts'

after(cleanUp)

const disks = guestDisks()
/** Guests are started twice, and compute every instruction. */
const timeout = 600_000

/** Where the file system with the guest's program begins on its disk, in bytes. */
function systemOffset(path: string): number {
  const { partitiontable } = JSON.parse(
    execFileSync('/usr/sbin/sfdisk', ['--json', path], { encoding: 'utf8' }),
  )
  const [, system] = partitiontable.partitions
  return system.start * partitiontable.sectorsize
}

/** The disk of a machine that asks who logs in when it is up. */
function makeDisk(path: string, from: string): void {
  copyFileSync(from, path)
  const program = join(root, 'programs/backup-agent/src/hosts/testing/guest-init.sh')
  const plain = readFileSync(program, 'utf8')
  const asking = plain.replace(/^say up=yes$/m, "$&\necho 'files01 login: '")
  assert.notEqual(asking, plain)
  writeFileSync(`${path}.init`, asking)
  const commands = ['rm /init', `write ${path}.init /init`, 'sif /init mode 0100755']
  const system = `${path}?offset=${systemOffset(path)}`
  execFileSync('/usr/sbin/debugfs', ['-w', '-f', '-', system], {
    input: `${commands.join('\n')}\n`,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // It ends well whatever became of its commands.
  assert.equal(execFileSync('/usr/sbin/debugfs', ['-R', 'cat /init', system], { encoding: 'utf8' }), asking)
}

/** A program for the installer to install: that of the repository is large, and is installed elsewhere. */
function makePackage(folder: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(join(folder, 'bin/palisade.js'), '')
}

test('the commands of the document back a machine up, restore it, and show that it starts', {
  skip: 'why' in disks && disks.why,
  timeout,
}, async () => {
  assert.ok(!('why' in disks))
  const home = newFolder()
  const folder = join(home, 'first-backup')
  mkdirSync(folder)
  makeDisk(join(folder, 'disk.raw'), disks.uefi)
  makePackage(join(home, 'package'))

  const [port, data] = [await freePort(), join(home, 'data')]
  const server = new Program([
    ...['serve', '--data-directory', data, '--services-listen-http', `${port}`],
    ...['--services-listen-https', '0', '--firewall-listen-http', '0', '--firewall-listen-https', '0'],
    ...['--firewall-run-proxy', 'false'],
  ])
  const [, secret = ''] = await server.line(/backup +client_id admin +client_secret (\S+)/)
  const [, key = ''] = await server.line(/computer main\/0001 +enrolment key (\S+)/)
  await server.line(/"msg":"ready"/)

  const installed = join(home, 'installed')
  const passages = passagesIn('docs/operating/first-backup.md', {
    ':8080': `:${port}`,
    'the client_secret of backup': secret,
    'the enrolment key': key,
    ' data/': ` ${data}/`,
    'sudo palisade agent install': `palisade agent install --root ${installed} --package ${home}/package`,
  })
  await follow(passages, {
    cwd: root,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: home },
    timeoutMs: timeout,
  })
  const settings = readFileSync(join(installed, 'etc/palisade/agent.conf'), 'utf8')
  assert.match(settings, /^PALISADE_OPTIONS=".*--ca .*--restore-to \/srv\/restores"$/m)
  assert.equal(await server.stop(), 0)
})
