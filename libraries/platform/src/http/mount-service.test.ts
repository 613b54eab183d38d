import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { type TestContext, test } from 'node:test'
import { createLog } from '@palisade/log'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { RequestRefused } from '../refusal.ts'
import { send } from '../testing/send.ts'
import { serveOnLoopback } from '../testing/serve.ts'
import type { HttpService } from './mount-service.ts'

async function serve(
  t: TestContext,
  routes: (scope: FastifyInstance) => void,
  envelope?: HttpService['envelope'],
  log = createLog('silent'),
) {
  const service = {
    name: 'demo',
    title: 'Demo',
    basePath: '/demo',
    envelope: envelope ?? (({ code, message, field }) => ({ body: { code, message, field } })),
    routes: async (scope: FastifyInstance) => routes(scope),
  }
  const served = await serveOnLoopback(service, { log })
  t.after(() => served.close())
  return served
}

const Thing = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 5 }),
    kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    size: Type.Optional(Type.Integer({ minimum: 1 })),
    parts: Type.Optional(Type.Array(Type.Object({ id: Type.Integer() }, { additionalProperties: false }))),
  },
  { additionalProperties: false },
)

test('names the member that is wrong in a body, and coerces nothing', async (t) => {
  const { baseUrl } = await serve(t, (scope) => {
    scope.post('/things', { schema: { body: Thing } }, async ({ body }) => body)
  })
  const cases: [body: unknown, field: string][] = [
    [{}, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'too long' }, 'name'],
    [{ name: null }, 'name'],
    [{ name: 'n', size: '1' }, 'size'],
    [{ name: 'n', size: 1.5 }, 'size'],
    [{ name: 'n', size: 0 }, 'size'],
    [{ name: 'n', size: true }, 'size'],
    [{ name: 'n', size: null }, 'size'],
    [{ name: 'n', more: 1 }, 'more'],
    [{ name: 'n', parts: {} }, 'parts'],
    [{ name: 'n', parts: [{ id: 1 }, { id: '2' }] }, 'parts.1.id'],
    [{ name: 'n', parts: [{}] }, 'parts.0.id'],
    [{ name: 'n', parts: [{ id: 1, more: 1 }] }, 'parts.0.more'],
    [[], ''],
    ['name', ''],
    [null, ''],
    [undefined, ''],
  ]
  let ran = 0
  for (const [body, field] of cases) {
    const headers = { 'content-type': 'application/json' }
    const { status, json } = await send(`${baseUrl}/things`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    assert.deepEqual([status, json.code, json.field], [400, 'bad-request', field], JSON.stringify(body))
    assert.match(json.message, field === '' ? /^The body / : /^The member /)
    ran++
  }
  assert.equal(ran, cases.length)
  const texts = [
    [{}, 'The member name is missing.'],
    [{ name: 'n', more: 1 }, 'The member more is not known here.'],
    [{ name: 'n', 'a/b~c': 1 }, 'The member a/b~c is not known here.'],
    [{ name: 'n', kind: 'c' }, 'The member kind must be a or b.'],
    [{ name: 'n', kind: 1 }, 'The member kind must be a or b.'],
    [[], 'The body must be object.'],
  ]
  for (const [body, message] of texts) {
    assert.equal((await send(`${baseUrl}/things`, { method: 'POST', body })).json.message, message)
  }
  const reply = await send(`${baseUrl}/things`, { method: 'POST', body: { name: 'ünïcö', size: 1.0 } })
  assert.deepEqual(reply.json, { name: 'ünïcö', size: 1 })
})

test('takes an empty body for none, whatever type is said of it', async (t) => {
  const { baseUrl } = await serve(t, (scope) => {
    scope.post('/things', async ({ body }) => ({ hasBody: body !== undefined }))
    scope.delete('/things', async ({ body }) => ({ hasBody: body !== undefined }))
  })
  const none = { 'content-length': '0' }
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json']) {
    for (const [method, headers] of [
      ['POST', { ...none, 'content-type': type }],
      ['DELETE', { 'content-type': type }],
    ] as const) {
      const { status, json } = await send(`${baseUrl}/things`, { method, headers })
      assert.deepEqual([status, json], [200, { hasBody: false }], `${method} ${type}`)
    }
    if (type === 'application/json') continue
    for (const [path, status] of [
      ['/things', 415],
      ['/nothing', 404],
    ] as const) {
      const headers = { 'content-type': type }
      assert.equal(
        (await send(baseUrl + path, { method: 'POST', headers, body: 'a=1' })).status,
        status,
        type,
      )
    }
  }
})

