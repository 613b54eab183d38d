import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService, send } from '@palisade/platform/testing'
import { Examples } from '../catalogue/examples/examples.ts'
import { catalogue } from '../catalogue/index.ts'
import { type CompiledKind, compileCatalogue } from '../kinds/compiled-kind.ts'
import { systemFacts } from '../system-facts.ts'
import { assertAlike } from '../testing/assert-alike.ts'
import { basic, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { town } from '../testing/town.ts'
import { describeApi } from './describe-api.ts'
import { KindReplies } from './kind-replies.ts'
import { describeKinds } from './paths.ts'

interface Operation {
  operationId?: string
  responses?: Record<string, { content: Record<string, { example?: unknown }> }>
}

interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
}

const compiledCatalogue = compileCatalogue(catalogue)
const replies = new KindReplies(new Examples(compiledCatalogue))
const kindPaths = new Set(Object.keys(describeKinds(compiledCatalogue, '/restapi/v3.2', replies).paths))
const isOfKind = (path: string) => kindPaths.has(path)

/** The reply that the document shows of reading at a path. */
function exampleAt({ paths }: Document, path: string): unknown {
  return paths[path]?.get?.responses?.['200']?.content['application/json']?.example
}

const methods = ['get', 'post', 'put', 'delete', 'patch']

function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, { operationId }]) => ({ path, method: method.toUpperCase(), operationId })),
  )
}

onEveryStore('the OpenAPI document', (newStore) => {
  let served: ServedService
  let document: Document
  before(async () => {
    served = await serveFirewall({ store: await newStore(), key: Buffer.alloc(32, 7) })
    document = JSON.parse(JSON.stringify(served.openApiDocument()))
  })
  after(() => served.close())

  test('describes login, logout and every address of every kind, and each has a name of its own', () => {
    assert.match(document.openapi, /^3\.1/)
    const operations = operationsOf(document)
    const names = operations.map(({ operationId }) => operationId)
    assert.equal(new Set(names).size, names.length)
    for (const name of [
      'login',
      'logout',
      'listServices',
      'createService',
      'getService',
      'updateService',
      'deleteService',
      'getServiceSlowClientAttack',
      'updateServiceUrlEncryption',
      'listServiceGroups',
    ]) {
      assert.ok(names.includes(name), name)
    }
    const expected = [...compileCatalogue(catalogue).values()].flatMap(({ operations, sections }) => [
      operations.size,
      ...sections.map((section) => section.operations.size),
    ])
    const ofKinds = expected.reduce((sum, count) => sum + count, 0)
    const others = operations.filter(({ path }) => !isOfKind(path))
    assert.equal(operations.length - others.length, ofKinds)
    for (const path of ['login', 'logout', 'access-logs', 'logs/audit-logs', 'stats/system-stats']) {
      assert.ok(
        others.some((one) => one.path === `/restapi/v3.2/${path}`),
        path,
      )
    }
  })

  test('refers to nothing that is not there', () => {
    const references = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? []
    assert.ok(references.length > 0)
    for (const reference of references) {
      const description = JSON.parse(reference)
        .slice(2)
        .split('/')
        .reduce((node: Record<string, unknown>, key: string) => node?.[key], document)
      assert.ok(description, reference)
    }
  })

  test('says nothing of the installation that serves it', () => {
    const { serial } = systemFacts(Buffer.alloc(32, 7))
    assert.ok(serial && !JSON.stringify(document).includes(serial))
  })

  test('names addresses that the service answers at, with these methods', async () => {
    const { token, call } = await logIn(served.baseUrl)
    const compiled = compileCatalogue(catalogue)
    const kinds = [...compiled.values()]
    const examples = new Examples(compiled)
    const there = new Set<CompiledKind>()
    for (const kind of kinds.flatMap((one) => [...examples.before(one), one])) {
      const { create } = examples.of(kind)
      if (create && !there.has(kind)) {
        const { status, json } = await call('POST', examples.addressOf(kind).collection, create)
        assert.equal(status, 201, `${kind.name}: ${json.msg}`)
      }
      there.add(kind)
    }
    const withExampleNames = (path: string) =>
      kinds.reduce(
        (address, kind) =>
          address.replace(
            `{${kind.name.replaceAll('-', '_')}_id}`,
            encodeURIComponent(examples.nameOf(kind)),
          ),
        path,
      )
    let ran = 0
    for (const { path, method } of operationsOf(document)) {
      if (!isOfKind(path) || method === 'DELETE') continue
      const address = withExampleNames(path)
      const body = method === 'GET' ? {} : { body: { 'no-such-member': 1 } }
      const reply = await send(served.baseUrl + address, { method, headers: basic(`${token}:`), ...body })
      assert.equal(reply.status, method === 'GET' ? 200 : 406, `${method} ${address}`)
      if (method === 'GET') assertAlike(exampleAt(document, path), reply.json, address)
      ran++
    }
    assert.ok(ran > 10)
  })
})

test('the OpenAPI document describes everything that the kind language has', () => {
  const description = describeApi(compileCatalogue(town), [], '/restapi/v3.2')({})
  const document: Document = JSON.parse(JSON.stringify(description))
  const names = operationsOf(document).map(({ method, path }) => `${method} ${path}`)
  assert.ok(names.includes('PUT /restapi/v3.2/town-hall'))
  assert.ok(names.includes('GET /restapi/v3.2/town-hall/clock'))
  assert.ok(!names.includes('PUT /restapi/v3.2/people/{person_id}'))
  const house = '/restapi/v3.2/public/streets/{street_id}/houses/{house_id}'
  assert.ok(names.includes(`PUT ${house}/rooms/{room_id}/window-box`))
})
