import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { type Client, logIn } from '../../testing/client.ts'
import { serveFirewall } from '../../testing/firewall.ts'
import { limitedAdministrator } from '../../testing/limited-administrator.ts'

const petStore = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://{host}/api/v1', variables: { host: { default: 'pets.example' } } }],
  paths: {
    '/pets': {
      parameters: [{ $ref: '#/components/parameters/page' }],
      get: {
        parameters: [
          { name: 'sort', in: 'query', schema: { type: 'string', enum: ['name', 'age'] } },
          { name: 'x-trace', in: 'header', schema: { type: 'string' } },
        ],
      },
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/pet' } } } },
      },
    },
    '/owners/{owner}/pets/{pet}': { delete: {}, get: {} },
    '/login': {
      post: {
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                required: ['mail'],
                properties: {
                  mail: { type: 'string', format: 'email', maxLength: 80 },
                  stay: { type: 'boolean' },
                },
              },
            },
          },
        },
      },
    },
  },
  components: {
    parameters: { page: { name: 'page', in: 'query', required: true, schema: { type: 'integer' } } },
    schemas: {
      pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 40 },
          age: { type: 'integer', minimum: 0, maximum: 200, nullable: true },
          mother: { $ref: '#/components/schemas/pet' },
        },
      },
    },
  },
}

const swagger = {
  swagger: '2.0',
  basePath: '/v2',
  consumes: ['multipart/form-data'],
  paths: {
    '/photos/{id}': {
      post: {
        parameters: [
          { name: 'photo', in: 'formData', type: 'file', required: true },
          { name: 'size', in: 'formData', type: 'integer' },
        ],
      },
    },
  },
}

