import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { type CompiledKind, compileCatalogue } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import type { Field } from '../kinds/kind.ts'
import { type Client, logIn } from '../testing/client.ts'
import { exampleAddress, exampleName, exampleOf } from '../testing/examples.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { catalogue } from './index.ts'

const kinds = [...compileCatalogue(catalogue).values()]

/** Something that a field of the type never takes. */
const refusedValues: Readonly<Record<Field['type'], unknown>> = {
  string: { nested: true },
  integer: 'twelve',
  choice: 'none of them',
  'on-off': 'Perhaps',
  'yes-no': 'Perhaps',
  'ip-address': '192.0.2.256',
  netmask: '255.0.255.0',
  reference: 'nobody',
  list: 7,
}

onEveryStore('every kind of the catalogue', (newStore) => {
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
    client = await logIn(served.baseUrl)
  })
  after(() => served.close())

  test('is created, read, changed and deleted as its example says', async () => {
    let ran = 0
    for (const kind of kinds) {
      await withExamples(client, kind.lineage.slice(0, -1), () => livesAndEnds(client, kind))
      ran++
    }
    assert.ok(ran > 0 && ran === catalogue.length)
  })

  test('refuses what its fields do not take, and names each member', async () => {
    let ran = 0
    for (const kind of kinds) {
      await withExamples(client, kind.lineage, () => refusesWrongValues(client, kind))
      ran++
    }
    assert.ok(ran > 0 && ran === catalogue.length)
  })

  test('answers to the methods that its operations say, and to no others', async () => {
    let ran = 0
    for (const kind of kinds) {
      await withExamples(client, kind.lineage, () => answersToItsMethods(client, kind))
      ran++
    }
    assert.ok(ran > 0 && ran === catalogue.length)
  })
})

/** Does the work while the example of each kind is there, then takes them away again. */
async function withExamples(client: Client, around: readonly CompiledKind[], work: () => Promise<void>) {
  const [kind, ...rest] = around
  if (!kind) return work()
  const { create } = exampleOf(kind)
  const { collection, item } = exampleAddress(kind)
  if (create) assert.equal((await client.call('POST', collection, create)).status, 201, kind.name)
  await withExamples(client, rest, work)
  if (create) assert.equal((await client.call('DELETE', item)).status, 200, kind.name)
}

async function livesAndEnds({ call }: Client, kind: CompiledKind): Promise<void> {
  const example = exampleOf(kind)
  const { collection, item } = exampleAddress(kind)
  const name = exampleName(kind)
  if (example.create) {
    const { status, json } = await call('POST', collection, example.create)
    assert.equal(status, 201, `${kind.name}: ${json.msg}`)
    assert.deepEqual([json.id, json.msg], [name, 'Successfully created.'])
    assert.match((await call('POST', collection, example.create)).json.msg, /duplicate value not allowed/)
  }
  const shown = async () => {
    const { json } = await call('GET', item)
    assert.equal(json.object, kind.title)
    return json.data[name]
  }
  assert.deepEqual(await shown(), example.created)
  if (kind.operations.has('list')) {
    assert.deepEqual((await call('GET', collection)).json.data[name], example.created)
  }
  if (kind.operations.has('update')) {
    const { status, json } = await call('PUT', item, example.update)
    assert.deepEqual([status, json.msg], [200, 'Configuration updated'], `${kind.name}: ${json.msg}`)
    assert.deepEqual(await shown(), { ...example.created, ...example.updated })
    assert.equal((await call('PUT', item, await plainMembers(kind, await shown()))).status, 200, kind.name)
  }
  for (const { segment, title } of kind.sections) {
    const section = example.sections?.[segment]
    assert.ok(section, `The example of ${kind.name} needs an update of ${segment}.`)
    const { status, json } = await call('PUT', `${item}/${segment}`, section.update)
    assert.deepEqual([status, json.id], [200, name], `${kind.name}/${segment}: ${json.msg}`)
    const read = await call('GET', `${item}/${segment}`)
    assert.partialDeepStrictEqual(read.json.data[name][title], section.updated)
    assert.deepEqual((await shown())[title], read.json.data[name][title])
  }
  if (example.create) {
    const { status, json } = await call('DELETE', item)
    assert.deepEqual([status, json.msg], [200, 'Successfully deleted.'])
    assert.equal((await call('GET', item)).status, 404)
  }
}

/** What a client sends that writes back what it has read. */
async function plainMembers(kind: CompiledKind, shown: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(shown).filter(([member]) => kind.fields.find(member)))
}

async function refusesWrongValues({ call }: Client, kind: CompiledKind): Promise<void> {
  const { item } = exampleAddress(kind)
  const parts: [address: string, fields: FieldSet][] = [
    [item, kind.fields],
    ...kind.sections.map(({ segment, fields }): [string, FieldSet] => [`${item}/${segment}`, fields]),
  ]
  for (const [address, fields] of parts) {
    const wrong = Array.from(fields, ({ name, field }): [string, unknown] => [
      name,
      refusedValues[field.type],
    ])
    const { status, json } = await call('PUT', address, Object.fromEntries([...wrong, ['no-such-member', 1]]))
    assert.equal(status, 406, address)
    assert.equal(json.error.type, 'not-acceptable')
    for (const [name] of wrong)
      assert.match(json.msg, new RegExp(`The member ${name} `), `${address}: ${name}`)
    assert.match(json.msg, /"no-such-member" is not a member of /)
  }
}

async function answersToItsMethods({ call }: Client, kind: CompiledKind): Promise<void> {
  const { collection, item } = exampleAddress(kind)
  const has = (operation: Parameters<typeof kind.operations.has>[0]) => kind.operations.has(operation)
  const addresses: [address: string, methods: string[]][] = [
    ...(kind.identifiedBy === undefined
      ? []
      : ([[collection, [...(has('list') ? ['GET'] : []), ...(has('create') ? ['POST'] : [])]]] as [
          string,
          string[],
        ][])),
    [
      item,
      [
        ...(has('read') ? ['GET'] : []),
        ...(has('update') ? ['PUT'] : []),
        ...(has('delete') ? ['DELETE'] : []),
      ],
    ],
    ...kind.sections.map(({ segment }): [string, string[]] => [`${item}/${segment}`, ['GET', 'PUT']]),
  ]
  for (const [address, methods] of addresses) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      if (methods.includes(method)) continue
      const reply = await call(method, address)
      assert.equal(reply.status, 405, `${method} ${address}`)
      assert.equal(reply.headers.allow, methods.join(', '))
    }
  }
}
