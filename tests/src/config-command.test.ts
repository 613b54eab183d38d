import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

after(cleanUp)

const faulty = `log: { level: loud }
firewal: {}
firewall:
  certificate: { certificateFile: /nope.pem, keyFile: /nope.key }
email:
  apiClients:
    - clientId: a
      clientSecret: s3cret
      accounts: []
      scopes: []
backup:
  accounts:
    - id: acme
    - id: acme
  vault: { keyFile: /a, passphraseFile: /b }
log: { level: loud }
`

/** What is said of it, after the name of the file. */
const faults = [
  ':2:1: firewal is no member of the configuration: did you mean firewall?',
  ':4:18: firewall.certificate.certificateFile names /nope.pem, which cannot be read: there is no such file',
  ':8:7: email.apiClients.0.clientSecret must be a text of at least 8 characters',
  ':14:7: backup.accounts.1 repeats an id',
  ':15:25: backup.vault.passphraseFile cannot be given together with keyFile',
  ':16:1: log is given twice: line 1 has it already',
  ':16:8: log.level is "loud": it must be one of trace, debug, info, warn, error, fatal and silent',
]

function fileWith(text: string): string {
  const file = join(newFolder(), 'palisade.yaml')
  writeFileSync(file, text, { mode: 0o600 })
  return file
}

async function ran(...argv: string[]): Promise<{ status: number | null; output: string }> {
  const program = new Program(argv)
  const { status } = await program.ended()
  return { status, output: program.output }
}

test('config check names every fault with its line and column, and no secret', async () => {
  const file = fileWith(faulty)
  const { status, output } = await ran('config', 'check', file)
  assert.equal(status, 1)
  assert.deepEqual(
    output.split('\n'),
    faults.map((fault) => `${file}${fault}`),
  )
  assert.ok(!output.includes('s3cret'))
})

test('serve refuses a file with the same lines', async () => {
  const file = fileWith(faulty)
  const { status, output } = await ran('serve', '--config', file)
  assert.equal(status, 1)
  assert.deepEqual(output.split('\n'), [
    `The configuration ${file} is not valid:`,
    ...faults.map((fault) => `${file}${fault}`),
  ])
})

test('serve names the place of what contradicts the store', async () => {
  const home = newFolder()
  const text = JSON.stringify({
    ...provisioned,
    dataDirectory: join(home, 'data'),
    firewall: {
      ...provisioned.firewall,
      administrators: [{ username: 'admin', password: 'correct horse', role: 'king' }],
    },
  })
  const file = fileWith(text)
  const checked = await ran('config', 'check', file)
  assert.deepEqual(checked, { status: 0, output: `The configuration ${file} is valid.` })
  const { status, output } = await ran('serve', '--config', file)
  assert.equal(status, 1)
  const column = text.indexOf('"role"') + 1
  const sentence = 'firewall.administrators.0.role must be one of the roles that there are: '
  assert.ok(output.includes(`\n${file}:1:${column}: ${sentence}`), output)
})

test('config check takes members from flags, and a file that cannot be read', async () => {
  const file = fileWith('log: { level: info }\n')
  assert.equal((await ran('config', 'check', file)).status, 0)
  assert.deepEqual(await ran('config', 'check', file, '--services-listen-http', '8000'), {
    status: 1,
    output: '--services-listen-http: services.listen.http is 8000, which firewall.listen.http has already',
  })
  assert.deepEqual(await ran('config', 'check', '/nope.yaml'), {
    status: 1,
    output: 'The configuration /nope.yaml cannot be read: there is no such file',
  })
})

test('a wrong command line ends config with status 2', async () => {
  const wrong: readonly (readonly [string, ...string[]])[] = [
    ['the TASK is missing; see palisade config --help'],
    ['there is no task chek; see palisade config --help', 'chek'],
    ['the FILE to check is missing; see palisade config --help', 'check'],
    ['"b" is too much; see palisade config --help', 'check', 'a', 'b'],
    [
      'there is no option --log-levl (did you mean --log-level?); see palisade config --help',
      'check',
      '--log-levl',
      'x',
    ],
  ]
  let count = 0
  for (const [sentence, ...argv] of wrong) {
    assert.deepEqual(await ran('config', ...argv), { status: 2, output: sentence })
    count++
  }
  assert.equal(count, wrong.length)
})

test('the schema for editors takes what the server takes and refuses what it refuses, and is served as well', async () => {
  const { status, output } = await ran('config', 'schema')
  assert.equal(status, 0)
  const schema: SchemaObject = JSON.parse(output)
  const isValid = new Ajv2020({ allErrors: true }).compile(schema)
  const server = await Server.start()
  const { $schema: _, ...example } = JSON.parse(readFileSync(join(server.folder, 'palisade.json'), 'utf8'))
  assert.equal(isValid(example), true, JSON.stringify(isValid.errors))
  assert.equal(isValid({}), true, 'every member has a default')
  const wrong: readonly (readonly [string, object])[] = [
    ['/log/level', { log: { level: 'loud' } }],
    ['', { firewal: {} }],
    ['/email/accounts/0', { email: { accounts: [{ name: 'no id' }] } }],
    ['/services/listen/http', { services: { listen: { http: 70_000 } } }],
    ['/database', { database: 'mysql://host/db' }],
  ]
  let count = 0
  for (const [path, document] of wrong) {
    assert.equal(isValid(document), false, path)
    assert.equal(isValid.errors?.[0]?.instancePath, path)
    count++
  }
  assert.equal(count, wrong.length)
  const served = await fetch(`${server.services}/openapi/configuration.schema.json`)
  assert.deepEqual(await served.json(), schema)
  const unknown = await fetch(`${server.services}/openapi/nothing.json`)
  assert.match(await unknown.text(), /configuration\.schema\.json/)
  await server.remove()
})

test('every member of the schema says what it is for', async () => {
  const { output } = await ran('config', 'schema')
  const undescribed: string[] = []
  let count = 0
  const walk = (schema: SchemaObject, path: string) => {
    for (const [name, inner] of Object.entries<SchemaObject>(schema.properties ?? {})) {
      if (inner.description === undefined) undescribed.push(`${path}${name}`)
      count++
      walk(inner, `${path}${name}.`)
    }
    if (schema.items !== undefined) walk(schema.items, path)
  }
  walk(JSON.parse(output), '')
  // Grants are a part of the OpenAPI document of the administration as well.
  const grants = ['administration.operators.grants', 'administration.openid.grants.grants']
  assert.deepEqual(
    undescribed,
    grants.flatMap((grant) => [`${grant}.role`, `${grant}.service`, `${grant}.account`]),
  )
  assert.ok(count > 90, `${count} members`)
})
