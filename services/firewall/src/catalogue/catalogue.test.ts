import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { type CompiledKind, compileCatalogue } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { type Field, isShown } from '../kinds/kind.ts'
import { methodsAt, type Target } from '../rest/address.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { StandingExamples } from '../testing/standing-examples.ts'
import type { Members } from './examples/example-file.ts'
import { Examples } from './examples/examples.ts'
import { catalogue } from './index.ts'

const compiled = compileCatalogue(catalogue)
const examples = new Examples(compiled)
const kinds = examples.byNeed(compiled.values())

/** Something that a field of the type never takes. */
const refusedValues: Readonly<Record<Field['type'], unknown>> = {
  string: { nested: true },
  integer: 'twelve',
  choice: 'none of them',
  'on-off': 'Perhaps',
  'yes-no': 'Perhaps',
  'ip-address': '192.0.2.256',
  netmask: '255.0.255.0',
  reference: 'no such object',
  list: 7,
}

test('every kind and every section says what it is in a sentence', () => {
  for (const { name, description } of kinds) assert.match(description, /^[A-Z].*\.$/s, name)
  for (const { name, sections } of kinds) {
    for (const section of sections)
      assert.match(section.description, /^[A-Z].*\.$/s, `${name}/${section.segment}`)
  }
})

test('numbers are shown where recorded replies have them, and nowhere else', () => {
  const numbers = kinds.flatMap((kind) => [
    ...fieldNames(kind.fields, isNumber),
    ...kind.sections.flatMap(({ fields }) => fieldNames(fields, isNumber)),
  ])
  assert.deepEqual(numbers, [
    'failed-login-time-threshold',
    'lockout-duration',
    'maximum-failed-login-attempts',
    'minimum-characters',
  ])
})

function isNumber(field: Field): boolean {
  return field.type === 'integer' && field.shownAs === 'number'
}

/** Members that are understood, and refused whatever they say. */
const alwaysRefused: ReadonlySet<string> = new Set([
  // There is no other node to which work could go over.
  'cluster/nodes operation',
])

test('every example sets every member that can be set', () => {
  let fieldsSeen = 0
  for (const kind of kinds) {
    const { full, update, sections = {} } = examples.of(kind)
    const settable = fieldNames(kind.fields, ({ readOnly, hidden }) => !readOnly && !hidden)
    const set = new Set([...Object.keys(full ?? {}), ...Object.keys(update ?? {})])
    const isNameGiven = kind.operations.has('create') || kind.identifiedBy === undefined
    const expected = settable.filter((name) => isNameGiven || name !== kind.identifiedBy)
    assert.deepEqual([...set].sort(), expected.sort(), `catalogue/examples/${kind.name}.json`)
    assert.deepEqual(
      Object.keys(sections).sort(),
      kind.sections.map(({ segment }) => segment).sort(),
      kind.name,
    )
    fieldsSeen += kind.fields.size
    for (const { segment, fields } of kind.sections) {
      const members = Object.keys(sections[segment] ?? {}).sort()
      const settableThere = fieldNames(fields, ({ readOnly, hidden }) => !readOnly && !hidden).filter(
        (name) => !alwaysRefused.has(`${kind.name}/${segment} ${name}`),
      )
      assert.deepEqual(members, settableThere.sort(), `${kind.name} ${segment}`)
      fieldsSeen += fields.size
    }
  }
  assert.ok(fieldsSeen > 2_000)
})

onEveryStore('every kind of the catalogue', (newStore) => {
  let served: ServedService
  let client: Client
  let standing: StandingExamples
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
    client = await logIn(served.baseUrl)
    standing = new StandingExamples(examples, client)
  })
  after(async () => {
    await standing.clear()
    await served.close()
  })

  for (const kind of kinds) {
    test(`${kind.name} is created, read, listed, changed and deleted as its example says`, async () => {
      await standing.standFor(kind)
      await livesAndEnds(client, kind)
    })
  }

  test('refuses what its fields do not take, and names each member', async () => {
    let ran = 0
    for (const kind of kinds) {
      await standing.withExample(kind, () => refusesWrongValues(client, kind))
      ran++
    }
    assert.ok(ran > 0 && ran === catalogue.length)
  })

  test('answers to the methods that its operations say, and to no others', async () => {
    let ran = 0
    for (const kind of kinds) {
      await standing.withExample(kind, () => answersToItsMethods(client, kind))
      ran++
    }
    assert.ok(ran > 0 && ran === catalogue.length)
  })

  test('says that an object is not there, and that one around it is not', async () => {
    let ran = 0
    for (const kind of kinds) {
      await standing.standFor(kind)
      await saysWhatIsNotThere(client, kind)
      ran++
    }
    assert.ok(ran > 0 && ran === catalogue.length)
  })
})

