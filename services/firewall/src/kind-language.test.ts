import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Store } from '@palisade/platform'
import { onEveryStore, type ServedService } from '@palisade/platform/testing'
import type { FirewallTables } from './tables.ts'
import { type Client, logIn } from './testing/client.ts'
import { serveFirewall } from './testing/firewall.ts'
import { town } from './testing/town.ts'

onEveryStore('the kind language', (newStore) => {
  let store: Store
  let served: ServedService
  let client: Client
  before(async () => {
    store = await newStore()
    served = await serveFirewall({ store, kinds: town })
    client = await logIn(served.baseUrl)
  })
  after(() => served.close())

  /** The data of a successful GET. */
  const data = async (path: string) => {
    const { status, json } = await client.get(path)
    assert.equal(status, 200, json.msg)
    return json.data
  }
  const succeed = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await client.call(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${json.msg}`)
    return json
  }
  const refused = async (method: string, path: string, body?: unknown): Promise<string> => {
    const { status, json } = await client.call(method, path, body)
    assert.ok(status >= 400 && status < 500, `${method} ${path}: ${status}`)
    return json.msg
  }

  test('nests collections three deep, with a section below, and shows what lies inside with its number', async () => {
    await succeed('POST', 'public/streets', { name: 'high', length: 300 })
    await succeed('POST', 'public/streets/high/houses', { number: '12', colour: 'dark blue' })
    await succeed('POST', 'public/streets/high/houses/12/rooms', { label: 'attic / top' })
    const room = 'public/streets/high/houses/12/rooms/attic%20%2F%20top'
    await succeed('PUT', `${room}/window_box`, { flowers: 'lily,rose' })
    assert.deepEqual(await data(`${room}/window-box`), {
      'attic / top': { 'Window Box': { flowers: ['Lily', 'Rose'] } },
    })
    const attic = {
      object: 'Room',
      label: 'attic / top',
      tenant: '',
      'Window Box': { flowers: ['Lily', 'Rose'] },
    }
    const house = {
      object: 'House',
      number: '12',
      colour: 'Dark Blue',
      built: '',
      condition: '',
      neighbour: '',
      keepers: [],
      'Room count': 1,
      'Front Garden': { trees: '0', gardener: '' },
      Paint: { colour: 'Dark Blue' },
      Room: { object: 'Room', data: { 'attic / top': attic } },
    }
    const street = {
      object: 'Street',
      name: 'high',
      length: '300',
      'House count': 1,
      House: { object: 'House', data: { 12: house } },
    }
    assert.deepEqual(await data('public/streets'), { high: street })
    const rooms = await client.get('public/streets/high/houses/12/rooms')
    assert.deepEqual(
      [rooms.json.Street, rooms.json.House, rooms.json.object],
      ['high', '12', 'Room'],
      'the objects around a list are named beside it',
    )
    await succeed('DELETE', 'public/streets/high/houses/12')
    assert.deepEqual(await data('public/streets'), { high: { ...street, 'House count': 0, House: {} } })
    const rows = await store.tables<FirewallTables>().selectFrom('firewall_object').select('kind').execute()
    assert.deepEqual(
      rows.map(({ kind }) => kind).sort(),
      ['street', 'user'],
      'what lay inside is gone from the store as well',
    )
  })

  test('has single objects with sections and collections of their own', async () => {
    assert.deepEqual(await data('town-hall'), {
      'Town Hall': { object: 'Town Hall', mayor: '', open: 'Yes', 'Tower Clock': { status: 'On' } },
    })
    assert.equal((await succeed('PUT', 'town_hall', { open: 'no' })).id, 'Town Hall')
    assert.deepEqual(await data('town-hall?parameters=open'), { 'Town Hall': { open: 'No' } })
    await succeed('PUT', 'town-hall/clock', { status: 'Off' })
    assert.deepEqual(await data('town-hall/clock'), { 'Town Hall': { 'Tower Clock': { status: 'Off' } } })
    await succeed('POST', 'town-hall/counters', { name: 'second' })
    assert.deepEqual(Object.keys(await data('town-hall/counters')), ['first', 'second'])
    assert.equal((await client.call('DELETE', 'town-hall')).status, 405)
    assert.match(await refused('DELETE', 'town-hall/counters/first'), /factory configuration/)
    await succeed('DELETE', 'town-hall/counters/second')
  })

  test('takes create-only members once, read-only ones never, and never shows write-only ones', async () => {
    await succeed('POST', 'public/streets', { name: 'low' })
    const created = { number: 1, built: '1890', 'alarm-code': 'very secret' }
    await succeed('POST', 'public/streets/low/houses', created)
    const house = 'public/streets/low/houses/1'
    assert.match(await refused('PUT', house, { built: '1891' }), /built cannot be changed after creation/)
    await succeed('PUT', house, { built: '1890', condition: '', number: 1 })
    assert.match(await refused('PUT', house, { condition: 'good' }), /condition is read-only/)
    assert.match(
      await refused('POST', 'public/streets/low/houses', { number: 2, condition: 'good' }),
      /condition is read-only/,
    )
    assert.ok(!JSON.stringify(await data('public/streets')).includes('alarm-code'))
    assert.match(await refused('GET', `${house}?parameters=alarm-code`), /alarm-code/)
    await succeed('PUT', house, { 'alarm-code': 'even more secret' })
    const changes = (await client.get('audit-logs?limit=100')).json.data
    const recorded = Object.values<Record<string, string>>(changes).find(
      (one) => one.variable === 'alarm-code',
    )
    assert.equal(recorded?.['new-value'], '(hidden)')
    assert.ok(!JSON.stringify(changes).includes('very secret'))
    const rows = await store.tables<FirewallTables>().selectFrom('firewall_object').selectAll().execute()
    const stored = rows.find(({ kind }) => kind === 'house')
    assert.match(stored?.document ?? '', /"alarm-code":"sealed:/)
    assert.ok(!JSON.stringify(rows).includes('very secret'))
    await succeed('DELETE', 'public/streets/low')
  })

  test('takes a member under a name that it used to have', async () => {
    await succeed('POST', 'public/streets', { name: 'dock' })
    await succeed('POST', 'public/streets/dock/houses', { number: 4, year: '1895' })
    const house = (await data('public/streets/dock/houses/4'))['4']
    assert.deepEqual([house.built, 'year' in house], ['1895', false])
    const both = { number: 5, year: '1895', built: '1895' }
    assert.match(await refused('POST', 'public/streets/dock/houses', both), /built is given twice/)
    await succeed('DELETE', 'public/streets/dock')
  })

  test('shows members once more under a title, where a kind says so', async () => {
    await succeed('POST', 'public/streets', { name: 'mill' })
    await succeed('POST', 'public/streets/mill/houses', { number: 3, colour: 'red' })
    const house = (await data('public/streets/mill/houses/3'))['3']
    assert.deepEqual([house.colour, house.Paint], ['Red', { colour: 'Red' }])
    assert.deepEqual((await data('public/streets/mill/houses/3?groups=Paint'))['3'], {
      Paint: { colour: 'Red' },
    })
    await succeed('DELETE', 'public/streets/mill')
  })

  test('checks references, also in lists and sections, and inside the objects that other members name', async () => {
    await succeed('POST', 'public/streets', { name: 'east' })
    await succeed('POST', 'public/streets', { name: 'west' })
    await succeed('POST', 'public/streets/east/houses', { number: 1 })
    await succeed('POST', 'public/streets/west/houses', { number: 2, neighbour: '' })
    assert.match(
      await refused('POST', 'people', { name: 'ann', street: 'east', home: 2 }),
      /home must be the name of a house: there is none called "2"/,
    )
    await succeed('POST', 'people', { name: 'ann', street: 'east', home: 1 })
    assert.match(
      await refused('PUT', 'public/streets/west/houses/2', { neighbour: 1 }),
      /neighbour must be the name of/,
    )
    await succeed('PUT', 'public/streets/west/houses/2', { neighbour: 2, keepers: ['ann'] })
    assert.match(await refused('PUT', 'public/streets/west/houses/2', { keepers: 'ann,bob' }), /"bob"/)
    assert.match(await refused('PUT', 'public/streets/west/houses/2/garden', { gardener: 'bob' }), /"bob"/)
    await succeed('PUT', 'public/streets/west/houses/2/garden', { gardener: 'ann' })

    assert.match(await refused('DELETE', 'people/ann'), /person "ann" is in use by house "2"/)
    assert.match(await refused('DELETE', 'public/streets/east'), /street "east" is in use by person "ann"/)
    assert.match(
      await refused('DELETE', 'public/streets/east/houses/1'),
      /house "1" is in use by person "ann"/,
    )
    await succeed('DELETE', 'public/streets/west')
    await succeed('DELETE', 'people/ann')
    await succeed('DELETE', 'public/streets/east')
  })

  test('moves a renamed object with all that lies inside it, and whatever names it follows', async () => {
    await succeed('POST', 'public/streets', { name: 'old' })
    await succeed('POST', 'public/streets/old/houses', { number: 7 })
    await succeed('POST', 'public/streets/old/houses/7/rooms', { label: 'hall' })
    await succeed('POST', 'people', { name: 'eve', street: 'old', home: 7 })
    await succeed('PUT', 'public/streets/old/houses/7', { neighbour: 7, keepers: 'eve' })

    assert.equal((await succeed('PUT', 'public/streets/old', { name: 'new' })).id, 'new')
    await succeed('PUT', 'public/streets/new/houses/7', { number: 8 })
    const check = async (get: Client['get']) => {
      assert.equal((await get('public/streets/old')).status, 404)
      const house = (await get('public/streets/new/houses/8')).json.data[8]
      assert.deepEqual([house.neighbour, house.keepers], ['8', ['eve']])
      assert.ok((await get('public/streets/new/houses/8/rooms/hall')).json.data.hall)
      const { eve } = (await get('people/eve')).json.data
      assert.deepEqual([eve.street, eve.home], ['new', '8'])
    }
    await check(client.get)
    const restarted = await serveFirewall({ store, kinds: town })
    await check((await logIn(restarted.baseUrl)).get)
    await restarted.close()

    await succeed('POST', 'public/streets', { name: 'taken' })
    assert.match(await refused('PUT', 'public/streets/new', { name: 'taken' }), /duplicate value not allowed/)
    assert.match(await refused('PUT', 'public/streets/new', { name: '' }), /name is required/)
    assert.match(await refused('PUT', 'public/streets/new', { name: '1st' }), /name must be text/)
  })

  test('leaves out the methods that a kind does not have', async () => {
    const { status, headers } = await client.call('PUT', 'people/eve', { address: '192.0.2.1' })
    assert.deepEqual([status, headers.allow], [405, 'GET, DELETE'])
  })
})
