import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('checkpoints', (newStore) => {
  let served: ServedService
  let client: Client
  const clock = settableClock()
  beforeEach(async () => {
    served = await serveFirewall({ store: await newStore(), clock })
    client = await logIn(served.baseUrl)
    await created('services', { name: 'shop', 'ip-address': '192.0.2.1', port: 80 })
    await created('configuration-checkpoints', { name: 'start', comment: 'before the sale' })
  })
  afterEach(() => served.close())

  async function created(path: string, body: object): Promise<void> {
    const { status, text } = await client.call('POST', path, body)
    assert.equal(status, 201, text)
  }
  const rollBack = (name: string, body?: object) =>
    client.call('POST', `configuration-checkpoints/${name}/rollback`, body)
  const shop = async () => (await client.get('services/shop')).json.data?.shop

  test('are created, listed, read and deleted', async () => {
    const { token, ...answer } = (await client.call('POST', 'configuration-checkpoints', { name: 'second' }))
      .json
    assert.equal(typeof token, 'string')
    assert.deepEqual(answer, { id: 'second', msg: 'Successfully created.' })
    const { json } = await client.get('configuration-checkpoints')
    assert.equal(json.object, 'JSON based Configuration Checkpoints')
    assert.deepEqual(Object.keys(json.data), ['second', 'start'])
    assert.deepEqual(json.data.start, {
      object: 'JSON based Configuration Checkpoints',
      name: 'start',
      comment: 'before the sale',
      date: '2030-01-01T00:00:00.000Z',
      administrator: 'admin',
      automatic: 'No',
      'configuration-version': json.data.second['configuration-version'],
    })
    const one = await client.get('configuration_checkpoints/start/')
    assert.deepEqual(one.json.data, { start: json.data.start })
    assert.equal(
      (await client.call('DELETE', 'configuration-checkpoints/start')).json.msg,
      'Successfully deleted.',
    )
    for (const path of ['start', 'start/differences', '%00', 'x%20y']) {
      assert.equal((await client.get(`configuration-checkpoints/${path}`)).status, 404, path)
    }
    assert.equal((await client.call('DELETE', 'configuration-checkpoints/start')).status, 404)
    assert.equal((await rollBack('start')).status, 404)
    await client.call('DELETE', 'configuration-checkpoints/second')
    assert.equal((await client.get('configuration-checkpoints')).json.data, undefined)
  })

  test('refuse names that are taken, missing, wrong or the system’s own', async () => {
    for (const [body, fault] of [
      [{ name: 'start' }, /duplicate value not allowed/],
      [{ comment: 'nameless' }, /The member name is required/],
      [{ name: '../etc' }, /The member name must be text/],
      [{ name: 'automatic-1' }, /must not start with "automatic-"/],
      [{ name: 'a', colour: 'red' }, /"colour" is not a member/],
    ] as const) {
      const { status, json } = await client.call('POST', 'configuration-checkpoints', body)
      assert.equal(status, 406)
      assert.match(json.msg, fault)
    }
  })

  test('tell what has changed since then, and between two of them', async () => {
    const differences = async (query = '') =>
      (await client.get(`configuration-checkpoints/start/differences${query}`)).json.data
    const none = {
      'added count': 0,
      'changed count': 0,
      'removed count': 0,
      added: [],
      changed: [],
      removed: [],
    }
    assert.deepEqual(await differences(), none)
    await client.call('PUT', 'services/shop', { comments: 'sale' })
    await client.call('PUT', 'services/shop/basic-security', { mode: 'Active' })
    await created('configuration-checkpoints', { name: 'sale' })
    await client.call('DELETE', 'services/shop')
    const sale = await differences('?with=sale')
    assert.deepEqual(sale.changed, [
      {
        kind: 'service',
        path: ['shop'],
        changes: [
          { member: 'comments', old: '', new: 'sale' },
          { section: 'Basic Security', member: 'mode', old: 'Passive', new: 'Active' },
        ],
      },
    ])
    assert.deepEqual((await differences()).removed, [{ kind: 'service', path: ['shop'] }])
    assert.equal((await client.get('configuration-checkpoints/start/differences?with=none')).status, 404)
    assert.equal((await client.get('configuration-checkpoints/start/differences?against=now')).status, 400)
  })

  test('a rollback brings the configuration back, after a dry run that only tells', async () => {
    await client.call('PUT', 'services/shop', { comments: 'sale' })
    await created('services', { name: 'office', 'ip-address': '192.0.2.2', port: 80 })
    for (const trial of [
      await rollBack('start', { 'dry-run': 'Yes' }),
      await client.call('POST', 'configuration-checkpoints/start/rollback?dry-run=Yes'),
    ]) {
      assert.equal(trial.status, 200, trial.text)
      assert.deepEqual([trial.json.data['changed count'], trial.json.data['removed count']], [1, 1])
    }
    assert.equal((await shop()).comments, 'sale')
    assert.equal((await rollBack('start')).status, 200)
    assert.equal((await shop()).comments, '')
    assert.equal((await client.get('services/office')).status, 404)
    assert.equal((await rollBack('start', {})).json.msg, 'Nothing had to be changed.')
  })

  test('a rollback can itself be taken back, by the checkpoint that was made before it', async () => {
    await client.call('PUT', 'services/shop', { comments: 'sale' })
    await rollBack('start')
    const { data } = (await client.get('configuration-checkpoints')).json
    const [automatic, ...others] = Object.keys(data).filter((name) => data[name].automatic === 'Yes')
    assert.ok(automatic !== undefined && others.length === 0)
    assert.equal(data[automatic].comment, 'Before a rollback to the checkpoint start')
    await rollBack(automatic)
    assert.equal((await shop()).comments, 'sale')
  })

  test('of the automatic ones the last ten are kept, and all others', async () => {
    for (let round = 0; round < 13; round++) {
      await client.call('PUT', 'services/shop', { comments: `round ${round}` })
      await rollBack('start')
    }
    const names = Object.keys((await client.get('configuration-checkpoints')).json.data)
    assert.equal(names.length, 11)
    assert.ok(names.includes('start'))
  })

  const deleted = async (path: string) => {
    const { status, headers, text } = await client.call('DELETE', path)
    assert.equal(status, 200, text)
    return String(headers['palisade-checkpoint'])
  }

  test('of a deletion brings back what was deleted, with all inside it and its secrets, and changes nothing else', async () => {
    await created('services/shop/servers', { name: 'web1', 'ip-address': '192.0.2.7', port: 80 })
    await client.call('PUT', 'services/shop/basic-security', { mode: 'Active' })
    await created('services', { name: 'office', 'ip-address': '192.0.2.2', port: 80 })
    await created('self-signed-certificate', {
      name: 'own',
      'common-name': 'own.example.org',
      'country-code': 'DE',
    })
    const pem = async () => (await client.get('certificates/own?download=pem')).text
    const pemBefore = await pem()
    const whole = async () =>
      (await client.call('POST', 'ops/export-configuration', { 'backup-type': 'full' })).json.data
    const objectsBefore = (await whole()).objects
    const reply = await client.call('DELETE', 'certificates/own')
    assert.deepEqual(Object.keys(reply.json), ['msg', 'token'])
    const certificate = String(reply.headers['palisade-checkpoint'])
    const name = await deleted('services/shop')
    const checkpoint = (await client.get(`configuration-checkpoints/${name}`)).json.data[name]
    assert.deepEqual([checkpoint.automatic, checkpoint.administrator], ['Yes', 'admin'])
    assert.match(checkpoint.comment, /^What was deleted: service "shop", and \d+ inside$/)
    await client.call('PUT', 'services/office', { comments: 'changed since' })
    const { removed, changed } = (await client.get(`configuration-checkpoints/${name}/differences`)).json.data
    assert.ok(removed.some(({ path }: { path: string[] }) => path.join('/') === 'shop/web1'))
    assert.deepEqual(changed, [])
    assert.equal((await rollBack(name)).status, 200)
    assert.equal((await rollBack(certificate)).status, 200)
    const { office } = (await client.get('services/office')).json.data
    assert.equal(office.comments, 'changed since')
    await client.call('PUT', 'services/office', { comments: '' })
    // Each export seals anew.
    const withoutSeals = (value: object) => JSON.stringify(value).replace(/"sealed:[^"]*"/g, '"sealed"')
    assert.equal(withoutSeals((await whole()).objects), withoutSeals(objectsBefore))
    assert.equal(await pem(), pemBefore)
    assert.match(pemBefore, /BEGIN/)
  })

  test('of a deletion need what the object names, and say so', async () => {
    await created('trusted-host-groups', { name: 'friends' })
    await client.call('PUT', 'services/shop/adaptive-profiling', { 'trusted-host-group': 'friends' })
    const service = await deleted('services/shop')
    const group = await deleted('trusted-host-groups/friends')
    const refused = await rollBack(service)
    assert.equal(refused.status, 406)
    assert.match(refused.json.msg, /friends/)
    assert.equal((await rollBack(group)).status, 200)
    assert.equal((await rollBack(service)).status, 200)
    assert.equal((await shop()).name, 'shop')
  })

  test('of deletions the last hundred are kept, and push out no others', async () => {
    await rollBack('start')
    await client.call('PUT', 'services/shop', { comments: 'sale' })
    await rollBack('start')
    const others = Object.keys((await client.get('configuration-checkpoints')).json.data)
    let last = ''
    for (let round = 0; round < 103; round++) {
      await created('rate-control-pools', { name: 'pool' })
      last = await deleted('rate-control-pools/pool')
    }
    const names = Object.keys((await client.get('configuration-checkpoints')).json.data)
    assert.equal(names.length, others.length + 100)
    assert.ok([...others, last].every((name) => names.includes(name)))
  })

  test('of an administrator who is deleted there are none', async () => {
    await created('users', {
      name: 'bob',
      'email-address': 'b@example.com',
      role: 'admin',
      password: 'a password 1',
    })
    assert.equal(await deleted('users/bob'), 'undefined')
    assert.deepEqual(Object.keys((await client.get('configuration-checkpoints')).json.data), ['start'])
  })

  test('an old password does not come back with a rollback', async () => {
    const user = { name: 'bob', 'email-address': 'b@example.com', role: 'admin', password: 'old password 1' }
    await created('users', user)
    await created('configuration-checkpoints', { name: 'with-bob' })
    await client.call('PUT', 'users/bob', { password: 'new password 2' })
    await client.call('PUT', 'services/shop', { comments: 'sale' })
    assert.equal((await rollBack('with-bob')).status, 200)
    const bob = await logIn(served.baseUrl, { username: 'bob', password: 'new password 2' })
    assert.equal((await bob.get('services')).status, 200)
    await client.call('DELETE', 'users/bob')
    await client.call('PUT', 'services/shop', { comments: 'sale' })
    assert.equal((await rollBack('with-bob')).status, 200)
    assert.deepEqual(Object.keys((await client.get('users')).json.data), ['admin'])
  })
})
