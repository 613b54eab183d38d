import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { calledOperations, clientProgram } from '@palisade/cli'
import { root } from './support/repository/root.ts'

/** The OpenAPI documents whose operations commands name (`calls` of clients/cli/src/operations.ts). */
const documents = ['admin', 'awareness', 'backup', 'email', 'firewall'] as const

const computer = '/v2/accounts/{account_id}/computers/{computer_id}'

/** Operations that no command calls: the document, how their addresses begin or the id of one, and why. */
const withoutCommand = [
  [
    'admin',
    '/backup/accounts/{account}/computers/{computer}/revoke',
    'do what "palisade backup revoke" does by the backup API',
  ],
  [
    'admin',
    '/firewall/administrators',
    'list who may be called as, which "palisade firewall list users" does',
  ],
  ['firewall', '/restapi/v3.2/logs/', 'find what "palisade firewall logs" finds, for older clients'],
  ['firewall', 'addCertificate', 'does what "palisade firewall certificates" does, for older clients'],
  ['admin', '/login', 'lead a browser to the provider of single sign-on and back'],
  ['admin', '/operators/{operator}/passkey-', 'register a passkey, which a browser makes'],
  ['admin', '/session/passkey', 'log in with a passkey, which a browser has'],
  ['backup', `${computer}/action/`, 'tell a part of what an action tells at /backupsets/{id}/info'],
  ['backup', `${computer}/backupsets/{id}`, 'read one set, which commands find by name in the list'],
  ['backup', `${computer}/restore/diskimage/standard/vm/validate/`, 'are made by each restore as a machine'],
  ['backup', `${computer}/restore/hyperv/session/{id}`, 'tell of a session, which a command does not keep'],
] as const

interface Operation {
  readonly document: string
  readonly operation: string
  readonly path: string
}

function operationsOf(document: string): Operation[] {
  const { paths } = JSON.parse(
    readFileSync(join(root, 'clients/contract/openapi', `${document}.json`), 'utf8'),
  )
  return Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.values(item).flatMap(({ operationId }) =>
      operationId === undefined ? [] : [{ document, operation: operationId, path }],
    ),
  )
}

const isOf = ({ document, operation, path }: Operation, [its, place]: (typeof withoutCommand)[number]) =>
  document === its && (path.startsWith(place) || operation === place)

const operations = documents.flatMap(operationsOf)
const called = await calledOperations(clientProgram())
const nameOf = ({ document, operation }: { document: string; operation: string }) =>
  `${document} ${operation}`

test('every operation is called by a command, or is listed here with a reason', () => {
  assert.ok(operations.length > 60, `only ${operations.length} operations were read`)
  const names = new Set(called.map(nameOf))
  const isListed = (one: Operation) => withoutCommand.some((listed) => isOf(one, listed))
  assert.deepEqual(
    operations.filter((one) => !names.has(nameOf(one)) && !isListed(one)).map(nameOf),
    [],
    'give these a command, and name them with calls() there',
  )
  for (const listed of withoutCommand) {
    assert.ok(
      operations.some((one) => isOf(one, listed) && !names.has(nameOf(one))),
      `every operation of ${listed[0]} at ${listed[1]} has a command: take the line out`,
    )
  }
})

test('commands name operations that there are', () => {
  const names = new Set(operations.map(nameOf))
  assert.deepEqual(
    called.filter((one) => !names.has(nameOf(one))).map((one) => `${one.command}: ${nameOf(one)}`),
    [],
  )
})

type Command = ReturnType<typeof clientProgram>['commands'][number]

/** Commands that do something, with the words that they are typed with. */
function actionsBelow(command: Command, words: string): [words: string, command: Command][] {
  if (command.commands.length === 0) return [[words, command]]
  return command.commands.flatMap((inner) => actionsBelow(inner, `${words} ${inner.name()}`))
}

/** What is not for people, and the help itself. */
const withoutExamples = ['complete', 'help']

test('the help of every command has examples of it, with options that it has', () => {
  const actions = clientProgram()
    .commands.filter((command) => !withoutExamples.includes(command.name()))
    .flatMap((command) => actionsBelow(command, `palisade ${command.name()}`))
  let examples = 0
  for (const [words, command] of actions) {
    const [, ...parts] = helpOf(command).split('Examples:\n')
    const lines = parts.flatMap((part) => part.split('\n')).filter((line) => line.trim() !== '')
    assert.ok(lines.length > 0, `${words} has no examples`)
    for (const line of lines) {
      assert.ok(line.includes(words), `${words}: ${line}`)
      const beforePipe = line.replace(/ [|>] .*| {2,}#.*/, '')
      for (const [option] of beforePipe.matchAll(/(?<= )--[a-z-]+/g)) {
        const isOption = command.options.some(({ long }) => long === option)
        assert.ok(isOption, `${words} has no ${option}`)
      }
      examples++
    }
  }
  assert.ok(examples > 60, `only ${examples} examples were read`)
})

const documentedProgram = clientProgram()

test('documents name commands that there are, with options that they have', () => {
  const pages = globSync(['*.md', 'docs/operating/*.md', '{clients,programs,services}/*/README.md'], {
    cwd: root,
  })
  let read = 0
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/\\\n\s*/g, ' ')
    for (const [, line = ''] of text.matchAll(/(?:^|`)palisade ([a-z][^`\n]*)/gm)) {
      const words = line.replace(/ [|>#] .*/, '').split(' ')
      const [command, called] = commandOf(words)
      if (command === undefined) continue
      assert.ok(
        command.commands.length === 0 || called.length === words.length,
        `${page}: no palisade ${line}`,
      )
      for (const option of words.filter((word) => word.startsWith('--'))) {
        const isOption = command.options.some(({ long }) => long === option)
        assert.ok(isOption, `${page}: palisade ${called.join(' ')} has no ${option}`)
      }
      read++
    }
  }
  assert.ok(read > 60, `only ${read} commands were read`)
})

/** The command that words call, and those that name it; undefined for what starts a program, such as "serve". */
function commandOf(words: readonly string[]): [command: Command | undefined, called: readonly string[]] {
  let command: Command | undefined
  let among = documentedProgram.commands
  const called: string[] = []
  for (const word of words) {
    const next = among.find((one) => one.name() === word)
    if (next === undefined) break
    command = next
    among = next.commands
    called.push(word)
  }
  // A group of commands lists when it is told options alone.
  const isListed = words[called.length]?.startsWith('-')
  return [(isListed ? among.find((one) => one.name() === 'list') : undefined) ?? command, called]
}

function helpOf(command: Command): string {
  let help = ''
  command.configureOutput({ writeOut: (text: string) => (help += text) })
  command.outputHelp()
  return help
}
