import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cleanUp, newFolder, Program, provisioned } from './index.ts'

after(cleanUp)

/** The configuration of a server in a file, with these members in the place of those of the tests. */
function serverFile(members: object): string {
  const folder = newFolder()
  const file = join(folder, 'palisade.json')
  writeFileSync(file, JSON.stringify({ ...provisioned, dataDirectory: join(folder, 'data'), ...members }))
  return file
}

function proxyFile(members: object): string {
  const file = join(newFolder(), 'proxy.json')
  writeFileSync(file, JSON.stringify({ key: 'none', ...members }))
  return file
}

const nowhere = '/proc/x'
const agent = [
  'agent',
  '--server',
  'http://127.0.0.1:9/backup',
  '--account',
  'a',
  '--computer',
  'c',
  '--key',
  'k',
]

/** What names a folder, and a command line with one that the system does not make. */
const withFolders: readonly (readonly [string, () => readonly string[]])[] = [
  ['dataDirectory', () => ['serve', '--config', serverFile({ dataDirectory: nowhere })]],
  [
    'dataDirectory',
    () => ['rules', 'install', '/dev/null', '--config', serverFile({ dataDirectory: nowhere })],
  ],
  [
    'backup.vault.directory',
    () => [
      'serve',
      '--config',
      serverFile({ backup: { ...provisioned.backup, vault: { directory: nowhere } } }),
    ],
  ],
  [
    'firewall.jsonLogsFolder',
    () => [
      'serve',
      '--config',
      serverFile({ firewall: { ...provisioned.firewall, jsonLogsFolder: nowhere } }),
    ],
  ],
  ['stateDirectory', () => ['proxy', '--config', proxyFile({ stateDirectory: nowhere })]],
  ['stateDirectory', () => ['proxy', '--end-orphans', '--config', proxyFile({ stateDirectory: nowhere })]],
  ['--state', () => [...agent, '--state', nowhere]],
]

/** A command line, and the whole of what is said of it. */
const others: readonly (readonly [RegExp, () => readonly string[]])[] = [
  [
    /^The configuration \/nope\.yaml cannot be read: there is no such file$/,
    () => ['serve', '--config', '/nope.yaml'],
  ],
  [
    /^The configuration \/nope\.json cannot be read: there is no such file$/,
    () => ['proxy', '--config', '/nope.json'],
  ],
  [
    /: firewall\.certificate\.certificateFile names \/nope\.pem, which cannot be read: there is no such file$/,
    () => ['serve', '--config', serverFile({ firewall: { ...provisioned.firewall, ...withCertificate } })],
  ],
  [
    /: services\.certificate\.certificateFile names \/nope\.pem, which cannot be read: there is no such file$/,
    () => ['serve', '--config', serverFile({ services: { ...provisioned.services, ...withCertificate } })],
  ],
  [
    /: database names the PostgreSQL at 127\.0\.0\.1:1\/x, which cannot be used: nothing listens there: start PostgreSQL, or correct the address$/,
    () => ['serve', '--config', serverFile({ database: 'postgres://u:s3cret@127.0.0.1:1/x' })],
  ],
  [
    /: backup\.vault\.passphraseFile names \/nope, which cannot be read: there is no such file$/,
    () => [
      'serve',
      '--config',
      serverFile({ backup: { ...provisioned.backup, vault: { passphraseFile: '/nope' } } }),
    ],
  ],
  [
    /: backup\.vault\.keyFile names \/proc\/x\/vault\.key, .*there is no folder \/proc\/x$/,
    () => [
      'serve',
      '--config',
      serverFile({ backup: { ...provisioned.backup, vault: { keyFile: '/proc/x/vault.key' } } }),
    ],
  ],
  [
    /: keyFile names \/nope, which cannot be read: there is no such file\.$/,
    () => ['proxy', '--config', proxyFile({ key: undefined, keyFile: '/nope' })],
  ],
]
const withCertificate = {
  certificate: { certificateFile: '/nope.pem', keyFile: '/nope.key' },
}

/** A misspelt option of each program, and what it says. */
const misspelt: readonly (readonly [string, ...string[]])[] = [
  [
    'there is no option --log-levl (did you mean --log-level?); see palisade serve --help',
    'serve',
    '--log-levl',
    'info',
  ],
  [
    'there is no option --read-dat (did you mean --read-data?); see palisade vault --help',
    'vault',
    'check',
    '--read-dat',
  ],
  [
    'there is no option --sha25 (did you mean --sha256?); see palisade rules --help',
    'rules',
    'list',
    '--sha25',
    'x',
  ],
  ['there is no option --confg (did you mean --config?); see palisade proxy --help', 'proxy', '--confg', 'x'],
  [
    'there is no option --acount (did you mean --account?); see palisade agent --help',
    'agent',
    '--acount',
    'x',
  ],
]

const programs = ['serve', 'config', 'vault', 'support', 'rules', 'proxy', 'agent']

/** What a program that has to end says, without the lines of its log. */
async function output(command: readonly string[], status: number): Promise<string> {
  const program = new Program(command)
  const ended = await program.ended()
  assert.equal(ended.status, status, `${command}: ${program.output}`)
  assert.ok(!program.output.includes('s3cret'), program.output)
  return program.output
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n')
}

test('a folder that the system does not make ends every program with one sentence that names the member', async () => {
  let ran = 0
  for (const [member, command] of withFolders) {
    const sentence = `${member} names ${nowhere}, which cannot be used: the system makes nothing in /proc`
    const message = await output(command(), 1)
    assert.ok(message.endsWith(sentence) && !message.includes('\n'), message)
    ran++
  }
  assert.equal(ran, withFolders.length)
})

test('files and databases that cannot be used end every program with one sentence that names the member', async () => {
  let ran = 0
  for (const [sentence, command] of others) {
    assert.match(await output(command(), 1), sentence)
    ran++
  }
  assert.equal(ran, others.length)
})

test('a port that another program has ends the server with the member that names it', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as AddressInfo
  const sentence = await output(
    ['serve', '--config', serverFile({ services: { listen: { http: 0, https: port } } })],
    1,
  )
  blocker.close()
  assert.equal(
    sentence,
    `Palisade cannot start: services.listen.https names 127.0.0.1, port ${port}, which cannot be opened: another program listens there already`,
  )
})

test('a misspelt option is refused with the one that may be meant, and without the whole usage', async () => {
  let ran = 0
  for (const [sentence, ...command] of misspelt) {
    assert.equal(await output(command, 2), sentence)
    ran++
  }
  assert.equal(ran, misspelt.length)
})

test('every program says how it is used', async () => {
  let ran = 0
  for (const name of programs) {
    assert.match(await output([name, '--help'], 0), new RegExp(`^Usage: palisade ${name} `))
    assert.match(await output([name, '-h'], 0), new RegExp(`^Usage: palisade ${name} `))
    ran++
  }
  assert.equal(ran, programs.length)
})
