import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { takeStateDirectory } from './state/state-directory.ts'
import { agentProgram, end } from './testing/agent/agent-program.ts'
import { ProtocolServer } from './testing/agent/protocol-server.ts'
import { temporaryDirectory } from './testing/temporary-directory.ts'
import { run } from './testing/tool.ts'

/** Runs the command until it ends by itself. */
async function command(...argv: readonly string[]) {
  const program = fileURLToPath(new URL('./testing/agent/agent-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=source', program, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, complaint, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { status, output, complaint }
}

const who = ['--account', 'acme', '--computer', '0001']

test('explains itself', async () => {
  const { status, output } = await command('--help')
  assert.equal(status, 0)
  assert.match(output, /^Usage: palisade agent/)
})

test('says what is wrong with a command line, and how it should be', async (t) => {
  const home = temporaryDirectory(t)
  const missing = join(home, 'missing')
  const empty = join(home, 'empty')
  writeFileSync(empty, '', { mode: 0o600 })
  const cases: readonly (readonly [RegExp, ...string[]])[] = [
    [/--server is missing/, ...who],
    [/--computer is missing/, '--server', 'http://127.0.0.1:1', '--account', 'acme'],
    [/must be an address/, '--server', 'backup.example.org', ...who],
    [/names http:\/\/a\/backup twice/, '--server', 'http://a', '--server', 'http://a/', ...who],
    [/--log-level must be one of/, '--server', 'http://127.0.0.1:1', ...who, '--log-level', 'loud'],
    [/either --key or --key-file/, '--server', 'http://127.0.0.1:1', ...who, '--key', 'a', '--key-file', 'b'],
    [
      /--key-file names \S+\/missing, which cannot be read: there is no such file/,
      '--server',
      'http://127.0.0.1:1',
      ...who,
      '--key-file',
      missing,
    ],
    [
      /--ca: \/dev\/null may be written by every user/,
      '--server',
      'https://127.0.0.1:1',
      ...who,
      '--ca',
      '/dev/null',
    ],
    [/there is no option --nonsense/, '--nonsense'],
    [/there is no option --restore-too \(did you mean --restore-to\?\)/, '--restore-too', '/disks'],
    [/--ca names \S+\/missing, which/, '--server', 'https://127.0.0.1:1', ...who, '--ca', missing],
    [
      /--ca names \S+\/empty, which does not begin with a certificate/,
      '--server',
      'https://127.0.0.1:1',
      ...who,
      '--ca',
      empty,
    ],
    [
      /--key-file names \S+\/empty, which is empty/,
      '--server',
      'https://127.0.0.1:1',
      ...who,
      '--key-file',
      empty,
    ],
    [/--threads must be/, '--server', 'http://127.0.0.1:1', ...who, '--threads', '0'],
    [/--threads must be/, '--server', 'http://127.0.0.1:1', ...who, '--threads', '65'],
  ]
  const replies = await Promise.all(cases.map(([, ...argv]) => command(...argv)))
  for (const [index, { status, complaint }] of replies.entries()) {
    assert.equal(status, 2)
    assert.match(complaint, cases[index]?.[0] ?? /./)
    assert.match(complaint, /; see palisade agent --help\n$/)
    assert.equal(complaint.split('\n').length, 2, 'one line')
  }
})

test('ends with a reason when the server does not accept the key, and does not repeat the key', async (t) => {
  const directory = temporaryDirectory(t)
  const keyFile = join(directory, 'key')
  writeFileSync(keyFile, 'not-the-key\n', { mode: 0o600 })
  const server = await ProtocolServer.start()
  t.after(() => server.stop())
  const reply = await command(
    '--server',
    server.url,
    ...who,
    '--key-file',
    keyFile,
    '--state',
    join(directory, 'state'),
  )
  assert.equal(reply.status, 1)
  assert.match(reply.complaint, /does not enrol this computer.*401/)
  assert.ok(!`${reply.output}${reply.complaint}`.includes('not-the-key'))
})

test('ends with a reason when another agent uses the state directory', async (t) => {
  const directory = temporaryDirectory(t)
  const state = takeStateDirectory(join(directory, 'state'))
  t.after(() => state.release())
  const reply = await command(
    '--server',
    'http://127.0.0.1:1',
    ...who,
    '--key',
    'k',
    '--state',
    join(directory, 'state'),
  )
  assert.equal(reply.status, 1)
  assert.match(reply.complaint, /another agent uses/)
})

test('SIGTERM ends an agent whose threads wait for a file system that does not answer', async (t) => {
  const directory = temporaryDirectory(t)
  const pipe = join(directory, 'pipe')
  run('mkfifo', pipe)
  const server = await ProtocolServer.start()
  t.after(() => server.stop())
  process.env.PALISADE_TEST_PIPE = pipe
  t.after(() => delete process.env.PALISADE_TEST_PIPE)
  const program = fileURLToPath(new URL('./testing/agent/blocked-agent-process.ts', import.meta.url))
  const start = agentProgram(t, server, join(directory, 'state'), [], program)
  // Nobody ever writes to the pipe: without a bound this does not end.
  await end(await start(), 'SIGTERM')
})
