import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Store } from '@palisade/platform'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { type LoggedEntry, type ProxySnapshot, proxyAddresses } from '@palisade/proxy-protocol'
import { callAsProxy } from '../../testing/as-proxy.ts'
import { type Client, logIn } from '../../testing/client.ts'
import { administrator, serveFirewall } from '../../testing/firewall.ts'

interface Told {
  readonly url: string
  readonly rule: string
  readonly target: string
  readonly accepted: string
  readonly rejected: string
  readonly requests: string
  readonly 'lets-through-alone': string
  readonly 'together-with': readonly string[]
  readonly clients: string
  readonly evidence: string
  readonly 'speaks-against': readonly string[]
  readonly 'seen-requests': readonly { readonly 'log-entries': readonly string[] }[]
}

onEveryStore('exceptions are proposed from the log', (newStore) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-exceptions-'))
  const clock = settableClock()
  const guest = { username: 'guest', password: 'reads all day', role: 'guest' }
  let store: Store
  let served: ServedService
  let client: Client
  before(async () => {
    const administrators = [administrator, guest]
    store = await newStore()
    served = await serveFirewall({ store, dataDirectory, clock, administrators })
    client = await logIn(served.baseUrl)
  })
  after(async () => {
    await served.close()
    rmSync(dataDirectory, { recursive: true })
  })

  const asProxy = (path: string, body?: object) => callAsProxy(served, dataDirectory, path, body)

  /** Logs a request in which these rules fired: with 5 points each, and the verdict. */
  async function saw(
    service: string,
    url: string,
    findings: readonly (readonly [rule: number, target: string])[],
    clientIp = '192.0.2.1',
  ): Promise<void> {
    const common = {
      time: clock.now(),
      'request-id': randomUUID(),
      'service-name': service,
      'rule-type': 'Core Rule Set',
      severity: 'Critical',
      'client-ip': clientIp,
      method: 'POST',
      url,
    }
    const entries: LoggedEntry[] = findings.map(([rule, target]) => ({
      ...common,
      rule: String(rule),
      'rule-target': target,
      'attack-detail': `${target}: *****`,
    }))
    const score = 5 * findings.length
    const verdict = {
      ...common,
      rule: '949110',
      'rule-target': 'TX:ANOMALY_SCORE',
      attack: `Inbound Anomaly Score Exceeded (Total Score: ${score})`,
    }
    const body = { access: [], webFirewall: [...entries, verdict] }
    assert.equal((await asProxy(proxyAddresses.logs, body)).status, 204)
  }

  async function proposals(
    service: string,
    query = '',
  ): Promise<readonly (Told & { readonly id: string })[]> {
    const { data = {} } = (await client.get(`services/${service}/rule-exception-proposals${query}`)).json
    return Object.values(data as Record<string, Told & { readonly id: string }>)
  }

  let serviceCount = 0
  async function newService(name: string): Promise<void> {
    const address = `127.0.9.${++serviceCount}`
    const { status, text } = await client.call('POST', 'services', { name, 'ip-address': address })
    assert.equal(status, 201, text)
  }

  test('with the requests that they would have let through, and what speaks against them', async () => {
    await newService('wiki')
    await saw('wiki', '/doku.php', [[942_190, 'ARGS:wikitext']])
    await saw('wiki', '/doku.php', [[942_190, 'ARGS:wikitext']], '198.51.100.7')
    await saw('wiki', '/doku.php', [
      [942_190, 'ARGS:wikitext'],
      [941_100, 'REQUEST_COOKIES:note'],
    ])
    await saw('other', '/doku.php', [[942_190, 'ARGS:wikitext']])
    const [first, second, ...others] = await proposals('wiki')
    assert.ok(first && second)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [first.url, first.rule, first.target, first.requests, first['lets-through-alone'], first.clients],
      ['/doku.php', '942190', 'ARGS:wikitext', '3', '2', '2'],
    )
    assert.deepEqual(first['together-with'], [second.id])
    assert.deepEqual([first.evidence, first.accepted], ['Little', 'No'])
    assert.match(
      first['speaks-against'].join(' '),
      /1 of 3 would have been blocked all the same, for the rules 941100/,
    )
    assert.match(second['speaks-against'].join(' '), /Only one client.*by the grammar of SQL or HTML/)
    const [entry = ''] = first['seen-requests'][0]?.['log-entries'] ?? []
    assert.equal((await client.get(`web-firewall-logs/${entry}`)).json.data[entry].rule, '942190')
  })

  test('accepted, published, in the audit log, and undone', async () => {
    await newService('blog')
    await saw('blog', '/my%20page', [[942_190, 'ARGS:größe']])
    const [proposal] = await proposals('blog')
    assert.ok(proposal)
    const address = `services/blog/rule-exception-proposals/${proposal.id}`
    const accepted = await client.call('POST', address, { comments: 'It is a measure' })
    assert.equal(accepted.status, 201, accepted.text)
    assert.equal((await client.call('POST', address, {})).status, 406, 'twice')
    const place = `services/blog/rule-exceptions/${accepted.json.id}`
    const [exception] = Object.values((await client.get(place)).json.data as Record<string, object>)
    assert.deepEqual(
      { ...exception, object: undefined, name: undefined },
      {
        object: undefined,
        name: undefined,
        status: 'On',
        host: '*',
        url: '/my page',
        rule: '942190',
        target: 'ARGS:größe',
        comments: 'It is a measure',
      },
    )
    const published = async () => {
      const snapshot = (await asProxy(proxyAddresses.snapshot)).json as unknown as ProxySnapshot
      return snapshot.services.find(({ name }) => name === 'blog')?.checks?.ruleExceptions
    }
    assert.deepEqual(
      (await published())?.map(({ url, rule, target }) => [url, rule, target]),
      [['/my page', 942_190, Buffer.from('ARGS:größe').toString('latin1')]],
    )
    assert.equal((await proposals('blog'))[0]?.accepted, 'Yes')
    const audit = (await client.get('audit-logs?limit=20')).json.data as Record<
      string,
      Record<string, string>
    >
    assert.ok(
      Object.values(audit).some(
        (entry) => entry['object-type'] === 'Rule Exception' && entry.admin === administrator.username,
      ),
      JSON.stringify(Object.values(audit)[0]),
    )
    assert.equal((await client.call('DELETE', place)).status, 200)
    assert.equal(await published(), undefined)
    assert.equal((await proposals('blog'))[0]?.accepted, 'No')
  })

  test('one that is rejected is listed no more, unless it is asked for, and can still be accepted', async () => {
    await newService('forum')
    await newService('forum2')
    for (const service of ['forum', 'forum2']) {
      await saw(service, '/post', [[942_190, 'ARGS:text']])
      await saw(service, '/post', [[932_160, 'ARGS:text']])
    }
    const [one, other] = await proposals('forum')
    assert.ok(one && other)
    assert.equal(one.rejected, 'No')
    const address = `services/forum/rule-exception-proposals/${one.id}`
    for (const time of ['first', 'again']) {
      const { status, json } = await client.call('DELETE', address)
      assert.deepEqual([status, json.msg], [200, 'Successfully deleted.'], time)
    }
    await saw('forum', '/post', [[Number(one.rule), 'ARGS:text']], '198.51.100.7')
    assert.deepEqual(
      (await proposals('forum')).map(({ id }) => id),
      [other.id],
      'not when it is seen again either',
    )
    assert.deepEqual(
      (await proposals('forum', '?rejected=Yes')).map(({ id, rejected }) => [id, rejected]),
      [[one.id, 'Yes']],
    )
    assert.equal((await proposals('forum2')).length, 2, 'it counts for its service alone')
    const [shown] = Object.values((await client.get(address)).json.data as Record<string, Told>)
    assert.equal(shown?.rejected, 'Yes')
    const audit = (await client.get('audit-logs?limit=1')).json.data as Record<string, Record<string, string>>
    const [entry] = Object.values(audit)
    assert.deepEqual(
      [entry?.['change-type'], entry?.['object-type'], entry?.['object-name'], entry?.['additional-data']],
      [
        'Delete',
        'Rule Exception Proposal',
        one.id,
        `rejected for the service forum: rule ${one.rule} at /post, ARGS:text`,
      ],
    )
    const restarted = await serveFirewall({ store, dataDirectory, clock })
    const again = await logIn(restarted.baseUrl)
    const listed = (await again.get('services/forum/rule-exception-proposals')).json.data
    assert.deepEqual(Object.keys(listed as object), [other.id])
    await restarted.close()

    assert.equal((await client.call('POST', address, {})).status, 201)
    assert.deepEqual(
      (await proposals('forum')).map(({ accepted, rejected }) => [accepted, rejected]),
      [
        ['Yes', 'No'],
        ['No', 'No'],
      ],
    )
    assert.deepEqual(await proposals('forum', '?rejected=Yes'), [])
    const wrong = await client.call('GET', 'services/forum/rule-exception-proposals?rejected=maybe')
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /The parameter rejected must be Yes or No\./)
  })

  test('enough is seen when as many requests came as the level says, of two clients, or of one that is trusted', async () => {
    await newService('shop')
    const evidence = async () => (await proposals('shop'))[0]?.evidence
    await client.call('PUT', 'services/shop/exception-profiling', { 'exception-profiling-level': 'High' })
    for (let count = 0; count < 3; count++) await saw('shop', '/', [[942_190, 'ARGS:q']])
    assert.equal(await evidence(), 'Little')
    await saw('shop', '/', [[942_190, 'ARGS:q']], '203.0.113.9')
    assert.equal(await evidence(), 'Enough')
    await client.call('PUT', 'services/shop/exception-profiling', { 'exception-profiling-level': 'Low' })
    assert.equal(await evidence(), 'Little')
    await client.call('POST', 'trusted-host-groups', { name: 'office' })
    await client.call('POST', 'trusted-host-groups/office/trusted-hosts', {
      name: 'desk',
      version: 'IPv4',
      'ip-address': '203.0.113.0',
      mask: '255.255.255.0',
    })
    const trusting = await client.call('PUT', 'services/shop/exception-profiling', {
      'exception-profiling-learn-from-trusted-host': 'Yes',
      'exception-profiling-trusted-host-group': 'office',
    })
    assert.equal(trusting.status, 200, trusting.text)
    assert.equal(await evidence(), 'Enough')
  })

  test('what was found in no part of the request leads to the rule as a whole, and odd addresses to nothing', async () => {
    await newService('odd')
    await saw('odd', '/', [[921_180, 'TX:paramcounter_ARGS_NAMES:a']])
    await saw('odd', '/a/../b', [[942_190, 'ARGS:q']])
    await saw('odd', '/*', [[942_190, 'ARGS:q']])
    const [proposal, ...others] = await proposals('odd')
    assert.deepEqual([proposal?.rule, proposal?.target, others.length], ['921180', '', 0])
    assert.match(proposal?.['speaks-against'].join(' ') ?? '', /would not run at all/)
  })

  test('a header that comes with every request is left out for every URL', async () => {
    await newService('pages')
    for (const url of ['/a', '/b', '/c', '/d', '/e'])
      await saw('pages', url, [[941_110, 'REQUEST_HEADERS:Referer']])
    await saw('pages', '/a', [[941_110, 'REQUEST_HEADERS:User-Agent']])
    assert.deepEqual(
      (await proposals('pages')).map(({ url, target, requests }) => [url, target, requests]),
      [
        ['/*', 'REQUEST_HEADERS:Referer', '5'],
        ['/a', 'REQUEST_HEADERS:User-Agent', '1'],
      ],
    )
  })

  test('an address with an id in it is proposed for all ids, and a folder for all of its names once five were seen', async () => {
    await newService('notebooks')
    for (const id of ['597b3500-fe59-4d9e-ba31-170ec3a76950', '0ad0f208-b544-44a2-b830-2eda6777c905'])
      await saw('notebooks', `/kernels/${id}/channels`, [[943_120, 'REQUEST_HEADERS']])
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await saw('notebooks', `/contents/${name}.ipynb`, [[942_100, 'ARGS:cells.source']])
    await saw('notebooks', '/contents/a.ipynb', [[932_160, 'ARGS:cells.source']])
    const proposed = await proposals('notebooks')
    assert.deepEqual(
      proposed.map(({ url, rule, requests }) => [url, rule, requests]),
      [
        ['/contents/*', '942100', '5'],
        ['/kernels/*/channels', '943120', '2'],
        ['/contents/a.ipynb', '932160', '1'],
      ],
    )
    assert.match(proposed[0]?.['speaks-against'].join(' ') ?? '', /every URL like \/contents\/\*/)
    const { id } = proposed[1] ?? { id: '' }
    const address = `services/notebooks/rule-exception-proposals/${id}`
    assert.equal((await client.call('POST', address, {})).status, 201)
    assert.equal((await proposals('notebooks'))[1]?.accepted, 'Yes')
  })

  test('not for a service that is deleted meanwhile: a later one of its name has no exceptions', async (t) => {
    const names = Array.from({ length: 8 }, (_, index) => `short-lived-${index}`)
    for (const name of names) {
      await newService(name)
      await saw(name, '/', [[942_190, 'ARGS:q']])
      const [proposal] = await proposals(name)
      const [accepted, deleted] = await Promise.all([
        client.call('POST', `services/${name}/rule-exception-proposals/${proposal?.id}`, {}),
        client.call('DELETE', `services/${name}`),
      ])
      assert.equal(deleted.status, 200, deleted.text)
      assert.ok([201, 404].includes(accepted.status), accepted.text)
      await newService(name)
    }
    const restarted = await serveFirewall({ store, dataDirectory, clock })
    t.after(() => restarted.close())
    const { get } = await logIn(restarted.baseUrl)
    for (const name of names) {
      assert.equal((await get(`services/${name}/rule-exceptions`)).json.data, undefined, name)
    }
  })

  test('not to whoever may not read the log or the service, and nothing that is not there', async () => {
    const reader = await logIn(served.baseUrl, guest)
    assert.equal((await reader.call('POST', 'services/wiki/rule-exception-proposals/x', {})).status, 403)
    assert.equal((await reader.call('DELETE', 'services/wiki/rule-exception-proposals/x')).status, 403)
    assert.equal((await client.call('DELETE', 'services/wiki/rule-exception-proposals/x')).status, 404)
    assert.equal((await client.call('GET', 'services/missing/rule-exception-proposals')).status, 404)
    assert.equal((await client.call('POST', 'services/wiki/rule-exception-proposals/x', {})).status, 404)
    assert.equal(
      (await client.call('POST', 'services/wiki/rule-exception-proposals/x', { no: 1 })).status,
      406,
    )
    const wrong = { name: 'x', url: '/', rule: 1, target: 'TX:anomaly_score' }
    const refused = await client.call('POST', 'services/wiki/rule-exceptions', wrong)
    assert.equal(refused.status, 406)
    assert.match(refused.text, /target/)
  })
})
