import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { agentPaths, instanceHeader } from '@palisade/agent-protocol'
import { createLog } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { WebSocket } from 'ws'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'

onEveryStore('the link', (newStore) => {
  let service: TestService
  const logged: string[] = []
  before(async () => {
    const log = createLog('warn', { write: (line) => logged.push(line) })
    const heartbeat = { intervalMs: 20, silenceMaxMs: 4000 }
    service = await TestService.start(await newStore(), { heartbeat, log })
  })
  after(async () => {
    await service.close()
    assert.deepEqual(
      logged.filter((line) => JSON.parse(line).level > 40),
      [],
    )
  })

  const connect = async (running: Parameters<FakeAgent['connect']>[0] = []) =>
    (await FakeAgent.enrol(service.served.baseUrl)).connect(running)
  const isOnline = async () => (await service.computer('GET', '')).json.online

  test('makes the computer online as long as it lasts, and leaves when it was last seen', async () => {
    const agent = await connect()
    assert.equal(await isOnline(), true)
    service.clock.advance(5000)
    const ended = once(agent.socket, 'close')
    agent.socket.close()
    await ended
    while (await isOnline()) await new Promise(setImmediate)
    const { json } = await service.computer('GET', '')
    assert.equal(typeof json.lastSeen, 'string')
    assert.equal(json.agentVersion, '1.0.1')
  })

  test('survives as long as the agent answers pings, and is cut when it is silent', async () => {
    const lively = await connect()
    for (let pings = 0; pings < 30; pings++) await once(lively.socket, 'ping')
    assert.equal(await isOnline(), true)
    await lively.disconnect()

    const silent = new WebSocket(service.served.baseUrl.replace('http', 'ws') + agentPaths.link, {
      headers: { authorization: `Bearer ${lively.credential}` },
      autoPong: false,
    })
    const [code] = await once(silent, 'close')
    assert.equal(code, 1006)
    while (await isOnline()) await new Promise(setImmediate)
  })

  test('is one for each computer: a newer one replaces the one before', async () => {
    const first = await connect()
    const closed = once(first.socket, 'close')
    const second = await first.at(service.served.baseUrl).connect()
    const [code, reason] = await closed
    assert.deepEqual([code, String(reason)], [1008, 'replaced by a newer link'])
    assert.equal(await isOnline(), true)
    const { json } = await service.computer('POST', '/backups', { source: { path: '/x' } })
    await second.heard('start-backup', ({ id }) => id === json.data.id)
    await second.finish('backup', json.data.id, { state: 'CANCELED' })
    await second.disconnect()
  })

  test('ends with the credential, when another agent enrols', async () => {
    const first = await connect()
    const closed = once(first.socket, 'close')
    const second = await FakeAgent.enrol(service.served.baseUrl)
    const [code, reason] = await closed
    assert.deepEqual([code, String(reason)], [1008, 'another agent has enrolled'])
    assert.equal((await first.request('GET', agentPaths.keys)).status, 401)
    assert.equal((await second.request('GET', agentPaths.keys)).status, 200)
  })

  /** Asks for a link as a process of an agent; resolves with its socket, or with what the refusal says. */
  const askForLink = async (credential: string, instance: string, autoPong = true) => {
    const socket = new WebSocket(service.served.baseUrl.replace('http', 'ws') + agentPaths.link, {
      headers: { authorization: `Bearer ${credential}`, [instanceHeader]: instance },
      autoPong,
    })
    const answer = await Promise.race([once(socket, 'open'), once(socket, 'unexpected-response')])
    if (answer.length === 0) return socket
    const [, response] = answer
    return { status: response.statusCode, text: String(await response.toArray()) }
  }
  const enrolAs = (instance: string) =>
    fetch(service.served.baseUrl + agentPaths.enrol, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [instanceHeader]: instance },
      body: JSON.stringify({
        account: 'acme',
        computer: '0001',
        enrolmentKey: 'enrol-one',
        agentVersion: '1.0.0',
        hostName: 'FILES01',
        platform: 'linux',
      }),
    })
  const credentialOf = async (reply: Response) => ((await reply.json()) as { credential: string }).credential
  const toldOfTwo = async () =>
    ((await service.attention()) ?? []).filter(({ condition }) => condition === 'two-agents')

  test('is not taken from an agent that answers by a clone of it, which is told so; from a silent one it is', async () => {
    const { credential } = await FakeAgent.enrol(service.served.baseUrl)
    const first = await askForLink(credential, 'one')
    assert.ok(first instanceof WebSocket)
    const clone = await askForLink(credential, 'two')
    assert.ok(!(clone instanceof WebSocket))
    assert.equal(clone.status, 409)
    assert.match(clone.text, /Another agent runs as this computer, at 127\.0\.0\.1\. Stop one of them/)
    const [told, ...more] = await toldOfTwo()
    assert.deepEqual([told?.subject, told?.severity, more], ['computer acme/0001', 'warning', []])
    assert.equal(await isOnline(), true)

    const again = await askForLink(credential, 'one', false)
    assert.ok(again instanceof WebSocket, 'the same process gets another link at once')
    const next = await askForLink(credential, 'two')
    assert.ok(next instanceof WebSocket, 'another one gets that of a process that is silent')
    const closed = once(next, 'close')
    next.close()
    await closed
    service.clock.advance(16 * 60_000)
    assert.deepEqual(await toldOfTwo(), [])
  })

  test('goes to an agent that enrols in the place of another one, which does not enrol back while that answers', async () => {
    const first = await askForLink(await credentialOf(await enrolAs('one')), 'one')
    assert.ok(first instanceof WebSocket)
    const closed = once(first, 'close')
    const second = await askForLink(await credentialOf(await enrolAs('two')), 'two')
    assert.ok(second instanceof WebSocket)
    await closed
    const back = await enrolAs('one')
    assert.deepEqual([back.status, /Another agent runs/.test(await back.text())], [409, true])
    assert.equal((await toldOfTwo()).length, 1)
    second.close()
    while (await isOnline()) await new Promise(setImmediate)
    assert.equal((await enrolAs('one')).status, 200)
  })

  test('is not disturbed by messages that make no sense, however many, and says so once', async () => {
    const agent = await connect()
    const linesBefore = logged.length
    const messages = ['', 'x', '{}', '[]', 'null', '{"type":"start-backup","id":"1"}', '{"type":"__proto__"}']
    for (const text of messages) agent.socket.send(text)
    agent.socket.send(Buffer.from([1, 2, 3]))
    agent.say({ type: 'progress', task: 'backup', id: '\0', step: 'x', bytesDone: 1, bytesTotal: 1 })
    await agent.finish('restore', 'unknown', { state: 'SUCCESS', files: [] })
    assert.equal(await isOnline(), true)
    const [line, ...more] = logged.slice(linesBefore)
    assert.match(line ?? '', /a message that is not known/)
    assert.deepEqual(more, [])
    await agent.disconnect()
  })

  test('takes the outcome of the largest restore: all its files, in the longest folder that may be named', async () => {
    const agent = await connect()
    const folder = `/${'語'.repeat(4095)}`
    const files = Array.from(
      { length: 256 },
      (_file, number) => `${folder}/${'名'.repeat(80)}-${number}.vhdx`,
    )
    await agent.finish('restore', 'large', { state: 'SUCCESS', files })
    assert.equal(await isOnline(), true)
    await agent.disconnect()
  })

  test('is cut when a message is larger than any can be', async () => {
    const agent = await connect()
    const closed = once(agent.socket, 'close')
    agent.socket.send('x'.repeat(5 * 1024 * 1024))
    const [code] = await closed
    assert.equal(code, 1009)
  })

  test("cannot end or move another computer's tasks", async () => {
    const agent = await connect()
    const stranger = await FakeAgent.enrol(service.served.baseUrl, {
      computer: '0002',
      enrolmentKey: 'enrol-two',
    })
    await stranger.connect()
    const { json } = await service.computer('POST', '/backups', { source: { path: '/x' } })
    const id: string = json.data.id
    stranger.say({ type: 'progress', task: 'backup', id, step: 'mine', bytesDone: 9, bytesTotal: 10 })
    await stranger.finish('backup', id, { state: 'ERROR', code: 'Mine', message: 'mine' })
    const { json: backup } = await service.computer('GET', `/backups/${id}`)
    assert.deepEqual([backup.state, backup.step, backup.bytesDone], ['RUNNING', 'starting', 0])
    await agent.finish('backup', id, { state: 'CANCELED' })
    await stranger.disconnect()
    await agent.disconnect()
  })

  test('tells the newest progress at once, and how a task failed, in one line', async () => {
    service.clock.advance(1)
    const agent = await connect()
    const { json } = await service.computer('POST', '/backups', { source: { path: '/x' } })
    const id: string = json.data.id
    for (let bytesDone = 0; bytesDone <= 500; bytesDone++) {
      agent.say({ type: 'progress', task: 'backup', id, step: 'read\ning', bytesDone, bytesTotal: 999 })
    }
    await agent.finish('restore', 'in between', { state: 'CANCELED' })
    const running = await service.computer('GET', `/backups/${id}`)
    const { step, bytesDone, bytesTotal, percent } = running.json
    assert.deepEqual([step, bytesDone, bytesTotal, percent], ['read ing', 500, 999, 50])
    const [listed] = (await service.computer('GET', '/backups?limit=1')).json
    assert.deepEqual(listed, running.json)

    const message = `disk\0full${'!'.repeat(2000)}`
    await agent.finish('backup', id, { state: 'ERROR', code: 'NotEnoughSpace', message })
    const { json: failed } = await service.computer('GET', `/backups/${id}`)
    assert.deepEqual([failed.state, failed.error.code], ['ERROR', 'NotEnoughSpace'])
    assert.match(failed.error.message, /^disk full!+$/)
    assert.equal(failed.error.message.length, 1000)
    assert.deepEqual([failed.bytesDone, failed.bytesTotal], [500, 999])

    await agent.finish('backup', id, { state: 'SUCCESS' })
    assert.equal(
      (await service.computer('GET', `/backups/${id}`)).json.state,
      'ERROR',
      'the first outcome stays',
    )
    await agent.disconnect()
  })

  test('does not believe a backup that succeeded without a revision', async () => {
    const agent = await connect()
    const { json } = await service.computer('POST', '/backups', { source: { path: '/x' } })
    await agent.finish('backup', json.data.id, { state: 'SUCCESS', revisionId: 1 })
    const { json: ended } = await service.computer('GET', `/backups/${json.data.id}`)
    assert.deepEqual([ended.state, ended.revisionId], ['ERROR', null])
    await agent.disconnect()
  })

  test('carries the wish to cancel; the agent decides how it ended', async () => {
    const agent = await connect()
    const { json } = await service.computer('POST', '/backups', { source: { path: '/x' } })
    const id: string = json.data.id
    for (const _turn of [1, 2]) {
      const reply = await service.computer('POST', `/backups/${id}/cancel`)
      assert.deepEqual([reply.status, reply.json], [202, { data: { id } }])
      assert.deepEqual(await agent.heard('cancel'), { type: 'cancel', task: 'backup', id })
      assert.equal((await service.computer('GET', `/backups/${id}`)).json.state, 'CANCELING')
    }
    assert.equal((await service.computer('POST', `/restores/${id}/cancel`)).status, 404)
    const revisionId = await agent.backUp(id, someContent())
    const { json: ended } = await service.computer('GET', `/backups/${id}`)
    assert.deepEqual([ended.state, ended.revisionId], ['SUCCESS', revisionId])
    const late = await service.computer('POST', `/backups/${id}/cancel`)
    assert.deepEqual([late.status, late.json], [409, { errors: ['The backup has already ended.'] }])
    await agent.disconnect()
  })
})
