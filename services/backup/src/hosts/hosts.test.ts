import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent } from '../testing/fake-agent.ts'
import { FakeHosts, plentifulOffer } from '../testing/fake-hosts.ts'

const root = '/restore/hyperv'
const session = '[sessionid] is missing or invalid'
const notInCatalog = 'ErrorCode.HostNotInCatalog'
const someGuid = '5d05495f-39e5-4e4e-ad0c-e351cc2c78f3'
const minuteMs = 60_000

onEveryStore('hosts of a computer', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  const hosts = new FakeHosts()
  before(async () => {
    service = await TestService.start(await newStore())
    agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    agent.answersHosts = hosts.answer
  })
  after(async () => {
    await agent.disconnect()
    await service.close()
  })

  const post = (path: string, body?: unknown) => service.computer('POST', `${root}${path}`, body)
  const refused = async (path: string, body: unknown, errors: string[]) => {
    const reply = await post(path, body)
    assert.deepEqual([reply.status, reply.json], [400, { errors }], JSON.stringify(body))
  }
  const begin = async (): Promise<string> => (await post('/session')).json.sessionId

  test('a session lasts for an hour after its last use, and is shown as expired for a while', async () => {
    hosts.reset()
    const start = await post('/session')
    assert.equal(start.status, 200)
    const { sessionId, created, expires } = start.json
    assert.match(sessionId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.equal(Date.parse(expires) - Date.parse(created), 60 * minuteMs)
    const showSession = async () => service.computer('GET', `${root}/session/${sessionId}`)
    assert.deepEqual((await showSession()).json, { sessionId, created, expires, state: 'Active' })
    await service.pass(50 * minuteMs)
    assert.equal((await post('/host/register/local', { sessionId: sessionId.toUpperCase() })).status, 200)
    await service.pass(50 * minuteMs)
    assert.equal((await showSession()).json.state, 'Active')
    await service.pass(11 * minuteMs)
    assert.equal((await showSession()).json.state, 'Expired')
    await refused('/host/register/local', { sessionId }, [session])
    await service.pass(25 * 60 * minuteMs)
    await begin()
    assert.equal((await showSession()).status, 404)
  })

  test('the host of the machine and others are registered, once each, and listed', async () => {
    hosts.reset()
    const sessionId = await begin()
    const local = await post('/host/register/local', { sessionId })
    assert.equal(local.status, 200)
    const { id } = local.json.identifier
    const usable = { hostUnsupported: false, hostUnsupportedReason: 0, hostUnsupportedMessage: '' }
    assert.deepEqual(local.json, { identifier: { id }, hostName: 'HV01', ...usable })
    assert.deepEqual((await post('/host/register/local', { sessionId })).json, local.json)
    hosts.unsupported = [{ code: 'access-denied', message: 'not for you' }]
    const remote = await post('/host/register/remote', {
      sessionId,
      hostName: 'hv02.example.org',
      authenticationMode: 'Sspi',
    })
    assert.deepEqual(hosts.asked.at(-1), { about: 'host', host: { hostName: 'hv02.example.org' } })
    assert.deepEqual(remote.json, {
      identifier: { id: remote.json.identifier.id },
      hostName: 'hv02.example.org',
      hostUnsupported: true,
      hostUnsupportedReason: 5,
      hostUnsupportedMessage: 'not for you',
    })
    assert.notEqual(remote.json.identifier.id, id)
    for (const query of ['', `?sessionId=${sessionId}`]) {
      const listed = await service.computer('GET', `${root}/hosts${query}`)
      assert.deepEqual(listed.json, [local.json, remote.json])
    }
    const other = await service.call('GET', '/v2/accounts/acme/computers/0002/restore/hyperv/hosts')
    assert.deepEqual(other.json, [])
  })

  test('a host that is registered again keeps its id, however its name is written, and has the newer logon', async () => {
    hosts.reset()
    const sessionId = await begin()
    const register = (hostName: string, more: object) =>
      post('/host/register/remote', { sessionId, hostName, ...more })
    const before = await register('HV03.example.org', {
      authenticationMode: 'Credentials',
      credentials: { userName: 'u', password: 'old' },
    })
    const again = await register('hv03.Example.org', { authenticationMode: 'Sspi' })
    assert.deepEqual(again.json, { ...before.json, hostName: 'hv03.Example.org' })
    await post('/host/capabilities', { id: before.json.identifier.id, sessionId })
    assert.deepEqual(hosts.asked.at(-1), { about: 'host', host: { hostName: 'hv03.Example.org' } })
    assert.equal((await service.computer('DELETE', `${root}/hosts/${before.json.identifier.id}`)).status, 204)
  })

  test('a host that is forgotten is in no catalogue', async () => {
    hosts.reset()
    const sessionId = await begin()
    const { id } = (await post('/host/register/local', { sessionId })).json.identifier
    assert.equal((await service.computer('DELETE', `${root}/hosts/${id}`)).status, 204)
    assert.equal((await service.computer('DELETE', `${root}/hosts/${id}`)).status, 404)
    assert.equal((await service.computer('DELETE', `${root}/hosts/x`)).status, 404)
    await refused('/host/settings', { sessionId, id }, [notInCatalog])
  })

  test('what a host can do and offers is asked now', async () => {
    hosts.reset()
    const sessionId = await begin()
    const { id } = (await post('/host/register/local', { sessionId })).json.identifier
    assert.deepEqual((await post('/host/capabilities', { id, sessionId })).json, {
      supportsVmGenerations: true,
      supportsVmDynamicMemory: false,
      supportsVhdxFormat: true,
    })
    const { memoryMebibytes, cores, virtualDisksPath, virtualSwitches } = plentifulOffer
    assert.deepEqual((await post('/host/settings', { id, sessionId })).json, {
      virtualDisksPath,
      memoryAllocation: memoryMebibytes,
      processorAllocation: cores,
      virtualSwitches,
    })
    hosts.offer = { ...plentifulOffer, firmware: ['bios'], diskFormats: ['vhd', 'raw'] }
    assert.deepEqual((await post('/host/capabilities', { id, sessionId })).json, {
      supportsVmGenerations: false,
      supportsVmDynamicMemory: false,
      supportsVhdxFormat: false,
    })
    hosts.unsupported = [{ code: 'host-unreachable', message: 'nobody answers' }]
    await refused('/host/capabilities', { id, sessionId }, ['The host cannot be used: nobody answers'])
  })

  test('says what is wrong with a request', async () => {
    hosts.reset()
    const sessionId = await begin()
    const name = '[hostname] is missing or invalid'
    const mode = '[authenticationmode] is missing or invalid; allowed values are sspi, credentials'
    const logon = '[credentials][username] and [credentials][password] must be set to a string'
    const good = { sessionId, hostName: 'hv', authenticationMode: 'credentials' }
    await refused('/host/register/local', {}, [session])
    await refused('/host/register/local', { sessionId: someGuid }, [session])
    await refused('/host/register/remote', {}, [session, name, mode])
    await refused('/host/register/remote', good, [logon])
    await refused('/host/register/remote', { ...good, hostName: 'a b', credentials: { userName: 'u' } }, [
      name,
      logon,
    ])
    await refused('/host/capabilities', { id: '1' }, ['[id] is missing or invalid', session])
    await refused('/host/capabilities', { id: 4711, sessionId }, [notInCatalog])
    await refused('/host/capabilities', { id: 1, sessionId: someGuid }, [session])
    hosts.silentAbout = ['host']
    await refused('/host/register/local', { sessionId }, ['The host cannot be used: the host says nothing'])
    const unknown = await service.computer('GET', `${root}/session/${someGuid}`)
    assert.equal(unknown.status, 404)
  })

  test('a question to an agent that connects anew meanwhile is answered as if there were none', async () => {
    hosts.reset()
    const sessionId = await begin()
    agent.answersHosts = undefined
    const registration = post('/host/register/local', { sessionId })
    await agent.heard('ask-host')
    const before = agent
    agent = await agent.at(service.served.baseUrl).connect()
    agent.answersHosts = hosts.answer
    assert.deepEqual((await registration).json, { errors: ['Agent cannot be reached or is offline'] })
    assert.equal((await post('/host/register/local', { sessionId })).status, 200)
    before.socket.terminate()
  })

  test('who may only read looks at hosts, and registers none; without an agent nobody answers', async () => {
    hosts.reset()
    const sessionId = await begin()
    const { id } = (await post('/host/register/local', { sessionId })).json.identifier
    service.useToken(await service.authorise('reader'))
    assert.equal((await post('/session')).status, 200)
    assert.equal((await post('/host/capabilities', { id, sessionId })).status, 200)
    assert.equal((await post('/host/register/local', { sessionId })).status, 403)
    assert.equal((await service.computer('DELETE', `${root}/hosts/${id}`)).status, 403)
    const restore = await service.computer('POST', '/restore/diskimage/standard/vm', {})
    assert.equal(restore.status, 403)
    service.useToken(await service.authorise('automation'))
    await agent.disconnect()
    const offline = ['Agent cannot be reached or is offline']
    await refused('/host/register/local', { sessionId }, offline)
    await refused('/host/capabilities', { id, sessionId }, offline)
    assert.equal((await service.computer('GET', `${root}/hosts`)).status, 200)
    agent = await agent.at(service.served.baseUrl).connect()
    agent.answersHosts = hosts.answer
  })
})
