import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { cleanUp, newFolder, Program, palisade, provisioned } from './index.ts'
import { descendantsOf, runs } from './support/programs/process-state.ts'

after(cleanUp)

/** A line for people: when, how severe, what. */
const textPattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (INFO|WARN) {1,2}\S/
/** Begins a colour. */
const beginOfColour = '\u001b['

function serverFile(log: object): string {
  const folder = newFolder()
  const file = join(folder, 'palisade.json')
  const firewall = { ...provisioned.firewall, runProxy: true }
  writeFileSync(file, JSON.stringify({ ...provisioned, dataDirectory: join(folder, 'data'), firewall, log }))
  return file
}

/** Runs a server on a terminal of its own until its proxy carries traffic. @returns the lines, as a terminal gets them */
async function onTerminal(log: object, environment: Readonly<Record<string, string>>): Promise<string[]> {
  const command = [process.execPath, palisade, 'serve', '--config', serverFile(log)].join(' ')
  const { PATH = '' } = process.env
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH, TERM: 'xterm', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const lines: string[] = []
  const ended = once(child, 'close')
  const deadline = setTimeout(() => child.kill('SIGKILL'), 120_000)
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (!line.includes('carrying traffic')) continue
    // `script` would kill what it has started.
    for (const pid of descendantsOf(child.pid ?? 0)) if (runs(pid)) process.kill(pid, 'SIGTERM')
  }
  await ended
  clearTimeout(deadline)
  return lines
}

test('on a terminal, lines of the server and of its proxy are for people, and in colour', async () => {
  const lines = await onTerminal({ level: 'info' }, {})
  const logged = lines.filter((line) => textPattern.test(stripVTControlCharacters(line)))
  assert.ok(
    logged.some((line) => line.includes('ready')),
    lines.join('\n'),
  )
  assert.ok(
    logged.some((line) => line.includes('carrying traffic')),
    lines.join('\n'),
  )
  for (const line of logged) assert.ok(line.includes(beginOfColour), line)
  assert.deepEqual(
    lines.filter((line) => line.startsWith('{')),
    [],
  )
})

test('with NO_COLOR they are without colours, and as JSON where that is configured', async () => {
  const plain = await onTerminal({ level: 'info' }, { NO_COLOR: '1' })
  assert.ok(plain.some((line) => textPattern.test(line)))
  assert.ok(!plain.join('\n').includes(beginOfColour))
  const json = await onTerminal({ level: 'info', format: 'json' }, {})
  assert.ok(json.some((line) => /^\{.*"msg":"carrying traffic"\}/.test(line)))
  assert.equal(json.filter((line) => textPattern.test(line)).length, 0)
})

test('in a pipe, lines are JSON without a member twice, and text where that is configured', async () => {
  const program = new Program(['serve', '--config', serverFile({ level: 'info' })])
  await program.line(/"msg":"a spare worker is ready"/)
  await program.stop()
  const lines = program.output.split('\n').filter((line) => line.startsWith('{'))
  assert.ok(lines.length > 5)
  for (const line of lines) {
    const { level, time } = JSON.parse(line)
    assert.equal(typeof level, 'number')
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    for (const member of ['pid', 'level', 'time', 'msg', 'hostname']) {
      assert.equal(line.split(`"${member}":`).length, 2, `${member}: ${line}`)
    }
  }
  const text = new Program(['serve', '--config', serverFile({ level: 'info' }), '--log-format', 'text'])
  await text.line(/ INFO {2}carrying traffic/)
  await text.stop()
  assert.doesNotMatch(text.output, /^\{/m)
  assert.ok(!text.output.includes(beginOfColour))
  const agent = new Program([
    'agent',
    '--server',
    'http://127.0.0.1:9/backup',
    '--account',
    'a',
    '--computer',
    'c',
    '--key',
    'k',
    '--state',
    join(newFolder(), 'state'),
    '--log-format',
    'text',
  ])
  await agent.line(textPattern)
  await agent.stop()
})