onEveryStore('profiles from OpenAPI documents', (newStore) => {
  let served: ServedService
  let client: Client
  beforeEach(async () => {
    served = await serveFirewall({ store: await newStore() })
    client = await logIn(served.baseUrl)
    await client.call('POST', 'services', { name: 'shop', 'ip-address': '192.0.2.1', port: 80 })
  })
  afterEach(() => served.close())

  const importing = (operation: string, more: object = {}) =>
    client.call('POST', 'ops/import-openapi', { operation, 'api-spec-name': 'pets', ...more })
  const target = { 'service-name': 'shop' }
  const list = async (path: string) => (await client.get(`services/shop/${path}`)).json.data ?? {}

  test('are made of a document that was kept, and taken away again with it', async () => {
    const upload = await importing('upload', { ...target, 'import-file-content': petStore })
    assert.equal(upload.status, 200, upload.text)
    assert.deepEqual(upload.json.data, {
      'url-profile count': 3,
      'parameter-profile count': 4,
      'json-profile count': 1,
      'json-key-profile count': 12,
    })
    assert.deepEqual(await list('url-profiles'), {})
    assert.deepEqual((await importing('download')).json.data.pets.document, petStore)
    assert.equal((await importing('download')).json.data.pets.applied, 'No')

    const applied = await importing('apply_saved', target)
    assert.equal(applied.status, 200, applied.text)
    assert.equal(applied.json.data['added count'], 20)
    const profiles = await list('url-profiles')
    assert.deepEqual(Object.keys(profiles), ['pets-api-v1-login', 'pets-api-v1-owners', 'pets-api-v1-pets'])
    assert.equal(profiles['pets-api-v1-owners'].url, '/api/v1/owners/*')
    assert.deepEqual(profiles['pets-api-v1-owners']['allowed-methods'], ['GET', 'DELETE'])
    assert.equal(profiles['pets-api-v1-owners']['allow-query-string'], 'No')
    assert.equal(profiles['pets-api-v1-pets']['allow-query-string'], 'Yes')
    const { page, sort } = await list('url-profiles/pets-api-v1-pets/parameter-profiles')
    assert.deepEqual([page['parameter-class'], page.required], ['Integer', 'Yes'])
    assert.deepEqual([sort.type, sort.values, sort.required], ['Global Choice', ['name', 'age'], 'No'])
    const { mail, stay } = await list('url-profiles/pets-api-v1-login/parameter-profiles')
    assert.deepEqual(
      [mail['parameter-class'], mail['max-value-length'], mail.required],
      ['Email', '80', 'Yes'],
    )
    assert.deepEqual(stay.values, ['true', 'false'])
    const keys = await list('json-profiles/pets-api-v1-pets/json-key-profiles')
    assert.deepEqual([keys.name['value-type'], keys.name['max-length']], ['String', '40'])
    assert.deepEqual([keys.age['max-number-value'], keys.age['allow-null']], ['200', 'Yes'])
    assert.equal(keys['mother.age'].key, 'mother.age')

    assert.equal((await importing('apply_saved', target)).status, 400)
    assert.equal((await importing('upload', { ...target, 'import-file-content': petStore })).status, 400)
    await client.call('DELETE', 'services/shop/url-profiles/pets-api-v1-login')
    const deletion = await importing('delete_configuration')
    assert.equal(deletion.status, 200, deletion.text)
    assert.deepEqual([await list('url-profiles'), await list('json-profiles')], [{}, {}])
    assert.equal((await importing('download')).status, 404)
  })

  test('are taken away also where they, or their service, got another name', async () => {
    await importing('apply', { ...target, 'import-file-content': petStore })
    const mine = { name: 'pets-api-v1-mine', url: '/mine' }
    const profiles = 'services/store/url-profiles'
    for (const [method, path, body] of [
      ['PUT', 'services/shop', { name: 'store' }],
      ['PUT', `${profiles}/pets-api-v1-login`, { name: 'entrance' }],
      ['POST', profiles, mine],
    ] as const) {
      const { status, text } = await client.call(method, path, body)
      assert.ok(status < 300, text)
    }
    assert.equal((await importing('download')).json.data.pets.service, 'store')
    const deletion = await importing('delete_configuration')
    assert.equal(deletion.status, 200, deletion.text)
    assert.equal(deletion.json.data['removed count'], 20)
    assert.deepEqual(Object.keys((await client.get(profiles)).json.data), [mine.name])
    assert.equal((await client.get('services/store/json-profiles')).json.data, undefined)
  })

  test('are made at once of Swagger 2, beside profiles that have their names', async () => {
    await client.call('POST', 'services/shop/url-profiles', { name: 'pets-v2-photos', url: '/mine' })
    const content = Buffer.from(JSON.stringify(swagger)).toString('base64')
    const { status, text } = await importing('apply', { ...target, 'import-file-content': content })
    assert.equal(status, 200, text)
    const profiles = await list('url-profiles')
    assert.equal(profiles['pets-v2-photos'].url, '/mine')
    assert.equal(profiles['pets-v2-photos-2'].url, '/v2/photos/*')
    assert.deepEqual(profiles['pets-v2-photos-2']['allowed-content-types'], ['multipart/form-data'])
    const { photo, size } = await list('url-profiles/pets-v2-photos-2/parameter-profiles')
    assert.deepEqual([photo.type, photo.required, size['parameter-class']], ['File Upload', 'Yes', 'Integer'])
    await importing('delete_configuration')
    assert.deepEqual(Object.keys(await list('url-profiles')), ['pets-v2-photos'])
  })

  test('are not made of what cannot be read, and the refusal says why', async () => {
    const upload = (content: unknown, more: object = target) =>
      importing('upload', { ...more, 'import-file-content': content })
    const deepList = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const pathsOf = (item: object) => ({ openapi: '3.1.0', paths: { '/': { get: item } } })
    for (const [content, fault] of [
      ['openapi: 3.0.0\npaths: {}', /YAML are not read/],
      [`{"openapi":"3.0.0","paths":{"/":{"get":{}}},"x":${deepList}}`, /nested deeper than 256 levels/],
      [undefined, /must be a JSON object/],
      [{ openapi: '4.0' }, /must be OpenAPI 3/],
      [{ openapi: '3.0.0', paths: {} }, /describes no operation/],
      [pathsOf({ parameters: [{ $ref: 'https://other.example/x.json' }] }), /refers to another one/],
      [pathsOf({ parameters: [{ $ref: '#/components/x' }] }), /what it does not have/],
      [{ ...pathsOf({ parameters: [{ $ref: '#/x' }] }), x: { $ref: '#/x' } }, /leads to itself/],
    ] as const) {
      const { status, json } = await upload(content)
      assert.equal(status, 406, String(fault))
      assert.match(json.msg, fault)
    }
    assert.equal((await upload(petStore, { 'service-name': 'ghost' })).status, 404)
    assert.match((await upload(petStore, {})).json.msg, /service-name is required/)
    assert.match((await upload(petStore, { ...target, oauth_specs: 'x' })).json.msg, /not supported/)
    assert.equal((await importing('apply_saved', target)).status, 404)
    assert.equal((await importing('publish')).status, 406)
  })

  test('are made of a document in which very many parts name one of very many', async () => {
    const count = 20_000
    const parts = Object.fromEntries(Array.from({ length: count }, (_, index) => [`part-${index}`, {}]))
    const parameters = Array.from({ length: count }, () => ({ $ref: '#/named/page' }))
    const document = {
      openapi: '3.1.0',
      paths: { '/': { get: { parameters } } },
      named: { ...parts, page: { name: 'page', in: 'query' } },
    }
    const { status, json } = await importing('upload', { ...target, 'import-file-content': document })
    assert.equal(status, 200)
    assert.equal(json.data['parameter-profile count'], 1)
  })

  test('are made of parts that name each other in more ways than anybody could count', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `key-${index}`)
    const self = { $ref: '#/self' }
    const taking = (schema: object) => ({
      openapi: '3.1.0',
      paths: { '/': { post: { requestBody: { content: { 'application/json': { schema: self } } } } } },
      self: schema,
    })
    const properties = Object.fromEntries(names.map((name) => [name, self]))
    const keys = await importing('upload', { ...target, 'import-file-content': taking({ properties }) })
    assert.equal(keys.status, 200, keys.text)
    assert.equal(keys.json.data['json-key-profile count'], 500)
    const choice = taking({ name: 'choice', in: 'query', schema: { enum: names } })
    const parameters = Array.from({ length: 2000 }, () => self)
    for (const hostile of [
      taking({ anyOf: names.map(() => ({ items: self })) }),
      { ...choice, paths: { '/': { get: { parameters } } } },
    ]) {
      const refused = await importing('upload', { ...target, 'import-file-content': hostile })
      assert.equal(refused.status, 406, refused.text)
      assert.match(refused.json.msg, /name each other too often/)
    }
  })

  test('have names of their own also where thousands of names come down to one', async () => {
    const parameters = Array.from({ length: 20_000 }, (_, index) => ({
      name: String.fromCodePoint(0x4e00 + index),
      in: 'query',
    }))
    const apiWith = (count: number) => ({
      openapi: '3.1.0',
      paths: { '/': { get: { parameters: parameters.slice(0, count) } } },
    })
    const refused = await importing('upload', { ...target, 'import-file-content': apiWith(20_000) })
    assert.equal(refused.status, 406)
    assert.match(refused.json.msg, /would become 20001 profiles/)
    await importing('apply', { ...target, 'import-file-content': apiWith(3) })
    const names = Object.keys(await list('url-profiles/pets/parameter-profiles'))
    assert.deepEqual(names, ['profile', 'profile-2', 'profile-3'])
  })

  test('a document with one fault makes no profile at all', async () => {
    const faulty = structuredClone(petStore)
    Object.assign(faulty.paths, { [`/${'x'.repeat(6000)}`]: { get: {} } })
    const { status, text } = await importing('apply', { ...target, 'import-file-content': faulty })
    assert.equal(status, 406, text)
    assert.deepEqual(await list('url-profiles'), {})
    assert.equal((await importing('download')).json.data.pets.applied, 'No')
  })

  test('are nobody’s business who does not reach the service', async () => {
    await client.call('POST', 'services', { name: 'mine', 'ip-address': '192.0.2.2', port: 80 })
    await importing('apply', { ...target, 'import-file-content': petStore })
    const limited = await limitedAdministrator(served.baseUrl, client)
    await limited.allow({ objects: ['services:write'], services: ['mine:write', 'shop:read'] })
    const asLimited = async (operation: string, more: object = {}) =>
      (await limited.call('POST', 'ops/import-openapi', { operation, 'api-spec-name': 'pets', ...more }))
        .status
    const into = (service: string) => ({ 'service-name': service, 'import-file-content': petStore })

    assert.equal(await asLimited('upload', { ...into('shop'), 'api-spec-name': 'birds' }), 403)
    assert.equal(await asLimited('apply', { ...into('shop'), 'api-spec-name': 'birds' }), 403)
    assert.equal(await asLimited('upload', into('mine')), 400)
    assert.equal(await asLimited('download'), 200)
    for (const operation of ['apply_saved', 'delete_configuration']) {
      assert.equal(await asLimited(operation, { 'service-name': 'mine' }), 404, operation)
    }
    await limited.allow({ objects: ['services:write'], services: ['mine:write'] })
    assert.equal(await asLimited('download'), 404)
    assert.equal(Object.keys(await list('url-profiles')).length, 3)

    const own = { 'api-spec-name': 'own' }
    assert.equal(await asLimited('upload', { ...into('mine'), ...own }), 200)
    assert.equal(await asLimited('apply_saved', { ...own, 'service-name': 'shop' }), 403)
    assert.equal(await asLimited('apply_saved', own), 200)
    await client.call('DELETE', 'services/mine')
    assert.equal(await asLimited('delete_configuration', own), 200)
  })
})
