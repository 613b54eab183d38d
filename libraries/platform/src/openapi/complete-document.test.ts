import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { completeDocument } from './complete-document.ts'
import { withExample } from './example.ts'

const Street = withExample(Type.Object({ name: Type.String() }, { title: 'Street' }), { name: 'Long Lane' })
const Town = Type.Object(
  { streets: Type.Array(Street), size: Type.Integer({ examples: [3] }), kind: Type.Literal('town') },
  { title: 'Town' },
)

const service = {
  contract: {
    description: 'Streets.',
    tags: { Streets: 'All of them.' },
    securitySchemes: {},
    refusal: Type.Object({ why: Type.String() }, { title: 'Refusal' }),
  },
  envelope: ({ message }: { message: string }) => ({ body: { why: message } }),
}

function documentWith(operation: object): object {
  return { openapi: '3.1.0', info: { title: 'Town' }, paths: { '/here': { get: operation } } }
}

function completed(operation: object) {
  return JSON.parse(JSON.stringify(completeDocument({ ...documentWith(operation) }, service)))
}

const inJson = (schema: object, more: object = {}) => ({
  content: { 'application/json': { schema, ...more } },
})

test('a schema with a title is written once, among the components, and referred to elsewhere', () => {
  const document = completed({
    requestBody: inJson(Street),
    responses: { 200: inJson(Town), 201: inJson(Type.Array(Town)) },
  })
  const { get } = document.paths['/here']
  const town = { $ref: '#/components/schemas/Town' }
  const street = { $ref: '#/components/schemas/Street' }
  assert.deepEqual(get.requestBody.content['application/json'].schema, street)
  assert.deepEqual(get.responses['200'].content['application/json'].schema, town)
  assert.deepEqual(get.responses['201'].content['application/json'].schema, { type: 'array', items: town })
  const { schemas } = document.components
  assert.deepEqual(Object.keys(schemas).sort(), ['Refusal', 'Street', 'Town'])
  assert.deepEqual(schemas.Town.properties.streets, { type: 'array', items: street })
})

test('two schemas that differ cannot have the same title', () => {
  const other = Type.Object({ name: Type.Integer() }, { title: 'Street' })
  assert.throws(
    () => completed({ requestBody: inJson(Street), responses: { 200: inJson(other) } }),
    /Two schemas that differ are called Street\./,
  )
})

test('a member that is called title, example or default is a member like any other', () => {
  const Book = Type.Object({ title: Street, example: Street, default: Street })
  const { get } = completed({ responses: { 200: inJson(Book) } }).paths['/here']
  const { properties } = get.responses['200'].content['application/json'].schema
  for (const name of ['title', 'example', 'default']) {
    assert.deepEqual(properties[name], { $ref: '#/components/schemas/Street' }, name)
  }
})

test('what is shown as an example is left as it is', () => {
  const example = { schema: { title: 'Street' } }
  const { get } = completed({ responses: { 200: inJson(Town, { example }) } }).paths['/here']
  assert.deepEqual(get.responses['200'].content['application/json'].example, example)
})

test('each body has an example, put together from those of its parts where it has none itself', () => {
  const { get } = completed({
    requestBody: inJson(Street),
    responses: { 200: inJson(Type.Array(Town)), 202: inJson(Type.String()) },
  }).paths['/here']
  assert.deepEqual(get.requestBody.content['application/json'].example, { name: 'Long Lane' })
  assert.deepEqual(get.responses['200'].content['application/json'].example, [
    { streets: [{ name: 'Long Lane' }], size: 3, kind: 'town' },
  ])
  assert.equal('example' in get.responses['202'].content['application/json'], false)
})

test('each operation has the replies of the envelope, but for those that it has itself', () => {
  const own = { description: 'in its own words' }
  const document = completed({ security: [], responses: { 200: own, 400: own } })
  const reference = (name: string) => ({ $ref: `#/components/responses/${name}` })
  const { responses } = document.paths['/here'].get
  assert.deepEqual(responses, { 200: own, 400: own, 500: reference('Failed'), default: reference('Refused') })
  const { NotFound, Refused } = document.components.responses
  assert.equal(NotFound.description, 'Nothing is found at this address.')
  assert.equal(Refused.description, 'Refused for another reason; the body says why.')
  assert.deepEqual(NotFound.content['application/json'], {
    schema: { $ref: '#/components/schemas/Refusal' },
    example: { why: 'Nothing is found at this address.' },
  })
})

test('an operation that asks who the caller is refuses strangers, and one at a path with names what is not there', () => {
  const paths = { '/streets/{street}': { get: { security: [{ token: [] }], responses: {} } } }
  const document = JSON.parse(JSON.stringify(completeDocument({ ...documentWith({}), paths }, service)))
  const statuses = Object.keys(document.paths['/streets/{street}'].get.responses)
  assert.deepEqual(statuses, ['400', '401', '403', '404', '500', 'default'])
})
