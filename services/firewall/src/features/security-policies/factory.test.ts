import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Store } from '@palisade/platform'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import { readValue, sameValue } from '../../kinds/values.ts'
import type { FirewallTables } from '../../tables.ts'
import { type Client, logIn } from '../../testing/client.ts'
import { serveFirewall } from '../../testing/firewall.ts'
import { actionPolicy } from '../action-policies/fields.ts'
import { securityPolicy } from './security-policy.ts'

/** Limits of the policy that the reference was recorded with (5.5), by section. */
const documentedLimits = {
  'Request Limits': {
    'max-cookie-name-length': 64,
    'max-cookie-value-length': 4096,
    'max-header-name-length': 32,
    'max-header-value-length': 1024,
    'max-number-of-cookies': 40,
    'max-number-of-headers': 20,
    'max-query-length': 4096,
    'max-request-length': 32_768,
    'max-request-line-length': 4096,
    'max-url-length': 4096,
  },
  'Parameter Protection': { 'maximum-parameter-value-length': 1000, 'maximum-upload-file-size': 1024 },
  'URL Protection': {
    'max-content-length': 32_768,
    'max-parameters': 40,
    'maximum-parameter-name-length': 64,
    'maximum-upload-files': 5,
  },
} as const

onEveryStore('the security policies of a fresh installation', (newStore) => {
  let store: Store
  let served: ServedService
  let client: Client
  before(async () => {
    store = await newStore()
    served = await serveFirewall({ store })
    client = await logIn(served.baseUrl)
  })
  after(() => served.close())

  test('a fresh installation has a policy for each of some widespread applications', async () => {
    const { json } = await client.get('security-policies')
    assert.deepEqual(Object.keys(json.data).sort(), [
      'default',
      'oracle',
      'owa',
      'owa2010',
      'owa2013',
      'saml',
      'sharepoint',
      'sharepoint2013',
      'strict',
    ])
    const { sharepoint2013, saml, owa2010, strict } = json.data
    assert.equal(strict['Request Limits']['max-header-value-length'], '1024')
    assert.equal(saml['Request Limits']['max-header-value-length'], '2048')
    assert.deepEqual(sharepoint2013.Cloaking['return-codes-to-exempt'], ['403'])
    assert.equal(sharepoint2013['URL Protection']['max-parameters'], '64')
    assert.deepEqual(owa2010['Parameter Protection']['file-upload-mime-types'], [])
    assert.ok(owa2010['URL Protection']['allowed-methods'].includes('RPC_IN_DATA'))
  })

  test('strict has the documented limits, as what clients create does; default has wider ones and takes every content type', async () => {
    await client.call('POST', 'security-policies', { name: 'plain' })
    const { json } = await client.get('security-policies')
    const { default: general, strict, plain } = json.data
    const sections = Object.values(securityPolicy.sections).map(({ title }) => title)
    assert.deepEqual(
      sections.map((title) => plain[title]),
      sections.map((title) => strict[title]),
    )
    assert.deepEqual(strict['URL Protection']['allowed-methods'], ['GET', 'POST', 'HEAD'])
    assert.deepEqual(general['URL Protection']['allowed-content-types'], ['*'])
    let wider = 0
    for (const [title, limits] of Object.entries(documentedLimits)) {
      for (const [member, documented] of Object.entries(limits)) {
        assert.equal(strict[title][member], String(documented), member)
        const limit = Number(general[title][member])
        assert.ok(limit === 0 || limit > documented, member)
        wider++
      }
    }
    assert.equal(wider, 16)
  })

  test('a default that somebody changed stays as it was before, and so does an own policy of the name strict', async (t) => {
    const older = await newStore()
    const before = await serveFirewall({ store: older })
    await before.close()
    // As a release has left them in which the factory's policies had the documented limits.
    const rows = [
      ['default', { 'request-limits': { 'max-number-of-headers': 21 } }],
      ['strict', { 'url-protection': { 'max-parameters': 7 } }],
    ] as const
    const stored = older.tables<FirewallTables>()
    for (const [name, sections] of rows) {
      const document = JSON.stringify({ values: { name }, sections })
      await stored
        .insertInto('firewall_object')
        .values({ kind: 'security-policy', path: JSON.stringify([name]), document, version: 1 })
        .execute()
    }
    const restarted = await serveFirewall({ store: older })
    t.after(() => restarted.close())
    const { get } = await logIn(restarted.baseUrl)
    const { json } = await get('security-policies')
    assert.equal(json.data.default['Request Limits']['max-number-of-headers'], '21')
    assert.equal(json.data.default['Request Limits']['max-header-value-length'], '1024')
    assert.deepEqual(json.data.default['URL Protection']['allowed-methods'], ['GET', 'POST', 'HEAD'])
    assert.equal(json.data.strict['URL Protection']['max-parameters'], '7')
  })

  test('every policy has an action for each attack, also a new one', async () => {
    await client.call('POST', 'security-policies', { name: 'new-policy', 'based-on': 'Create New' })
    const attacks = actionPolicy.inEveryParent.map(({ name }) => name).sort()
    assert.ok(attacks.length > 100)
    for (const policy of ['default', 'saml', 'new-policy']) {
      const { json } = await client.get(`security-policies/${policy}/action-policies?limit=1000`)
      assert.deepEqual(Object.keys(json.data), attacks)
      const { action, 'numeric-id': number, 'risk-score': risk } = json.data['parameter-name-length-exceeded']
      assert.deepEqual([action, number, risk], ['Protect and Log', '147', 'Low'])
      const ordinary = ['invalid-url-character-set', 'invalid-url-encoding', 'slash-dot-in-url-path']
      for (const attack of ordinary)
        assert.equal(json.data[attack].action, policy === 'default' ? 'None' : 'Protect and Log', attack)
    }
  })

  test('a policy starts as another one is, which may go afterwards', async (t) => {
    const limits = 'request-limits'
    await client.call('POST', 'security-policies', { name: 'model' })
    await client.call('PUT', `security-policies/model/${limits}`, { 'max-cookie-name-length': 17 })
    const copy = { name: 'copy', 'based-on': 'model' }
    assert.equal((await client.call('POST', 'security-policies', copy)).status, 201)
    assert.equal((await client.call('PUT', 'security-policies/copy', copy)).status, 200, 'may be repeated')

    // As a release that kept the model's name has left it.
    const stored = store.tables<FirewallTables>()
    const path = JSON.stringify(['copy'])
    const { document } = await stored
      .selectFrom('firewall_object')
      .select('document')
      .where('kind', '=', 'security-policy')
      .where('path', '=', path)
      .executeTakeFirstOrThrow()
    const content = JSON.parse(document)
    assert.deepEqual(content.values, { name: 'copy' })
    await stored
      .updateTable('firewall_object')
      .set({ document: JSON.stringify({ ...content, values: copy }) })
      .where('kind', '=', 'security-policy')
      .where('path', '=', path)
      .execute()
    const restarted = await serveFirewall({ store })
    t.after(() => restarted.close())
    const { call, get } = await logIn(restarted.baseUrl)
    assert.equal((await call('DELETE', 'security-policies/model')).status, 200)
    const limitsOfCopy = (await get(`security-policies/copy/${limits}`)).json.data.copy['Request Limits']
    assert.equal(limitsOfCopy['max-cookie-name-length'], '17')
  })

  test('an action is changed in one policy alone', async () => {
    const address = (policy: string) => `security-policies/${policy}/action-policies/sql-injection-in-url`
    await client.call('PUT', address('saml'), { action: 'Allow and Log' })
    const actionIn = async (policy: string) =>
      (await client.get(address(policy))).json.data['sql-injection-in-url'].action
    assert.equal(await actionIn('saml'), 'Allow and Log')
    assert.equal(await actionIn('default'), 'Protect and Log')
  })
})

test('no two attacks share a name or a number', () => {
  const attacks = actionPolicy.inEveryParent
  const numbers = attacks.map(({ fields }) => fields?.['numeric-id'])
  assert.equal(new Set(attacks.map(({ name }) => name)).size, attacks.length)
  assert.equal(new Set(numbers).size, attacks.length)
})

test('what the factory set could also be set by an administrator', () => {
  let ran = 0
  for (const { path, sections = {} } of securityPolicy.factory) {
    for (const [segment, values] of Object.entries(sections)) {
      const section = Object.entries(securityPolicy.sections).find(([objects]) => objects === segment)?.[1]
      assert.ok(section, segment)
      for (const [member, value] of Object.entries(values)) {
        const field = Object.entries(section.fields).find(([objects]) => objects === member)?.[1]
        assert.ok(field, member)
        const read = readValue(field, value)
        const isNothing = read === undefined && Array.isArray(value) && value.length === 0
        assert.ok(isNothing || (typeof read !== 'symbol' && sameValue(read, value)), `${path}: ${member}`)
        ran++
      }
    }
  }
  assert.ok(ran > 30)
})
