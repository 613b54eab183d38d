import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { LearntUrl, SnapshotLearning } from '@palisade/proxy-protocol'
import { learntMax, mergedUrl } from '@palisade/proxy-protocol'
import { carried } from '../../testing/carried.ts'
import { testChecks, testPolicy } from '../../testing/policies.ts'
import { ruleSetsOf } from '../../testing/rules.ts'

const rules = ruleSetsOf(`
SecRule ARGS "@rx evil" "id:942100,phase:2,pass,log,msg:'evil',tag:'attack-sqli'"
`)

const form = { 'content-type': 'application/x-www-form-urlencoded' }

const everything: SnapshotLearning = {
  from: 'successes-and-redirects',
  trusted: [],
  exceptUrls: ['*.css'],
  urlsAllTheSame: [],
  ignoredParameters: ['tracking_*'],
  navigationParameters: [],
  urlTokens: [],
  parameterTokens: [],
  key: 'a2V5',
}

async function learnsFrom(t: TestContext, more: Partial<SnapshotLearning> = {}, masked: string[] = []) {
  const all: LearntUrl[] = []
  const { port } = await carried(t, {
    application: (request, response) =>
      request.resume().on('end', () => {
        response.statusCode = Number(request.headers['x-status'] ?? 200)
        response.end('reached')
      }),
    rules,
    policy: testPolicy(),
    onLearnt: (urls) => all.push(urls),
    service: {
      maskedParameters: masked,
      checks: testChecks({ clientAddressHeader: 'x-client', learning: { ...everything, ...more } }),
    },
  })
  const send = async (target: string, init: RequestInit & { client?: string; status?: number } = {}) => {
    const { client = '192.0.2.1', status = 200, headers, ...others } = init
    const own = { ...headers, 'x-client': client, 'x-status': String(status) }
    const reply = await fetch(`http://127.0.0.1:${port}${target}`, {
      redirect: 'manual',
      ...others,
      headers: own,
    })
    await reply.arrayBuffer()
  }
  /** What was learnt of the only URL. */
  const learnt = () => {
    const [first, ...others] = all
    assert.ok(first, 'nothing was learnt')
    return others.reduce(mergedUrl, first)
  }
  return { send, learnt, all }
}

test('nothing is learnt from what was refused elsewhere, looks like an attack, is excepted, or is written strangely', async (t) => {
  const { send, all } = await learnsFrom(t)
  await send('/a?x=1', { status: 404 })
  await send('/a?x=1', { status: 500 })
  await send('/a?x=evil')
  await send('/style.css?x=1')
  await send('/a%2fb?x=1')
  await send('/*?x=1')
  assert.deepEqual(all, [])
  const onlySuccesses = await learnsFrom(t, { from: 'successes' })
  await onlySuccesses.send('/a', { status: 302 })
  assert.deepEqual(onlySuccesses.all, [])
  const trusted = await learnsFrom(t, { from: 'trusted', trusted: ['192.0.2.9'] })
  await trusted.send('/a?x=1')
  assert.deepEqual(trusted.all, [])
  await trusted.send('/a?x=evil', { client: '192.0.2.9' })
  assert.equal(trusted.all.length, 1, 'whom one trusts may write about evil')
  const elsewhere = await learnsFrom(t, {
    places: [
      { host: '*', url: '/shop/admin', learns: false },
      { host: '*', url: '/shop/*', learns: true },
    ],
  })
  await elsewhere.send('/a')
  await elsewhere.send('/shop/admin')
  assert.deepEqual(elsewhere.all, [])
  await elsewhere.send('/shop/cart')
  assert.equal(elsewhere.all.length, 1)
})