test('says of one of several forms what is wrong with the one that is named', async (t) => {
  const Shape = Type.Union([
    Type.Object({ kind: Type.Literal('dot') }, { additionalProperties: false }),
    Type.Object(
      { kind: Type.Literal('circle'), radius: Type.Integer({ maximum: 9 }), inside: Type.Optional(Thing) },
      { additionalProperties: false },
    ),
    Type.Object({
      kind: Type.Literal('group'),
      of: Type.Union([
        Type.Object({ version: Type.Literal(1), size: Type.Integer() }),
        Type.Object({ version: Type.Literal(2), sizes: Type.Array(Type.Integer()) }),
      ]),
    }),
  ])
  const Drawing = Type.Object({ shapes: Type.Array(Shape), size: Type.Union([Type.Integer(), Type.Null()]) })
  const { baseUrl } = await serve(t, (scope) => {
    scope.post('/drawings', { schema: { body: Drawing } }, async ({ body }) => body)
  })
  const dot = { kind: 'dot' }
  const cases = [
    [{ kind: 'circle', radius: 10 }, 'The member shapes.1.radius must be <= 9.'],
    [{ kind: 'circle' }, 'The member shapes.1.radius is missing.'],
    [{ kind: 'circle', radius: 1, colour: 'red' }, 'The member shapes.1.colour is not known here.'],
    [{ kind: 'circle', radius: 1, inside: {} }, 'The member shapes.1.inside.name is missing.'],
    [{ kind: 'dot', radius: 1 }, 'The member shapes.1.radius is not known here.'],
    [{ kind: 'square', radius: 1 }, 'The member shapes.1.kind must be dot or circle or group.'],
    [{ kind: ['dot'] }, 'The member shapes.1.kind must be dot or circle or group.'],
    [{ radius: 1 }, 'The member shapes.1.kind is missing.'],
    [null, 'The member shapes.1 must be object.'],
    [[], 'The member shapes.1 must be object.'],
    [
      { kind: 'group', of: { version: 2, sizes: [1, 'x'] } },
      'The member shapes.1.of.sizes.1 must be integer.',
    ],
    [{ kind: 'group', of: { version: 3 } }, 'The member shapes.1.of.version must be 1 or 2.'],
    [{ kind: 'group', of: {} }, 'The member shapes.1.of.version is missing.'],
  ]
  for (const [shape, message] of cases) {
    const body = { shapes: [dot, shape], size: null }
    assert.equal((await send(`${baseUrl}/drawings`, { method: 'POST', body })).json.message, message)
  }
  const sizeless = { shapes: [dot], size: 'x' }
  const { json } = await send(`${baseUrl}/drawings`, { method: 'POST', body: sizeless })
  assert.equal(json.message, 'The member size must be integer.')
  const shapeBody = { shapes: [dot, { kind: 'circle', radius: 9 }], size: 1 }
  assert.deepEqual((await send(`${baseUrl}/drawings`, { method: 'POST', body: shapeBody })).json, shapeBody)
})

test('answers a refusal with its headers, and with the status of its service', async (t) => {
  const refuse = (scope: FastifyInstance) => {
    scope.get('/later', async () => {
      throw new RequestRefused('too-many-requests', 'Later.', {
        field: 'calls',
        headers: { 'retry-after': '9' },
      })
    })
  }
  const { baseUrl } = await serve(t, refuse)
  const usual = await send(`${baseUrl}/later`)
  assert.deepEqual([usual.status, usual.headers['retry-after']], [429, '9'])
  assert.deepEqual(usual.json, { code: 'too-many-requests', message: 'Later.', field: 'calls' })

  const own = await serve(t, refuse, () => ({ body: 'no', status: 503, contentType: 'application/x' }))
  const { status, headers, json } = await send(`${own.baseUrl}/later`)
  assert.deepEqual([status, headers['content-type'], json], [503, 'application/x; charset=utf-8', 'no'])
})

test('takes a caller who goes away in the middle of its body for no failure of the service', async (t) => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const lines: string[] = []
  const log = createLog('error', { write: (line) => lines.push(line) })
  const routes = (scope: FastifyInstance) => {
    scope.addHook('onRequest', async ({ raw }) => raw.once('close', () => setImmediate(end)))
    scope.post('/things', async ({ body }) => body)
  }
  const { baseUrl } = await serve(t, routes, undefined, log)
  const headers = { 'content-type': 'application/json', 'content-length': '10', expect: '100-continue' }
  const request = http.request(`${baseUrl}/things`, { method: 'POST', headers, agent: false })
  request.on('error', () => undefined)
  request.flushHeaders()
  await once(request, 'continue')
  request.write('{')
  request.destroy()
  await isOver
  assert.deepEqual(lines, [])
})

test('keeps two services on one listener apart', async (t) => {
  const service = (name: string): HttpService => ({
    name,
    title: name,
    basePath: `/${name}`,
    envelope: ({ code }) => ({ body: { service: name, code } }),
    routes: async (scope) => {
      scope.get('/here', async () => name)
    },
  })
  const outer = await serveOnLoopback({
    ...service('outer'),
    basePath: '/',
    routes: async (scope) => {
      scope.get('/here', async () => 'outer')
    },
  })
  t.after(() => outer.close())
  assert.equal((await send(`${outer.baseUrl}/here`)).text, 'outer')
  assert.deepEqual((await send(`${outer.baseUrl}/there`)).json, { service: 'outer', code: 'not-found' })
})

test('lets the service complete its OpenAPI document', async (t) => {
  const served = await serveOnLoopback({
    name: 'demo',
    title: 'Demo',
    basePath: '/demo',
    envelope: () => ({ body: {} }),
    routes: async () => undefined,
    describe: (document) => ({ ...document, paths: { '/hidden': {} } }),
  })
  t.after(() => served.close())
  assert.partialDeepStrictEqual(served.openApiDocument(), { openapi: '3.1.0', paths: { '/hidden': {} } })
})

test('describes the service without its base path in OpenAPI 3.1', async (t) => {
  const { openApiDocument } = await serve(t, (scope) => {
    const schema = { operationId: 'makeThing', body: Thing, response: { 200: Thing } }
    scope.post('/things/:id', { schema }, async ({ body }) => body)
  })
  const document = JSON.parse(JSON.stringify(openApiDocument()))
  assert.equal(document.openapi, '3.1.0')
  assert.deepEqual(document.info, { title: 'Demo', version: '1' })
  assert.deepEqual(document.servers, [{ url: '/demo' }])
  assert.deepEqual(Object.keys(document.paths), ['/things/{id}'])
  const { post } = document.paths['/things/{id}']
  assert.equal(post.operationId, 'makeThing')
  assert.deepEqual(post.requestBody.content['application/json'].schema.required, ['name'])
})
