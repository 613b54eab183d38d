import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { onEveryStore } from '@palisade/platform/testing'
import { Examples } from '../catalogue/examples/examples.ts'
import { catalogue } from '../catalogue/index.ts'
import { compileCatalogue } from '../kinds/compiled-kind.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import type { ListedOperation } from './operation-list/operation-list.ts'

const kinds = [...compileCatalogue(catalogue).values()].filter(({ name }) => name !== 'user')
const examples = new Examples(compileCatalogue(catalogue))

onEveryStore('a configuration with an object of every kind', (newStore) => {
  test('comes back as it was from its own export, and from a list of operations', async (t) => {
    const served = await serveFirewall({ store: await newStore() })
    t.after(() => served.close())
    const client = await logIn(served.baseUrl)
    const fresh = await client.call('POST', 'ops/export-configuration', { 'backup-type': 'full' })
    await createOfEveryKind(client)
    const exported = await client.call('POST', 'ops/export-configuration', { 'backup-type': 'full' })
    assert.ok(Object.keys(exported.json.data.objects).length > 90)
    const importing = (document: unknown) =>
      client.call('POST', 'ops/import-configuration', { 'json-file-content': document })

    const cleared = await importing(fresh.json.data)
    assert.equal(cleared.status, 200, cleared.text)
    const back = await importing(exported.json.data)
    assert.equal(back.status, 200, back.text)
    assert.equal((await importing(exported.json.data)).json.msg, 'Nothing had to be changed.')
    const again = await client.call('POST', 'ops/export-configuration', { 'backup-type': 'full' })
    assert.deepEqual(withoutSeals(again.json.data), withoutSeals(exported.json.data))

    const asOperations = { 'backup-type': 'full', 'document-form': 'Operations' }
    const listed = async () => (await client.call('POST', 'ops/export-configuration', asOperations)).json.data
    const list = await listed()
    assert.ok(list.config.length > 100)
    // Objects that a list leaves out are there already where it is imported, but for users, whose groups the list brings.
    const leftOut = list.Metadata['left-out'].flatMap((one: string) => /^([a-z-]+) "/.exec(one)?.[1] ?? [])
    const remaining = Object.entries(exported.json.data.objects).filter(
      ([kind]) => leftOut.includes(kind) && kind !== 'local-user',
    )
    assert.ok(remaining.length > 3)
    const cut = await importing({ ...exported.json.data, objects: Object.fromEntries(remaining) })
    assert.equal(cut.status, 200, cut.text)
    const config = list.config.map((one: ListedOperation) => withRequiredSecrets(one))
    const reply = await importing({ ...list, config })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual((await listed()).config, list.config)
  })

  test('comes back by the checkpoints of its deletions, the last one first', async (t) => {
    const served = await serveFirewall({ store: await newStore() })
    t.after(() => served.close())
    const client = await logIn(served.baseUrl)
    await createOfEveryKind(client)
    const exported = () => client.call('POST', 'ops/export-configuration', { 'backup-type': 'full' })
    const before = withoutSeals((await exported()).json.data)
    const innermostFirst = kinds.toSorted((one, other) => other.lineage.length - one.lineage.length)
    const remaining = new Set(innermostFirst.filter(({ operations }) => operations.has('delete')))
    const checkpoints: string[] = []
    // What others name goes once these are gone.
    for (let count = -1; count !== checkpoints.length; ) {
      count = checkpoints.length
      for (const kind of remaining) {
        const { status, headers } = await client.call('DELETE', examples.addressOf(kind).item)
        if (status !== 200) continue
        remaining.delete(kind)
        checkpoints.push(String(headers['palisade-checkpoint']))
      }
    }
    assert.ok(checkpoints.length > 80, `${checkpoints.length} were deleted`)
    for (const name of checkpoints.toReversed()) {
      const { status, text } = await client.call('POST', `configuration-checkpoints/${name}/rollback`)
      assert.equal(status, 200, `${name}: ${text}`)
    }
    assert.deepEqual(withoutSeals((await exported()).json.data), before)
  })
})

/** Creates an object of every kind that there can be, and changes those that there always are. */
async function createOfEveryKind(client: Client): Promise<void> {
  const paths = new Set<string>()
  for (const kind of kinds.flatMap((one) => [...examples.before(one), one])) {
    if (paths.has(kind.name) || kind.name === 'user') continue
    paths.add(kind.name)
    const { create, full, update, sections = {} } = examples.of(kind)
    const { collection, item } = examples.addressOf(kind)
    if (kind.operations.has('create') && create) {
      const { status, text } = await client.call('POST', collection, full ?? create)
      assert.ok(status === 201 || status === 406, text)
    }
    if (!create && kind.operations.has('update') && update) await client.call('PUT', item, update)
    for (const [segment, body] of Object.entries(sections)) {
      await client.call('PUT', `${item}/${segment}`, body)
    }
  }
  assert.equal(paths.size, kinds.length)
}

onEveryStore('a configuration of ten thousand objects', (newStore) => {
  test('is imported while others are answered', async () => {
    const served = await serveFirewall({ store: await newStore() })
    const client = await logIn(served.baseUrl)
    const { json } = await client.call('POST', 'ops/export-configuration', { 'backup-type': 'full' })
    const names = Array.from({ length: 5000 }, (_, index) => `s${index}`)
    json.data.objects.service = names.map((name, index) => ({
      path: [name],
      members: { 'ip-address': `192.0.${index >> 8}.${index & 255}`, port: 80 },
      sections: { 'basic-security': { mode: 'Active' } },
    }))
    json.data.objects.server = names.map((name) => ({
      path: [name, 'one'],
      members: { 'ip-address': '192.0.2.7', port: 80 },
    }))
    let isDone = false
    let turns = 0
    const watching = (async () => {
      for (; !isDone; turns++) await setTimeout(1)
    })()
    const { status, text } = await client.call('POST', 'ops/import-configuration', {
      'json-file-content': json.data,
    })
    isDone = true
    await watching
    assert.equal(status, 200, text)
    assert.equal(JSON.parse(text).data['added count'], 10_000)
    assert.equal(JSON.parse(text).data.added.length, 1000)
    assert.equal((await client.get('services/s4999/servers/one')).status, 200)
    // In one piece others would have a turn or two.
    assert.ok(turns > 20, `others had ${turns} turns`)
    await served.close()
  })
})

/** A list tells no secrets, and some objects are not created without: they get the one of the example. */
function withRequiredSecrets(entry: ListedOperation): ListedOperation {
  const kind = kinds.find(({ segments }) => segments.at(-1) === entry.type)
  if (!kind || entry.operation !== 'CREATE') return entry
  const { create = {} } = examples.of(kind)
  const required = Array.from(kind.fields).filter(({ field }) => field.required && field.writeOnly)
  const secrets = Object.fromEntries(required.map(({ name }) => [name, create[name]]))
  return { ...entry, payload: { ...secrets, ...entry.payload } }
}

/** Sealed texts are different each time. */
function withoutSeals(document: object): object {
  return JSON.parse(JSON.stringify(document).replaceAll(/"sealed:[^"]*"/g, '"sealed"'), (name, value) =>
    name === 'configuration-version' ? undefined : value,
  )
}
