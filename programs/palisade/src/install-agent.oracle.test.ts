import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const deploy = fileURLToPath(new URL('../deploy', import.meta.url))
const script = join(deploy, 'install-agent.sh')

function temporaryDirectory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'palisade-agent-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A folder to install into, and a program that says how it was called. */
function setUp(t: TestContext) {
  const directory = temporaryDirectory(t)
  const root = join(directory, 'root')
  const program = join(directory, 'package')
  mkdirSync(join(program, 'bin'), { recursive: true })
  writeFileSync(join(program, 'package.json'), '{"type":"module"}')
  writeFileSync(join(program, 'bin/palisade.js'), 'console.log("one", ...process.argv.slice(2))')
  const key = join(directory, 'key')
  writeFileSync(key, 'let-me-in\n', { mode: 0o644 })
  const install = (...parameters: string[]) => {
    const always = ['--root', root, '--package', program, '--node', process.execPath]
    const { status, stderr } = spawnSync('sh', [script, ...always, ...parameters], { encoding: 'utf8' })
    return { status, stderr }
  }
  const first = [
    ...['--server', 'https://backup.example.org:8444/backup', '--account', 'acme'],
    ...['--computer', '0001', '--key-file', key],
  ]
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  return { root, program, install, first, read }
}

const hasJudges = ['/usr/bin/shellcheck', '/usr/bin/systemd-analyze'].every((program) => existsSync(program))

test('the installer is approved by shellcheck', { skip: !hasJudges && 'not installed' }, () => {
  const { status, stdout } = spawnSync('shellcheck', ['--shell=sh', script], { encoding: 'utf8' })
  assert.deepEqual([status, stdout], [0, ''])
})

/** The most that systemd's judgement of exposure may be, from 0 (none) to 10. The agent is root and reads disks. */
const exposureMost = { palisade: 1.7, 'palisade-proxy': 1.7, 'palisade-agent': 3 }

for (const [name, most] of Object.entries(exposureMost)) {
  test(`systemd approves of ${name}.service`, { skip: !hasJudges && 'not installed' }, (t) => {
    const unit = join(temporaryDirectory(t), `${name}.service`)
    // The program is not installed here; everything else is to be right.
    const text = readFileSync(join(deploy, `${name}.service`), 'utf8')
    writeFileSync(unit, text.replaceAll(/=\S+\/bin\/palisade /g, '=/bin/true '))
    const analyze = (...parameters: string[]) =>
      spawnSync('systemd-analyze', [...parameters, unit], { encoding: 'utf8' })
    const { status, stderr } = analyze('verify', '--man=no')
    assert.equal(status, 0, stderr)
    // Of units of Debian's packages that are loaded besides, it complains, too.
    assert.doesNotMatch(stderr, /^(?!\/(?:usr\/)?lib\/systemd\/system\/)./m)
    const { stdout } = analyze('security', '--offline=yes')
    const [, exposure] = /Overall exposure level for \S+: (\d+\.\d+)/.exec(stdout) ?? []
    assert.ok(Number(exposure) <= most, stdout)
  })
}

test('installs the program, its settings and its key, readable by root only', (t) => {
  const { root, install, first, read } = setUp(t)
  assert.deepEqual(install(...first), { status: 0, stderr: '' })
  assert.match(
    read('etc/palisade/agent.conf'),
    /^PALISADE_SERVER="https:\/\/backup\.example\.org:8444\/backup"$/m,
  )
  assert.equal(read('etc/palisade/enrolment.key'), 'let-me-in\n')
  for (const [path, mode] of [
    ['etc/palisade/agent.conf', 0o600],
    ['etc/palisade/enrolment.key', 0o600],
  ] as const) {
    assert.equal(statSync(join(root, path)).mode & 0o777, mode, path)
  }
  assert.ok(existsSync(join(root, 'etc/systemd/system/palisade-agent.service')))
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'opt/palisade/program/bin/palisade.js'), 'agent'],
    {
      encoding: 'utf8',
    },
  )
  assert.equal(stdout, 'one agent\n')
})

