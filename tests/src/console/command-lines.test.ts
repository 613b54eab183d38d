import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { clientProgram } from '@palisade/cli'
import { ownEnvironment, palisade } from '../support/programs/program.ts'
import { cleanUp, newFolder } from '../support/programs/server.ts'
import { root } from '../support/repository/root.ts'

/** What begins with `palisade` and is a program of its own; everything else is a command to a running server. */
const programs = ['vault', 'rules', 'config', 'agent', 'proxy', 'serve', 'support']
/** The status of a command line that is wrong (docs/operating/command-line.md). */
const wrongCommandLine = 2
/** Stands for what a page fills in: a name, and a number where one is asked for. */
const word = '7'

const source = join(root, 'clients/console/src')
/** Where what needs attention is told with its remedy, which pages and messages show as a command line. */
const servers = ['services', 'programs/server']

after(cleanUp)

test('every palisade line that a page shows is one that the command takes', async () => {
  const lines = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => linesIn(readFileSync(join(source, file), 'utf8')).map((line) => ({ file, line })))
  const wrong: string[] = []
  for (const { file, line } of lines) {
    const problem = await problemOf(line)
    if (problem !== undefined) wrong.push(`${file}: ${line}: ${problem}`)
  }
  assert.deepEqual(wrong, [])
  // Whichever page has such a line writes it by one of these.
  const shown = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.startsWith('components/'))
    .flatMap((file) => readFileSync(join(source, file), 'utf8').match(/palisade=/g) ?? [])
  assert.ok(
    shown.length >= 30 && lines.length >= shown.length,
    `${lines.length} of ${shown.length} were read`,
  )
})

test('every palisade line of a remedy is one that the command takes', async () => {
  const files = servers.flatMap((folder) =>
    globSync('**/src/**/*.ts', { cwd: join(root, folder), exclude: ['**/node_modules', '**/*.test.ts'] }).map(
      (file) => join(folder, file),
    ),
  )
  const lines = files.flatMap((file) => remediesIn(readFileSync(join(root, file), 'utf8')))
  const commands = lines.flatMap((line) => line.split('; ')).filter((line) => line.startsWith('palisade '))
  const wrong: string[] = []
  for (const line of commands) {
    const problem = await problemOf(line.replaceAll(/\b(ID|SET)\b/g, word))
    if (problem !== undefined) wrong.push(`${line}: ${problem}`)
  }
  assert.deepEqual(wrong, [])
  assert.ok(
    lines.length >= 15 && commands.length >= 8,
    `${commands.length} commands in ${lines.length} remedies`,
  )
})

test('a line with a wrong command, option or word would be found', async () => {
  for (const line of [
    'palisade no such',
    'palisade audit list --none',
    'palisade status of',
    'palisade rules',
  ]) {
    assert.ok(await problemOf(line), line)
  }
})

/** The lines that a source file holds, with a word in the place of each value. A sentence that begins with the command is none. */
function linesIn(text: string): string[] {
  return Array.from(text.matchAll(/(?<=(["'`]))palisade /g), ({ index, 1: quote = '' }) =>
    literalAt(text, index, quote),
  ).filter((line) => !line.endsWith('.'))
}

/** The remedies that a source file holds, and lines of functions from which they come, with a word in the place of each value. */
function remediesIn(text: string): string[] {
  return Array.from(text.matchAll(/(?<=(?:remedy: |return )(["'`]))/g), ({ index, 1: quote = '' }) =>
    literalAt(text, index, quote),
  ).filter((line) => text.includes('remedy: ') && line.includes(' '))
}

/** The text of a literal from somewhere in it to its end. Options that a value may bring with it are taken as if it did. */
function literalAt(text: string, start: number, quote: string): string {
  let line = ''
  for (let at = start; text[at] !== quote; at++) {
    assert.ok(at < text.length, `no end of ${text.slice(start, start + 40)}`)
    if (quote !== '`' || !text.startsWith('${', at)) {
      line += text[at]
      continue
    }
    const end = endOfValue(text, at)
    line += textOf(text.slice(at + 2, end))
    at = end
  }
  return line
}

/** What stands for a value of a literal. */
function textOf(value: string): string {
  if (value.startsWith('computerOptions(')) return `--account ${word} --computer ${word}`
  const [, options] = /`( --.*)`/.exec(value) ?? []
  return options === undefined ? word : options.replaceAll(/\$\{.*?\}/g, word)
}

/** Where the `}` of a `${` is. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  throw new Error('a value without an end')
}

/** The commands to a running server, of which none calls it. */
const program = clientProgram()
let isTaken = false
withEach(program, (command) => {
  command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
  if (command.commands.length > 0) return
  command.action(() => {
    isTaken = true
  })
})

/** What is wrong with a command line; undefined when nothing is. Nothing is called. */
async function problemOf(line: string): Promise<string | undefined> {
  const [, name = '', ...rest] = line.split(' ')
  if (programs.includes(name)) {
    // There is nothing to work on in that folder, so that a line which is right ends as well.
    const { status, stderr } = spawnSync(process.execPath, [palisade, name, ...rest], {
      cwd: newFolder(),
      // What other variables say of Palisade is no matter of the line.
      env: ownEnvironment(),
      encoding: 'utf8',
    })
    return status === wrongCommandLine ? stderr : undefined
  }
  try {
    isTaken = false
    await program.parseAsync([name, ...rest], { from: 'user' })
    return isTaken ? undefined : 'it does nothing'
  } catch (error) {
    return String(error)
  }
}

type Command = ReturnType<typeof clientProgram>['commands'][number]

function withEach(
  command: Command | ReturnType<typeof clientProgram>,
  act: (command: Command) => void,
): void {
  act(command as Command)
  for (const inner of command.commands) withEach(inner, act)
}
