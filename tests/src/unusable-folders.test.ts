import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cleanUp, newFolder, Program, provisioned } from './support/index.ts'

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
const commands: readonly (readonly [string, () => readonly string[]])[] = [
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

test('a folder that the system does not make ends every program with one sentence that names the member', async () => {
  let ran = 0
  for (const [member, command] of commands) {
    const program = new Program(command())
    const { status } = await program.ended()
    const what = `${command()[0]}, ${member}`
    assert.equal(status, 1, `${what}: ${program.output}`)
    const sentence = `${member} names ${nowhere}, which cannot be used: the system makes nothing in /proc`
    const told = program.output.split('\n').filter((line) => !line.startsWith('{'))
    assert.equal(told.length, 1, `${what}: ${program.output}`)
    assert.ok(told[0]?.endsWith(sentence), `${what}: ${told[0]}`)
    ran++
  }
  assert.equal(ran, commands.length)
})