test('the installed command starts from any folder, also when Node was named from the one of the installer', (t) => {
  const { install, first, read } = setUp(t)
  const node = relative(process.cwd(), process.execPath)
  assert.ok(!isAbsolute(node))
  assert.deepEqual(install(...first, '--node', node), { status: 0, stderr: '' })
  assert.match(read('opt/palisade/bin/palisade'), new RegExp(`^exec "${process.execPath}" `, 'm'))
})

test('a server of the same computer keeps its configuration', (t) => {
  const { root, install, first, read } = setUp(t)
  mkdirSync(join(root, 'etc/palisade'), { recursive: true })
  writeFileSync(join(root, 'etc/palisade/palisade.yaml'), 'dataDirectory: /srv')
  const { mode } = statSync(join(root, 'etc/palisade'))
  assert.equal(install(...first).status, 0)
  assert.equal(install('--uninstall', '--purge').status, 0)
  assert.equal(read('etc/palisade/palisade.yaml'), 'dataDirectory: /srv')
  assert.equal(statSync(join(root, 'etc/palisade')).mode, mode)
  assert.ok(!existsSync(join(root, 'etc/palisade/enrolment.key')))
})

test('a package of npm is installed with what it needs, wherever npm has put that', (t) => {
  const { root, first } = setUp(t)
  for (const modules of ['node_modules', 'node_modules/palisade/node_modules']) {
    const folder = temporaryDirectory(t)
    const machine = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64'
    const brought = join(modules, `node-${machine}`, 'bin/node')
    const scripts = { [brought]: '#!/bin/sh\necho v24.1.0\n', 'node_modules/palisade/bin/palisade.js': '' }
    for (const [path, text] of Object.entries(scripts)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text, { mode: 0o755 })
    }
    cpSync(deploy, join(folder, 'node_modules/palisade/deploy'), { recursive: true })
    const installer = join(folder, 'node_modules/palisade/deploy/install-agent.sh')
    const { status, stderr } = spawnSync('sh', [installer, '--root', root, ...first], { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''])
    const command = readFileSync(join(root, 'opt/palisade/bin/palisade'), 'utf8')
    const [, node = '', program = ''] = /^exec "(.*?)" "(.*?)"/m.exec(command) ?? []
    assert.ok(existsSync(join(root, node)) && existsSync(join(root, program)), command)
  }
})

test('the program is run by the Node that was installed beside it, whatever the machine has', (t) => {
  const { root, program, first } = setUp(t)
  const brought = 'node_modules/node/bin/node'
  const scripts = { [join(program, brought)]: 'v24.1.0', [join(root, '../bin/node')]: 'v20.19.0' }
  for (const [path, version] of Object.entries(scripts)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 })
  }
  const parameters = [script, '--root', root, '--package', program, ...first]
  const env = { PATH: `${join(root, '../bin')}:/usr/bin:/bin` }
  const install = () => spawnSync('sh', parameters, { encoding: 'utf8', env })

  assert.deepEqual([install().stderr, install().status], ['', 0])
  const command = readFileSync(join(root, 'opt/palisade/bin/palisade'), 'utf8')
  assert.match(command, new RegExp(`^exec "/opt/palisade/program/${brought}" `, 'm'))
  assert.ok(existsSync(join(root, 'opt/palisade/program', brought)))

  rmSync(join(program, 'node_modules'), { recursive: true })
  assert.match(install().stderr, /v20\.19\.0 is too old/)
})

test('run again it upgrades the program and keeps the settings that are not given', (t) => {
  const { root, program, install, first, read } = setUp(t)
  install(...first, '--options', '--bandwidth 20M')
  const before = read('etc/palisade/agent.conf')
  writeFileSync(join(program, 'bin/palisade.js'), 'console.log("two")')
  assert.deepEqual(install(), { status: 0, stderr: '' })
  assert.equal(read('etc/palisade/agent.conf'), before)
  assert.match(read('opt/palisade/program/bin/palisade.js'), /two/)
  assert.ok(!existsSync(join(root, 'opt/palisade/old')) && !existsSync(join(root, 'opt/palisade/new')))
  assert.equal(install('--computer', '0002', '--options', '').status, 0)
  assert.match(read('etc/palisade/agent.conf'), /COMPUTER="0002"[\s\S]*OPTIONS=""/)
})

