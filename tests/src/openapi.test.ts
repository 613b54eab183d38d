import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { cleanUp } from './support/clean-up.ts'
import { root } from './support/root.ts'
import { Server } from './support/server.ts'

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

test('there is a description of each service', () => {
  assert.deepEqual(services.sort(), ['awareness', 'backup', 'email', 'firewall'])
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
