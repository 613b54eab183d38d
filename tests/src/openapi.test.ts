import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'
import { root } from './support/repository/root.ts'

after(cleanUp)

let server: Server
before(async () => {
  server = await Server.start()
})
after(() => server.remove())

const services = globSync(join(root, 'clients/contract/openapi/*.json')).map((file) =>
  basename(file, '.json'),
)

async function documentOf(service: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${server.services}/openapi/${service}.json`)).json()) as Record<string, unknown>
}

interface Operation {
  readonly operationId: string
  readonly security?: readonly object[]
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly security?: readonly object[]
  readonly servers: readonly [{ readonly url: string }]
}

/** What gives out tokens. */
const openOperations = [
  'authenticate',
  'beginPasskeyLogin',
  'beginSignIn',
  'finishSignIn',
  'listLoginProviders',
  'logIn',
  'logOutByProvider',
  'logInWithPasskey',
  'login',
  'requestAccessToken',
]

test('there is a description of each service', () => {
  assert.deepEqual(services.sort(), ['admin', 'awareness', 'backup', 'email', 'firewall'])
})

for (const service of services) {
  test(`the description of ${service} is OpenAPI 3.1, as served and as committed`, async () => {
    const committed = JSON.parse(readFileSync(join(root, `clients/contract/openapi/${service}.json`), 'utf8'))
    for (const document of [await documentOf(service), committed]) {
      const validator = new Validator()
      const { valid, errors } = await validator.validate(document)
      assert.ok(valid, inspect(errors, { depth: 4 }))
      assert.equal(validator.version, '3.1')
    }
  })

  test(`the description of ${service} passes a strict linter, and each of its bodies has an example`, async () => {
    const file = join(newFolder(), `${service}.json`)
    writeFileSync(file, JSON.stringify(await documentOf(service)))
    const linter = join(root, 'node_modules/@redocly/cli/bin/cli.js')
    const options = [
      'lint',
      file,
      '--config',
      join(root, 'clients/contract/redocly.yaml'),
      '--format',
      'json',
    ]
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const { stdout, stderr } = spawnSync(process.execPath, [linter, ...options], { env, encoding: 'utf8' })
    assert.ok(stdout !== '', stderr)
    const { problems } = JSON.parse(stdout) as { problems: object[] }
    assert.deepEqual(problems, [], inspect(problems.slice(0, 5), { depth: 4 }))
  })

  test(`the operations of ${service} let nobody in without what its description asks for`, async () => {
    const { paths, security, servers } = Object(await documentOf(service)) as Described
    const origin = service === 'firewall' ? server.firewall : server.services
    const [{ url }] = servers
    let secured = 0
    for (const [path, item] of Object.entries(paths)) {
      const address = `${origin}${url === '/' ? '' : url}${path.replaceAll(/\{[^}]+\}/g, '1')}`
      for (const [method, operation] of Object.entries(item).filter(([method]) => method !== 'parameters')) {
        const isOpen = (operation.security ?? security ?? []).every((one) => Object.keys(one).length === 0)
        if (isOpen || operation.operationId === 'requestAccessToken') {
          assert.ok(openOperations.includes(operation.operationId), operation.operationId)
          continue
        }
        const { status } = await fetch(address, { method: method.toUpperCase() })
        assert.equal(status, 401, `${method} ${address}`)
        secured++
      }
    }
    assert.ok(secured > 0)
  })

  test(`the description of ${service} refers to what it has, and calls each operation by one name`, async () => {
    const document = await documentOf(service)
    const text = JSON.stringify(document)
    const references = new Set(Array.from(text.matchAll(/"\$ref":"([^"]+)"/g), ([, pointer = '']) => pointer))
    for (const pointer of references) assert.ok(isThere(document, pointer), pointer)
    const names = Array.from(text.matchAll(/"operationId":"([^"]+)"/g), ([, name = '']) => name)
    const repeated = names.filter((name, index) => names.indexOf(name) !== index)
    assert.deepEqual(repeated, [])
    for (const path of Object.keys(Object(document.paths))) assertNamesAreDescribed(document, path)
  })
}

/** Whether a pointer such as "#/components/schemas/Service" leads to something. */
function isThere(document: unknown, pointer: string): boolean {
  const segments = pointer.slice(2).split('/').map(decodeURIComponent)
  const keys = segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce((inside: unknown, key) => Object(inside)[key], document) !== undefined
}

/** Each name in braces is a parameter of each of the path's operations, and no name stands there twice. */
function assertNamesAreDescribed(document: Record<string, unknown>, path: string): void {
  const item = Object(Object(document.paths)[path])
  const names = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name = '']) => name)
  assert.equal(new Set(names).size, names.length, path)
  for (const [method, operation] of Object.entries(item)) {
    if (method === 'parameters') continue
    const parameters: { name: string; in: string }[] = [
      ...(item.parameters ?? []),
      ...(Object(operation).parameters ?? []),
    ]
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    assert.deepEqual([...inPath].sort(), [...names].sort(), `${method} ${path}`)
  }
}
