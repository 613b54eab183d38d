import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { compileCatalogue } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { StandingExamples } from '../testing/standing-examples.ts'
import type { Members } from './examples/example-file.ts'
import { Examples } from './examples/examples.ts'
import { catalogue } from './index.ts'

const compiled = compileCatalogue(catalogue)
const examples = new Examples(compiled)

/** Writes what an address shows back to it: the object keeps its version, so nobody else's If-Match fails. */
async function changesNothing(
  { call, get }: Client,
  address: string,
  membersIn: (reply: Members) => Members,
  isFlat = false,
): Promise<void> {
  const { json, headers } = await get(address)
  const shown: Members = isFlat ? json.data : (Object.values<Members>(json.data)[0] ?? {})
  const written = await call('PUT', address, membersIn(shown))
  assert.equal(written.status, 200, `${address}: ${written.text}`)
  assert.equal(written.headers.etag, headers.etag, `${address} counts as changed`)
  assert.deepEqual((await get(address)).json.data, json.data)
}

onEveryStore('what an object shows', (newStore) => {
  test('is taken back without a change, by every kind and every section', async (t) => {
    const served = await serveFirewall({ store: await newStore() })
    t.after(() => served.close())
    const client = await logIn(served.baseUrl)
    const standing = new StandingExamples(examples, client)
    let ran = 0
    for (const kind of examples.byNeed(compiled.values())) {
      const { item } = examples.addressOf(kind)
      await standing.withExample(kind, async () => {
        if (kind.operations.has('update')) {
          await changesNothing(client, item, (reply) => ownMembers(kind.fields, reply), kind.shownFlat)
        }
        for (const { segment, title, operations } of kind.sections) {
          if (!operations.has('read') || !operations.has('update')) continue
          await changesNothing(client, `${item}/${segment}`, (reply) => reply[title] as Members)
          ran++
        }
      })
    }
    assert.ok(ran > 80)
  })

  test('is taken back also from an administrator of the configuration file, who has no email address', async (t) => {
    const served = await serveFirewall({ store: await newStore() })
    t.after(() => served.close())
    const client = await logIn(served.baseUrl)
    const own = (reply: Members) => ownMembers(compiledKind('user').fields, reply)
    await changesNothing(client, 'users/admin', own)
    const emptied = { 'email-address': '' }
    await client.call('PUT', 'users/admin', { 'email-address': 'admin@example.com' })
    const { status, json } = await client.call('PUT', 'users/admin', emptied)
    assert.deepEqual([status, json.msg], [406, 'The member email-address is required.'])
  })
})

function compiledKind(name: string) {
  const kind = compiled.get(name)
  assert.ok(kind)
  return kind
}

/** The members of an object among what it shows, which has its sections and what lies inside it as well. */
function ownMembers(fields: FieldSet, reply: Members): Members {
  return Object.fromEntries(Object.entries(reply).filter(([member]) => fields.find(member)))
}