test('of parameters it is learnt how long they are, of what class, with which characters', async (t) => {
  const { send, learnt } = await learnsFrom(t)
  await send('/orders/17?page=2&tracking_id=x')
  const body = new URLSearchParams({
    note: "It's new, and (almost) free",
    mail: 'ann@example.org',
    page: '12',
  })
  await send('/orders/18', { method: 'POST', headers: form, body: body.toString(), client: '192.0.2.2' })
  const { url, requests, clients, methods, contentTypes, parameters, bodyBytes } = learnt()
  assert.deepEqual([url, requests, clients.length], ['/orders/*', 2, 2])
  assert.deepEqual([methods, contentTypes], [['GET', 'POST'], [form['content-type']]])
  assert.equal(bodyBytes, body.toString().length)
  const parametersByName = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]))
  assert.deepEqual(Object.keys(parametersByName).sort(), ['mail', 'note', 'page'])
  assert.deepEqual(parametersByName.page?.classes, ['Integer', 'Alphanumeric'])
  assert.deepEqual([parametersByName.page?.requests, parametersByName.page?.length], [2, 2])
  assert.deepEqual(parametersByName.mail?.classes, ['Email'])
  assert.deepEqual(
    [parametersByName.note?.classes, parametersByName.note?.characters, parametersByName.note?.sentences],
    [[], "'(),", 1],
  )
})

test('a value is told when two clients have sent it; passwords and what the logs mask never are', async (t) => {
  const { send, learnt } = await learnsFrom(t, {}, ['city'])
  const fields = { do: 'edit', pass: 'letmein', city: 'Wien', note: 'my own words', number: '123456' }
  for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) {
    const query = new URLSearchParams(fields)
    await send(`/?${query}`, { client })
    const valuesOfClient = learnt().parameters.flatMap(({ values }) =>
      values.flatMap(({ value }) => value ?? []),
    )
    assert.deepEqual(valuesOfClient, client === '192.0.2.2' ? ['edit'] : [])
  }
  const parameters = new Map(learnt().parameters.map((parameter) => [parameter.name, parameter]))
  assert.deepEqual(parameters.get('do')?.values.length, 1)
  assert.deepEqual(parameters.get('pass')?.values, [])
  assert.deepEqual(parameters.get('city')?.values, [])
  assert.equal(parameters.get('pass')?.hasOtherValues, true)
})

test('members of JSON and files are learnt, and parameters that tell pages apart make pages', async (t) => {
  const { send, all } = await learnsFrom(t, { navigationParameters: ['do'], parameterTokens: ['item'] })
  await send('/api', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ page: { title: 'Some words' } }),
  })
  assert.deepEqual(
    all[0]?.parameters.map(({ name, in: source }) => [name, source]),
    [['page.title', 'json']],
  )
  const upload = new FormData()
  upload.append('picture', new Blob(['x']), 'a.PNG')
  upload.append('item1', 'a')
  upload.append('item2', 'b')
  await send('/?do=upload', { method: 'POST', body: upload })
  assert.deepEqual(all[1]?.navigation, { parameter: 'do', value: 'upload' })
  assert.equal(all[1]?.files, 1)
  assert.deepEqual(
    all[1]?.parameters.map(({ name, extensions }) => [name, extensions]),
    [
      ['do', []],
      ['item*', []],
      ['picture', ['png']],
    ],
  )
})

test('no more file extensions are learnt of one request than can be told', async (t) => {
  const { send, all } = await learnsFrom(t)
  const upload = new FormData()
  for (let number = 0; number < 50; number++) upload.append('picture', new Blob(['x']), `a.x${number}`)
  await send('/upload', { method: 'POST', body: upload })
  assert.equal(all[0]?.parameters[0]?.extensions.length, learntMax.extensions)
})

test('clients of one IPv6 subscriber are one client', async (t) => {
  const { send, learnt } = await learnsFrom(t)
  for (const client of [
    '2001:db8:1:2::1',
    '2001:DB8:1:2:3:4:5:6',
    '2001:db8:1:3::1',
    '192.0.2.1',
    '192.0.2.2',
  ]) {
    await send('/?do=edit', { client })
  }
  assert.deepEqual(learnt().clients, ['2001:db8:1:2::/64', '2001:db8:1:3::/64', '192.0.2.1', '192.0.2.2'])
})
