import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { agentPaths } from '@palisade/agent-protocol'
import type { AuditTables } from '@palisade/platform'
import { compareAsEnglish, onEveryStore } from '@palisade/platform/testing'
import { AdministeredService } from '../testing/administered-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent } from '../testing/fake-agent.ts'

const computers = '/backup/accounts/acme/computers'

onEveryStore('computers that operators administer', (newStore) => {
  let admin: AdministeredService
  before(async () => {
    admin = await AdministeredService.start(await newStore())
  })
  after(() => admin.close())

  const enrolment = (computer: string, enrolmentKey: string) =>
    fetch(admin.service.served.baseUrl + agentPaths.enrol, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        account: 'acme',
        computer,
        enrolmentKey,
        agentVersion: '',
        hostName: '',
        platform: '',
      }),
    })

  test('one is added, its agent enrols with the key that is shown once, and what it tells is shown', async () => {
    const computer = await admin.call('POST', computers, { id: 'new', name: 'A new one' })
    assert.equal(computer.status, 201, computer.text)
    assert.equal(computer.headers.location, '/admin/v1/backup/accounts/acme/computers/new')
    const { enrolmentKey, ...item } = computer.json
    assert.deepEqual(item, {
      id: 'new',
      account: 'acme',
      name: 'A new one',
      online: false,
      lastSeenAt: null,
      agentVersion: null,
      hostName: null,
      platform: null,
      isEnrolmentKeyOpen: true,
      isEnrolled: false,
      isEndToEnd: false,
      hasBackupSet: false,
      deletedAt: null,
      purgeAt: null,
      managedBy: null,
    })
    const agent = await FakeAgent.enrol(admin.service.served.baseUrl, { computer: 'new', enrolmentKey })
    await agent.connect()
    const shown = await admin.computer('GET', '', 'new')
    assert.deepEqual(shown.json, {
      ...item,
      online: true,
      isEnrolled: true,
      agentVersion: '1.0.1',
      hostName: 'FILES01',
      platform: 'linux',
      lastSeenAt: new Date(admin.service.clock.now()).toISOString(),
    })
    const listed = await admin.call('GET', `${computers}?order=name`)
    assert.deepEqual(
      listed.json.items.map(({ id }: { id: string }) => id),
      ['new', '0001', '0002'],
    )
    const set = {
      name: 'nightly',
      type: 'Disk_Image',
      selection: [{ path: '/a' }],
      schedule: [{ type: 'manual' }],
    }
    await admin.service.call('POST', '/v2/accounts/acme/computers/new/backupsets', set)
    assert.equal((await admin.computer('GET', '', 'new')).json.hasBackupSet, true)
    const { items } = (await admin.call('GET', computers)).json
    assert.deepEqual(
      items
        .filter(({ hasBackupSet }: { hasBackupSet: boolean }) => hasBackupSet)
        .map(({ id }: { id: string }) => id),
      ['new'],
    )
    await agent.disconnect()
    const offline = await eventually(async () => {
      const reply = await admin.computer('GET', '', 'new')
      assert.equal(reply.json.online, false)
      return reply
    })
    assert.equal(offline.headers.etag, shown.headers.etag, 'that changes by itself')
    const renamed = await admin.call('PATCH', `${computers}/new`, { name: 'files 09' })
    assert.equal(renamed.json.name, 'files 09')
    assert.equal((await admin.service.call('GET', '/v2/accounts/acme/computers/new')).json.name, 'files 09')
  })

  test('a new enrolment key ends the one before, and an agent that has enrolled keeps its credential', async () => {
    const { json: computer } = await admin.call('POST', computers, { id: 'keys', name: 'x' })
    const agent = await FakeAgent.enrol(admin.service.served.baseUrl, {
      computer: 'keys',
      enrolmentKey: computer.enrolmentKey,
    })
    const { json: after } = await admin.computer('POST', '/enrolment-key', 'keys')
    assert.notEqual(after.enrolmentKey, computer.enrolmentKey)
    assert.equal((await enrolment('keys', computer.enrolmentKey)).status, 401)
    assert.equal((await agent.request('GET', agentPaths.keys)).status, 200)
    assert.equal((await enrolment('keys', after.enrolmentKey)).status, 200)
    assert.equal((await agent.request('GET', agentPaths.keys)).status, 401, 'the newer agent has replaced it')
  })

  test('an agent is shut out at once, its key with it, until there is another', async () => {
    const agent = await (await FakeAgent.enrol(admin.service.served.baseUrl)).connect()
    const closed = once(agent.socket, 'close')
    const revoked = await admin.computer('POST', '/revoke')
    assert.equal(revoked.status, 200, revoked.text)
    assert.deepEqual([revoked.json.isEnrolled, revoked.json.isEnrolmentKeyOpen], [false, false])
    assert.equal((await closed)[0], 1008)
    assert.equal((await agent.request('GET', agentPaths.keys)).status, 401)
    assert.equal((await enrolment('0001', 'enrol-one')).status, 401)
    const { json } = await admin.computer('POST', '/enrolment-key')
    assert.equal(json.isEnrolmentKeyOpen, true)
    assert.equal((await enrolment('0001', json.enrolmentKey)).status, 200)
    assert.equal((await enrolment('0001', 'enrol-one')).status, 401)
  })

  test('an account is added, and its computers are its own', async () => {
    assert.equal((await admin.call('POST', '/backup/accounts', { id: 'young' })).status, 201)
    const computer = await admin.call('POST', '/backup/accounts/young/computers', { id: '0001', name: 'y' })
    assert.equal(computer.status, 201, computer.text)
    assert.equal(
      (await enrolment('0001', computer.json.enrolmentKey)).status,
      401,
      'it is not of that account',
    )
    const one = await admin.call('GET', '/backup/accounts/young')
    assert.deepEqual(one.json, { id: 'young', deletedAt: null, purgeAt: null, managedBy: null })
  })

  test('the audit log tells what was done, and neither it nor a later reply has a key', async () => {
    const computer = await admin.call('POST', computers, { id: 'quiet', name: 'x' })
    const again = await admin.computer('POST', '/enrolment-key', 'quiet')
    await admin.computer('POST', '/revoke', 'quiet')
    await admin.call('DELETE', `${computers}/quiet`)
    await admin.computer('POST', '/undelete', 'quiet')
    const audit = await admin.call(
      'GET',
      `/audit?target=${encodeURIComponent(`${computers}/quiet`)}&order=at`,
    )
    assert.deepEqual(audit.json.items.map(({ action }: { action: string }) => action).sort(), [
      'createComputer',
      'deleteComputer',
      'enrolmentKeyOfComputer',
      'revokeOfComputer',
      'undeleteOfComputer',
    ])
    const rows = await admin.service.store
      .tables<AuditTables>()
      .selectFrom('audit_entry')
      .selectAll()
      .execute()
    const later = [
      JSON.stringify(rows),
      (await admin.call('GET', computers)).text,
      (await admin.computer('GET', '', 'quiet')).text,
    ].join('')
    for (const { json } of [computer, again]) {
      assert.ok(json.enrolmentKey.length > 20)
      assert.ok(!later.includes(json.enrolmentKey))
    }
  })

  test('pages go on where the one before ended, in the order of characters, in every database', async () => {
    await compareAsEnglish(admin.service.store, 'backup_computer', 'name')
    await admin.call('POST', '/backup/accounts', { id: 'pages' })
    const pages = '/backup/accounts/pages/computers'
    const names = ['b', 'B', 'ä', 'a', 'A', 'same', 'same', 'z']
    for (const [index, name] of names.entries()) {
      assert.equal((await admin.call('POST', pages, { id: `c${index}`, name })).status, 201)
    }
    const ids: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const query = `order=-name&limit=3${after === '' ? '' : `&after=${after}`}`
      const { json } = await admin.call('GET', `${pages}?${query}`)
      ids.push(...json.items.map(({ id, name }: { id: string; name: string }) => `${name} ${id}`))
      after = json.next
    }
    assert.deepEqual(ids, ['ä c2', 'z c7', 'same c6', 'same c5', 'b c0', 'a c3', 'B c1', 'A c4'])
    const matches = await admin.call('GET', `${pages}?name=sa`)
    assert.deepEqual(
      matches.json.items.map(({ id }: { id: string }) => id),
      ['c5', 'c6'],
    )
  })
})
