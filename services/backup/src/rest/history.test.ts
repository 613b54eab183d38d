import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { configuration, TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'

const path = '/v1/accounts/acme/computers/0001/action_history'
const [automation, ...others] = configuration.apiClients
const scopes = ['computers_read' as const, 'computers_write' as const, 'accounts_read' as const]

onEveryStore('the history of the first version', (newStore) => {
  let service: TestService
  before(async () => {
    assert.ok(automation)
    const apiClients = [{ ...automation, scopes }, ...others]
    service = await TestService.start(await newStore(), { configuration: { ...configuration, apiClients } })
  })
  after(() => service.close())

  test('refuses what makes no sense, all of it at once', async () => {
    const reply = await service.call('GET', `${path}?page=0&page_size=51&type=COPY&order_by=toString`)
    assert.deepEqual(
      [reply.status, reply.json.errors],
      [400, ['[page] is invalid', '[page_size] is invalid', '[type] is invalid', '[order_by] is invalid']],
    )
    for (const query of [
      'since=now',
      'since=2030-13-01',
      'since=2030-1-1',
      'since=2030-02-30',
      'since=2030-04-31T12:00:00%2B02:00',
      'since=2030-',
      'since=2030-01-01T00:00:00Z later',
      'status=running',
      'order_dir=UP',
      'page=1&page=2',
    ]) {
      assert.equal((await service.call('GET', `${path}?${query}`)).status, 400, query)
    }
    const reader = await service.authorise('reader')
    const account = await service.call('GET', '/v1/accounts/acme/action_history', undefined, reader)
    assert.deepEqual(
      [account.status, account.json],
      [403, { errors: ['The access token lacks the scope accounts_read.'] }],
    )
    assert.equal((await service.call('GET', path.replace('acme', 'other'))).status, 404)
    assert.equal((await service.call('GET', path.replace('0001', '9'))).status, 404)
  })

  test('lists backups and restores by pages, in any order, filtered', async () => {
    const agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    const start = async () =>
      (await service.computer('POST', '/backups', { source: { path: '/x' } })).json.data.id
    const first = await start()
    const revision = await agent.backUp(first, someContent())
    service.clock.advance(60_000)
    const second = await start()
    await agent.finish('backup', second, { state: 'ERROR', code: 'SourceUnreadable', message: 'gone' })
    service.clock.advance(60_000)
    await service.restoreDisks({ destination: { path: '/x' }, diskFormat: 'Vhd', revisions: [revision] })

    const ids = async (query: string, address = path) =>
      (await service.call('GET', `${address}?${query}`)).json.list.map(
        (item: { action_id: string }) => item.action_id,
      )
    const all = await ids('')
    assert.deepEqual(all.slice(1), [second, first])
    assert.deepEqual(await ids('type=RESTORE'), [all[0]])
    assert.deepEqual(await ids('type=DELETE'), [])
    assert.deepEqual(await ids('status=ERROR'), [second])
    assert.deepEqual(await ids('status=PAUSED'), [])
    assert.deepEqual(await ids('order_dir=ASC&page_size=1&page=2'), [second])
    assert.deepEqual(await ids('since=2030-01-01T00:01:00Z&order_by=TYPE'), [all[0], second])
    assert.deepEqual(await ids('', '/v1/accounts/acme/action_history'), all)
    assert.deepEqual(await ids('', path.replace('0001', '0002')), [])

    const { json } = await service.call('GET', `${path}?type=BACKUP&status=ERROR`)
    const address = `/backup${path}?type=BACKUP&status=ERROR`
    assert.deepEqual(json, {
      page: 1,
      page_size: 10,
      count: 1,
      links: [
        { rel: 'first', href: `${address}&page=1` },
        { rel: 'last', href: `${address}&page=1` },
      ],
      list: [
        {
          action_id: second,
          username: 'acme',
          computer_id: '0001',
          type: 'BACKUP',
          backupset_name: '',
          plugin: 'IMAGE',
          status: 'ERROR',
          local_start: '2030-01-01T00:01:00.000Z',
          local_end: '2030-01-01T00:01:00.000Z',
          total_files: 1,
          processed_files: 0,
          bytes: 0,
          condition_status: 'FAILURE',
          condition_types: ['ERRORS'],
          errors: 1,
          warnings: 0,
        },
      ],
    })
    await agent.disconnect()
  })

  test('takes a date and time without a zone for UTC, wherever the server is', async (t) => {
    const { TZ = 'UTC' } = process.env
    process.env.TZ = 'America/New_York'
    t.after(() => {
      process.env.TZ = TZ
    })
    for (const [since, count] of [
      ['2030-01-01', 3],
      ['2030-01-01T00:01:00', 2],
      ['2030-01-01%2000:01', 2],
      ['2030-01-01T00:01:00.000Z', 2],
      ['2029-12-31T19:01:00-05:00', 2],
      ['2030-01-01T01:01:00%2B01:00', 2],
    ] as const) {
      const { json } = await service.call('GET', `${path}?since=${since}`)
      assert.equal(json.count, count, since)
    }
  })
})