async function livesAndEnds({ call, get }: Client, kind: CompiledKind): Promise<void> {
  const { create, full, update, sections = {} } = examples.of(kind)
  const { collection, item } = examples.addressOf(kind)
  const name = examples.nameOf(kind)
  const has = (operation: Parameters<typeof kind.operations.has>[0]) => kind.operations.has(operation)
  const show = async (): Promise<Members> => {
    const { json } = await get(item)
    assert.equal(json.object, kind.title)
    if (kind.shownFlat) return json.data
    assert.deepEqual(Object.keys(json.data), [name])
    return json.data[name]
  }
  for (const body of [create, full]) {
    if (!body) continue
    const isThere = (await get(item)).status === 200
    if (!isThere) {
      const { status, json } = await call('POST', collection, body)
      assert.equal(status, 201, `${kind.name}: ${json.msg}`)
      assert.deepEqual([json.id, json.msg], [name, 'Successfully created.'])
    }
    const again = await call('POST', collection, body)
    assert.ok(again.status === 406 || again.status === 400, `${kind.name}: ${again.status} ${again.json.msg}`)
    assert.match(again.json.msg, /duplicate/i)
    if (!isThere) showsMembers(kind.fields, await show(), body)
    if (has('list')) assert.deepEqual((await get(collection)).json.data[name], await show())
    if (body === create && has('delete')) {
      const { status, json } = await call('DELETE', item)
      assert.deepEqual([status, json.msg], [200, 'Successfully deleted.'])
      assert.equal((await get(item)).status, 404)
    }
  }
  showsEveryMember(kind.fields, await show())
  if (has('update')) {
    for (const body of [{}, update ?? {}]) {
      const { status, json } = await call('PUT', item, body)
      assert.deepEqual(
        [status, json.msg, json.id],
        [200, 'Configuration updated', name],
        `${kind.name}: ${json.msg}`,
      )
    }
    showsMembers(kind.fields, await show(), update ?? {})
    const own = Object.entries(await show()).filter(([member]) => kind.fields.find(member))
    const { status, json } = await call('PUT', item, Object.fromEntries(own))
    assert.equal(status, 200, `${kind.name}, what was read written back: ${json.msg}`)
  }
  for (const { segment, title, fields, operations } of kind.sections) {
    const body = sections[segment] ?? {}
    const { status, json } = await call('PUT', `${item}/${segment}`, body)
    assert.deepEqual([status, json.id], [200, name], `${kind.name}/${segment}: ${json.msg}`)
    if (!operations.has('read')) continue
    const read: Members = (await get(`${item}/${segment}`)).json.data[name][title]
    showsMembers(fields, read, body)
    showsEveryMember(fields, read)
    const filtered = await get(`${item}?groups=${encodeURIComponent(title)}`)
    assert.deepEqual(filtered.json.data[name], { [title]: read })
  }
  if (has('list')) {
    const [field = ''] = fieldNames(kind.fields, isShown)
    const { json } = await get(`${collection}?parameters=${field}&limit=1000`)
    assert.deepEqual(Object.keys(json.data[name]), [field])
    assert.equal(Object.keys((await get(`${collection}?limit=1`)).json.data).length, 1)
  }
  if (has('delete') && create) {
    const { status, json } = await call('DELETE', item)
    assert.deepEqual([status, json.msg], [200, 'Successfully deleted.'], `${kind.name}: ${json.msg}`)
    assert.equal((await get(item)).status, 404)
  }
}

/** Each given member is shown as text, or as a list of texts, unless its field says otherwise. */
function showsMembers(fields: FieldSet, reply: Members, body: Members): void {
  for (const [member, value] of Object.entries(body)) {
    const field = fields.find(member)?.field
    assert.ok(field, member)
    if (isShown(field)) assert.deepEqual(reply[member], asShown(field, value), member)
  }
}

function asShown(field: Field, value: unknown): unknown {
  if (field.type === 'integer') return field.shownAs === 'number' ? Number(value) : String(value)
  if (field.type !== 'list') return value
  const items = [value].flat().map(String)
  return field.shownAs === 'text' ? items.join(',') : items
}

