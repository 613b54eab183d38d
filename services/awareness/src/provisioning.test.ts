import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { Compile } from 'typebox/compile'
import { Default } from 'typebox/value'
import { AwarenessConfigurationSchema } from './configuration.ts'
import { campaign, configuration, credentials, serveAwareness } from './test-service.ts'

const [user, otherUser] = configuration.users
const [key] = configuration.apiKeys
assert.ok(user && otherUser && key)

test('has a default for every member but names, passwords, keys and ids', () => {
  const provisioned = Default(AwarenessConfigurationSchema, {
    users: [{ username: 'u', password: 'p4ssword' }],
    apiKeys: [{ key: 'k' }],
    campaigns: [{ id: 1, name: 'Campaign 1' }],
  })
  assert.deepEqual(provisioned, {
    basePath: '/awareness',
    callsPerHour: 1000,
    users: [{ username: 'u', password: 'p4ssword', permissions: [] }],
    apiKeys: [{ key: 'k', username: null, allowedAddresses: [] }],
    campaigns: [campaign(1)],
  })
  const validator = Compile(AwarenessConfigurationSchema)
  assert.equal(validator.Check(provisioned), true)
  assert.equal(validator.Check({ ...configuration, users: [] }), true)
  const wrong = [
    { id: 0 },
    { id: 1.5 },
    { name: '' },
    { status: 'Lost' },
    { launched: '2030-01-01' },
    { launched: '2030-01-01T00:00:00Z' },
    { sent: -1 },
  ]
  for (const member of wrong) {
    const campaigns = [{ ...campaign(1), ...member }]
    assert.equal(validator.Check({ ...configuration, users: [], campaigns }), false, JSON.stringify(member))
  }
})

onEveryStore('provisioning of awareness', (newStore) => {
  test('refuses what contradicts itself, names each place, and no secret', async () => {
    const store = await newStore()
    const refused = serveAwareness(store, {
      configuration: {
        users: [user, otherUser, { ...user, password: 's3cret' }],
        apiKeys: [
          { key: 's3cret', username: null, allowedAddresses: ['192.0.2.1', '192.0.2.0/33', 'example.org'] },
          { key: 's3cret', username: null, allowedAddresses: [] },
        ],
        campaigns: [campaign(4), campaign(4), campaign(5, { launched: '2030-02-30 00:00:00' })],
      },
    })
    await assert.rejects(refused, {
      message: [
        'The configuration of awareness is not valid:',
        '  awareness.users.2 repeats a username',
        '  awareness.apiKeys.1 repeats a key',
        '  awareness.campaigns.1 repeats an id',
        '  awareness.apiKeys.0.allowedAddresses.1 must be an address such as 192.0.2.1, or a network such as 192.0.2.0/24',
        '  awareness.apiKeys.0.allowedAddresses.2 must be an address such as 192.0.2.1, or a network such as 192.0.2.0/24',
        '  awareness.campaigns.2.launched is "2030-02-30 00:00:00", which no calendar has',
      ].join('\n'),
    })
  })

  test('changes nothing when it is applied again', async () => {
    const store = await newStore()
    const settings = { configuration: { campaigns: [campaign(1)] } }
    const first = await serveAwareness(store, settings)
    const token = await first.tokenFor(credentials)
    const { data } = (await first.get('/campaigns', token)).json
    await first.close()
    const second = await serveAwareness(store, { ...settings, clock: first.clock })
    assert.deepEqual((await second.get('/campaigns', token)).json.data, data)
    await second.close()
  })

  test('updates what it names, adds what is new and deletes nothing', async () => {
    const store = await newStore()
    const { clock, close } = await serveAwareness(store, {
      configuration: { campaigns: [campaign(1), campaign(2)] },
    })
    await close()
    const served = await serveAwareness(store, {
      clock,
      configuration: {
        users: [],
        apiKeys: [{ ...key, allowedAddresses: ['127.0.0.2'] }],
        campaigns: [campaign(3), campaign(2, { name: 'Renamed', completed: '2030-01-01 00:00:00' })],
      },
    })
    assert.equal((await served.authenticate(credentials, { from: '127.0.0.1' })).status, 401)
    const token = await served.tokenFor(credentials, '127.0.0.2')
    assert.deepEqual((await served.get('/campaigns', token, '127.0.0.2')).json.data, [
      campaign(1),
      campaign(2, { name: 'Renamed', completed: '2030-01-01 00:00:00' }),
      campaign(3),
    ])
    assert.equal((await served.authenticate({ ...credentials, api_key: 'KEY-FOR-ONE' })).status, 200)
    await served.close()
  })

  test('gives and takes permissions of tokens that are in use', async () => {
    const store = await newStore()
    const first = await serveAwareness(store)
    const token = await first.tokenFor(credentials)
    await first.close()
    for (const [permissions, status] of [
      [['results'], 403],
      [[], 403],
      [['campaigns'], 200],
    ] as const) {
      const users = [{ ...user, permissions: [...permissions] }]
      const served = await serveAwareness(store, { clock: first.clock, configuration: { users } })
      assert.equal((await served.get('/campaigns', token)).status, status)
      await served.close()
    }
  })
})