test('folders for restores are added to the options, once', (t) => {
  const { install, first, read } = setUp(t)
  const places = ['--restore-to', '/srv/restores', '--restore-to', '//nas/backups']
  assert.equal(install(...first, '--options', '--bandwidth 20M', ...places).status, 0)
  const line =
    /^PALISADE_OPTIONS="--bandwidth 20M --restore-to \/srv\/restores --restore-to \/\/nas\/backups"$/m
  assert.match(read('etc/palisade/agent.conf'), line)
  assert.equal(install(...places).status, 0)
  assert.match(read('etc/palisade/agent.conf'), line)
  assert.equal(install().status, 0)
  assert.match(read('etc/palisade/agent.conf'), line)
})

test('several servers are those that were named last', (t) => {
  const { install, first, read } = setUp(t)
  const others = ['two', 'three'].flatMap((name) => ['--server', `https://${name}.example.org`])
  assert.equal(install(...first, ...others, '--options', '--bandwidth 20M').status, 0)
  const settings = () => read('etc/palisade/agent.conf')
  const options = '--bandwidth 20M --server https://two.example.org --server https://three.example.org'
  assert.ok(settings().includes(`PALISADE_OPTIONS="${options}"`), settings())
  assert.match(settings(), /^PALISADE_SERVER="https:\/\/backup\.example\.org:8444\/backup"$/m)
  assert.equal(install('--computer', '0002').status, 0)
  assert.ok(settings().includes(`PALISADE_OPTIONS="${options}"`), settings())
  assert.equal(install('--server', 'https://four.example.org').status, 0)
  assert.match(settings(), /^PALISADE_SERVER="https:\/\/four\.example\.org"$/m)
  assert.match(settings(), /^PALISADE_OPTIONS="--bandwidth 20M"$/m)
})

test('says what is missing or wrong, and changes nothing then', (t) => {
  const { root, program, install, first } = setUp(t)
  const refusals = [
    [[], /--server is missing/],
    [first.slice(0, 6), /--key-file is missing/],
    [[...first, '--server', 'backup.example.org'], /must begin with https/],
    [[...first, '--server', 'https://a b'], /without spaces/],
    [[...first, '--account', 'a"b'], /quotation marks/],
    [[...first, '--options', '$(reboot)'], /dollar signs/],
    [[...first, '--key-file', '/nowhere'], /\/nowhere cannot be read/],
    [[...first, '--package', join(program, 'bin')], /holds no program/],
    [[...first, '--node', '/bin/nowhere'], /no Node\.js/],
    [[...first, '--colour'], /unknown option --colour/],
    [['--server'], /--server needs a value/],
    [[...first, '--restore-to', 'restores'], /must begin with/],
    [[...first, '--restore-to', '/srv/my restores'], /without spaces/],
  ] as const
  for (const [parameters, message] of refusals) {
    const { status, stderr } = install(...parameters)
    assert.equal(status, 1)
    assert.match(stderr, message)
    assert.ok(!existsSync(root))
  }
})

test('is removed again, with its settings and state only when asked', (t) => {
  const { root, install, first } = setUp(t)
  install(...first)
  mkdirSync(join(root, 'var/lib/palisade-agent'), { recursive: true })
  assert.equal(install('--uninstall').status, 0)
  assert.ok(!existsSync(join(root, 'opt/palisade')))
  assert.ok(!existsSync(join(root, 'etc/systemd/system/palisade-agent.service')))
  assert.ok(existsSync(join(root, 'etc/palisade/agent.conf')))
  assert.equal(install('--uninstall', '--purge').status, 0)
  assert.ok(!existsSync(join(root, 'etc/palisade')) && !existsSync(join(root, 'var/lib/palisade-agent')))
})