/** Every member that is not secret is there, and is text, a list of texts, or a number where its field says so. */
function showsEveryMember(fields: FieldSet, reply: Members): void {
  for (const { name, field } of fields) {
    const value = reply[name]
    if (!isShown(field)) assert.equal(value, undefined, name)
    else if (typeof value === 'number')
      assert.ok(field.type === 'integer' && field.shownAs === 'number', name)
    else
      assert.ok(
        [value].flat().every((item) => typeof item === 'string'),
        name,
      )
  }
}

async function refusesWrongValues({ call }: Client, kind: CompiledKind): Promise<void> {
  const { item } = examples.addressOf(kind)
  const parts: [address: string, fields: FieldSet][] = [
    ...(kind.operations.has('update') ? ([[item, kind.fields]] as [string, FieldSet][]) : []),
    ...kind.sections.map(({ segment, fields }): [string, FieldSet] => [`${item}/${segment}`, fields]),
  ]
  for (const [address, fields] of parts) {
    const wrong = Array.from(fields)
      .filter(({ field }) => !field.hidden)
      .map(({ name, field }): [string, unknown] => [name, refusedValues[field.type]])
    const { status, json } = await call('PUT', address, Object.fromEntries([...wrong, ['no-such-member', 1]]))
    assert.equal(status, 406, address)
    assert.equal(json.error.type, 'not-acceptable')
    const problems = json.msg.includes('And ') ? wrong.slice(0, 99) : wrong
    for (const [name] of problems)
      assert.match(json.msg, new RegExp(`The member ${name} `), `${address}: ${name}`)
    if (problems === wrong) assert.match(json.msg, /"no-such-member" is not a member of /)
    await refusesOutOfRange(call, address, fields)
  }
}

async function refusesOutOfRange(call: Client['call'], address: string, fields: FieldSet): Promise<void> {
  for (const { name, field } of fields) {
    const wrong: unknown[] = []
    if (field.hidden) continue
    if (field.type === 'integer' && field.min !== undefined) wrong.push(field.min - 1)
    if (field.type === 'integer' && field.max !== undefined) wrong.push(field.max + 1)
    if (field.type === 'string' && field.lengthMax !== undefined) wrong.push('x'.repeat(field.lengthMax + 1))
    for (const value of wrong) {
      const { status, json } = await call('PUT', address, { [name]: value })
      assert.equal(status, 406, `${address}: ${name}`)
      assert.match(json.msg, new RegExp(`The member ${name} must be `), address)
    }
  }
}

async function answersToItsMethods({ call }: Client, kind: CompiledKind): Promise<void> {
  const { collection, item } = examples.addressOf(kind)
  const path = item.split('/').map(decodeURIComponent)
  const targets: [address: string, target: Target][] = [
    [item, { type: 'object', kind, path }],
    ...kind.sections.map((section): [string, Target] => [
      `${item}/${section.segment}`,
      { type: 'section', kind, path, section },
    ]),
  ]
  if (kind.identifiedBy !== undefined)
    targets.push([collection, { type: 'collection', kind, parentPath: path }])
  for (const [address, target] of targets) {
    const methods = [...methodsAt(target).keys()]
    assert.ok(methods.length > 0, address)
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      if (methods.includes(method)) continue
      const reply = await call(method, address)
      assert.equal(reply.status, 405, `${method} ${address}`)
      assert.equal(reply.headers.allow, methods.join(', '))
    }
  }
}

async function saysWhatIsNotThere({ call }: Client, kind: CompiledKind): Promise<void> {
  const { collection, item } = examples.addressOf(kind)
  const absent = kind.identifiedBy === undefined ? [] : [`${collection}/nobody`]
  const parent = kind.lineage.at(-2)
  if (parent && parent.identifiedBy !== undefined) {
    const nowhere = examples.addressOf(parent)
    absent.push(item.replace(nowhere.item, `${nowhere.collection}/nobody`))
  }
  for (const address of absent) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, json } = await call(method, address, method === 'PUT' ? {} : undefined)
      const isUnknown = status === 404 && /^There is no /.test(json.msg)
      assert.ok(isUnknown || status === 405, `${method} ${address}: ${status} ${json.msg}`)
    }
  }
}

function fieldNames(fields: FieldSet, isWanted: (field: Field) => boolean | undefined): string[] {
  return Array.from(fields)
    .filter(({ field }) => isWanted(field))
    .map(({ name }) => name)
}
