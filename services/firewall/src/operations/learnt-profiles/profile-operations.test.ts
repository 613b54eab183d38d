import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService, send, settableClock } from '@palisade/platform/testing'
import type { LearntParameter, LearntUrl, ProxySnapshot } from '@palisade/proxy-protocol'
import { proxyAddresses } from '@palisade/proxy-protocol'
import { callAsProxy } from '../../testing/as-proxy.ts'
import { type Client, logIn } from '../../testing/client.ts'
import { administrator, serveFirewall } from '../../testing/firewall.ts'

interface Told {
  readonly id: string
  readonly url: string
  readonly accepted: string
  readonly requests: string
  readonly clients: string
  readonly days: string
  readonly evidence: string
  readonly parameters: readonly Readonly<Record<string, unknown>>[]
  readonly 'second-opinions': readonly Readonly<Record<string, unknown>>[]
}

const day = 24 * 60 * 60 * 1000

onEveryStore('profiles are proposed from what proxies learnt', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-learnt-'))
  const clock = settableClock()
  const guest = { username: 'guest', password: 'reads all day', role: 'guest' }
  let served: ServedService
  let client: Client
  let nextPort = 20_001
  before(async () => {
    const administrators = [administrator, guest]
    served = await serveFirewall({ store: await newStore(), dataDirectory, clock, administrators })
    client = await logIn(served.baseUrl)
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const asProxy = (path: string, body?: object) => callAsProxy(served, dataDirectory, path, body)

  const parameter = (name: string, more: Partial<LearntParameter> = {}): LearntParameter => ({
    name,
    in: 'form',
    requests: 60,
    clients: ['192.0.2.1', '192.0.2.2'],
    instances: 1,
    length: 5,
    classes: [],
    characters: '',
    sentences: 0,
    values: [],
    hasOtherValues: true,
    extensions: [],
    ...more,
  })

  async function learn(service: string, more: Partial<LearntUrl> = {}): Promise<void> {
    const url: LearntUrl = {
      service,
      url: '/doku.php',
      requests: 60,
      clients: ['192.0.2.1', '192.0.2.2'],
      firstAt: clock.now() - 2 * day,
      lastAt: clock.now(),
      methods: ['GET', 'POST'],
      contentTypes: ['application/x-www-form-urlencoded'],
      bodyBytes: 3_000,
      files: 0,
      parameters: [],
      ...more,
    }
    const reply = await asProxy(proxyAddresses.learnt, { urls: [url] })
    assert.equal(reply.status, 204, reply.text)
  }

  async function newService(name: string): Promise<void> {
    const reply = await client.call('POST', 'services', {
      name,
      'ip-address': '127.0.0.1',
      port: nextPort++,
    })
    assert.equal(reply.status, 201, reply.text)
  }

  async function proposals(service: string): Promise<Told[]> {
    const reply = await client.call('GET', `services/${service}/profile-proposals`)
    assert.equal(reply.status, 200, reply.text)
    const { data = {} } = JSON.parse(reply.text) as { data?: Record<string, Told> }
    return Object.values(data)
  }

  async function published(service: string) {
    const { services } = JSON.parse((await asProxy(proxyAddresses.snapshot)).text) as ProxySnapshot
    const match = services.find(({ name }) => name === service)
    assert.ok(match)
    return match
  }

  test('neither to strangers, nor to whoever may not read or change profiles, nor of services that are not there', async () => {
    await newService('shut')
    const anonymous = await send(`${served.baseUrl}${proxyAddresses.learnt}`, {
      method: 'POST',
      body: { urls: [] },
    })
    assert.equal(anonymous.status, 401)
    assert.equal((await asProxy(proxyAddresses.learnt, { urls: [{ service: 'shut' }] })).status, 400)
    const reader = await logIn(served.baseUrl, guest)
    assert.equal((await reader.call('POST', 'services/shut/profile-proposals', {})).status, 403)
    assert.equal((await reader.call('DELETE', 'services/shut/profile-proposals')).status, 403)
    assert.equal((await client.call('GET', 'services/missing/profile-proposals')).status, 404)
    assert.equal((await client.call('POST', 'services/shut/profile-proposals/x', {})).status, 404)
    assert.equal((await client.call('POST', 'services/shut/profile-proposals', { no: 1 })).status, 406)
    assert.deepEqual(await proposals('shut'), [])
  })

  test('with what was seen, all proxies together, and with classes and choices for which there is evidence', async () => {
    await newService('wiki')
    const choice = [{ digest: 'a', value: 'edit' }, { digest: 'b' }]
    await learn('wiki', {
      parameters: [
        parameter('rev', { classes: ['Integer', 'Alphanumeric'] }),
        parameter('do', { classes: ['Alpha', 'Alphanumeric'], values: choice, hasOtherValues: false }),
        parameter('summary', { sentences: 40, length: 70, characters: "'" }),
        parameter('rare', { requests: 2 }),
        parameter('picture', { in: 'file', extensions: ['png'] }),
      ],
    })
    await learn('wiki', {
      clients: ['192.0.2.3'],
      parameters: [
        parameter('rev', { classes: ['Integer', 'Alphanumeric'], length: 10 }),
        parameter('do', { values: [{ digest: 'b', value: 'save' }], hasOtherValues: false }),
      ],
    })
    const [proposal, ...others] = await proposals('wiki')
    assert.ok(proposal)
    assert.equal(others.length, 0)
    assert.deepEqual(
      [
        proposal.url,
        proposal.requests,
        proposal.clients,
        proposal.days,
        proposal.evidence,
        proposal.accepted,
      ],
      ['/doku.php', '120', '3', '3', 'Enough', 'No'],
    )
    const parameters = Object.fromEntries(proposal.parameters.map((one) => [one.parameter, one]))
    assert.deepEqual(Object.keys(parameters), ['rev', 'do', 'rare', 'picture'])
    assert.equal(parameters.rev?.['parameter-class'], 'Integer')
    assert.deepEqual([parameters.do?.type, parameters.do?.values], ['Global Choice', ['edit', 'save']])
    assert.deepEqual([parameters.rare?.evidence, parameters.picture?.type], ['Little', 'File Upload'])
    assert.deepEqual(
      proposal['second-opinions'].map(({ parameter: name, accepted }) => [name, accepted]),
      [['summary', 'No']],
    )
  })

  test('accepted at once or by themselves, as objects that block, look for what the policy does, and can be deleted', async () => {
    const before = await published('wiki')
    assert.equal(before.checks?.profiles, undefined)
    const reply = await client.call('POST', 'services/wiki/profile-proposals', { 'second-opinions': 'Yes' })
    assert.equal(reply.status, 201, reply.text)
    const [profile] = (await published('wiki')).checks?.profiles?.urls ?? []
    assert.ok(profile)
    assert.equal(profile.isPassive, false)
    assert.deepEqual(profile.methods, ['GET', 'POST', 'HEAD'])
    assert.ok(profile.attackTypes.ofRules.includes('SQL Injection'))
    assert.deepEqual(profile.parameterProfiles.map(({ parameter: name }) => name).sort(), [
      'do',
      'picture',
      'rev',
    ])
    const [opinion] = (await published('wiki')).checks?.secondOpinions ?? []
    assert.deepEqual([opinion?.url, opinion?.parameter, opinion?.exceptedRules], ['/doku.php', 'summary', []])
    for (const rule of [941_100, 941_120]) {
      const exception = { name: `rule-${rule}`, url: '/doku.php', rule, target: 'ARGS:summary' }
      assert.equal((await client.call('POST', 'services/wiki/rule-exceptions', exception)).status, 201)
    }
    assert.deepEqual((await published('wiki')).checks?.secondOpinions?.[0]?.exceptedRules, [941_100, 941_120])
    const [proposal] = await proposals('wiki')
    assert.equal(proposal?.accepted, 'Yes')
    const again = await client.call('POST', `services/wiki/profile-proposals/${proposal?.id}`, {})
    assert.equal(again.status, 201, again.text)
    assert.equal((await published('wiki')).checks?.profiles?.urls.length, 1, 'nothing twice')
    const name = encodeURIComponent(profile.name)
    assert.equal((await client.call('DELETE', `services/wiki/url-profiles/${name}`)).status, 200)
    assert.equal((await published('wiki')).checks?.profiles, undefined)
    assert.equal((await proposals('wiki'))[0]?.accepted, 'No')
  })

  test('of services that are there when it comes', async () => {
    for (const name of ['early', 'late']) {
      if (name === 'early') await newService(name)
      await learn(name, { parameters: [parameter('page')] })
      if (name === 'late') await newService(name)
    }
    assert.equal((await proposals('early')).length, 1)
    assert.deepEqual(await proposals('late'), [])
  })

  test('until what was learnt is to be forgotten, or is old', async () => {
    await newService('forgotten')
    await learn('forgotten')
    await learn('forgotten', { url: '/old', lastAt: clock.now() - 100 * day, firstAt: 0 })
    await learn('forgotten', { url: '/b"c' })
    assert.deepEqual(
      (await proposals('forgotten')).map(({ url }) => url),
      ['/doku.php'],
    )
    assert.equal((await client.call('DELETE', 'services/forgotten/profile-proposals')).status, 200)
    assert.deepEqual(await proposals('forgotten'), [])
  })

  test('and proxies are told what to learn from, only where it is switched on', async () => {
    await newService('learning')
    assert.equal((await published('learning')).checks?.learning, undefined)
    const section = 'services/learning/adaptive-profiling'
    await client.call('PUT', section, { status: 'On', 'ignore-parameters': ['sid'] })
    const { checks } = await published('learning')
    assert.equal(checks?.learning?.from, 'successes-and-redirects')
    assert.deepEqual(checks?.learning?.ignoredParameters, ['sid'])
    assert.equal(checks?.learning?.places, undefined)
    await client.call('POST', 'services/learning/adaptive-profiling-rules', {
      name: 'shop',
      host: '*',
      url: '/shop/*',
    })
    await client.call('POST', 'services/learning/url-optimizers', { name: 'news', 'start-token': '/news/' })
    const { learning } = (await published('learning')).checks ?? {}
    assert.deepEqual(learning?.places, [{ host: '*', url: '/shop/*', learns: true }])
    assert.deepEqual(learning?.urlTokens, [{ start: '/news/', end: '' }])
    await client.call('PUT', section, { 'request-learning': 'None' })
    assert.equal((await published('learning')).checks?.learning, undefined)
    await client.call('PUT', section, { 'request-learning': 'Successes Only', status: 'Off' })
    await client.call('POST', 'services/learning/url-profiles', {
      name: 'one',
      url: '/one',
      mode: 'Learning',
    })
    assert.deepEqual((await published('learning')).checks?.learning?.places, [
      { host: '*', url: '/one', learns: true },
    ])
  })

  test('a client that makes up parameters makes nothing long of it: those go that the fewest requests had', async () => {
    await client.call('POST', 'services', { name: 'flooded', 'ip-address': '127.0.0.1', port: nextPort++ })
    const values = Array.from({ length: 16 }, (_, at) => ({ digest: `digest-${at}` }))
    const madeUp = Array.from({ length: 99 }, (_, at) =>
      parameter(`${at}-${'\u00c3\u00a4'.repeat(60)}`, {
        requests: 20,
        values,
        extensions: Array(20).fill('x'.repeat(16)),
      }),
    )
    await learn('flooded', { parameters: [...madeUp, parameter('page')] })
    const { text, json } = await client.get('services/flooded/profile-proposals')
    assert.ok(text.includes('page'), text.slice(0, 500))
    assert.equal(text.includes('98-'), false)
    assert.equal(Object.keys(json.data as object).length, 1)
  })
})
