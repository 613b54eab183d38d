import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { testPolicy } from '../testing/policies.ts'
import { protectedApplication } from '../testing/protected-application.ts'
import { requestVariants } from '../testing/request-variants/request-variants.ts'
import { commonHeaders, requestOf, sendRequest } from '../testing/request-variants/send-variant.ts'

const attack = "1' UNION SELECT user,password FROM users-- "
const harmless = 'The quick brown fox'

test('one attack is refused in every variant of requests, and nothing of it reaches the application', async (t) => {
  const { port, reached } = await protectedApplication(t)
  const wrong: string[] = []
  let ran = 0
  for (const variant of requestVariants) {
    reached.length = 0
    const status = await sendRequest(port, requestOf(variant, attack))
    const isRefused = status >= 400 && reached.length === 0
    if (isRefused !== (variant.carriedSince === undefined)) wrong.push(`${variant.name}: ${status}`)
    ran++
  }
  assert.deepEqual(wrong, [])
  assert.ok(ran >= 380 && new Set(requestVariants.map(({ name }) => name)).size === ran, `${ran} ran`)
  t.diagnostic(`${ran} variants`)
})

test('what clients send in earnest passes in every variant of requests, as it is', async (t) => {
  const { port, reached, exchanges } = await protectedApplication(t)
  const wrong: string[] = []
  const ordinary = requestVariants.filter(({ isOrdinary }) => isOrdinary)
  let ran = 0
  for (const variant of ordinary) {
    reached.length = 0
    const sent = requestOf(variant, harmless)
    const status = await sendRequest(port, sent)
    const expected = Buffer.concat([Buffer.from(sent.target), sent.body ?? Buffer.alloc(0)])
    if (status !== 200 || !reached[0]?.equals(expected)) {
      const { violations, transaction } = exchanges.at(-1) ?? {}
      const why = [
        ...(violations ?? []).map(({ detail }) => detail),
        ...(transaction?.matches ?? []).map(({ ruleId }) => ruleId),
      ]
      wrong.push(`${variant.name}: ${status} ${why.join(' ')}`)
    }
    ran++
  }
  assert.deepEqual(wrong, [])
  assert.ok(ran >= 160 && ran === ordinary.length, `${ran} ran`)
})

/** What needs both of its halves to be an attack, and words that need neither. */
const inHalves: readonly (readonly [string, string, number])[] = [
  ['$(printf', 'x)', 403],
  ['(see page 1', 'x)', 200],
]

test('an attack is refused whose halves come as two parameters of one name, where applications join them', async (t) => {
  const { port, reached } = await protectedApplication(t)
  const type = ['Content-Type', 'application/x-www-form-urlencoded']
  for (const [first, second, expected] of inHalves) {
    const pair = `id=${encodeURIComponent(first)}&ID=${encodeURIComponent(second)}`
    const statuses = [
      await sendRequest(port, requestOf({ name: 'query', isOrdinary: true, target: () => `/?${pair}` }, '')),
      await sendRequest(
        port,
        requestOf({ name: 'form', isOrdinary: true, headers: type, body: () => pair }, ''),
      ),
      await sendRequest(
        port,
        requestOf(
          {
            name: 'both',
            isOrdinary: true,
            target: () => `/?id=${encodeURIComponent(first)}`,
            headers: type,
            body: () => `id=${encodeURIComponent(second)}`,
          },
          '',
        ),
      ),
    ]
    assert.deepEqual(statuses, [expected, expected, expected], first)
    const other = `/?a=${encodeURIComponent(first)}&b=${encodeURIComponent(second)}`
    assert.equal(
      await sendRequest(port, requestOf({ name: 'other', isOrdinary: true, target: () => other }, '')),
      200,
      'nobody joins parameters of different names',
    )
  }
  assert.equal(reached.length, 5)
})

test('a cookie is read without its encodings', async (t) => {
  const { port } = await protectedApplication(t)
  const cookie = (value: string) => ({
    name: 'cookie',
    isOrdinary: true,
    headers: ['Cookie', `a=1; id=${Buffer.from(value).toString('base64')}`],
  })
  assert.equal(await sendRequest(port, requestOf(cookie(attack), '')), 403)
  assert.equal(await sendRequest(port, requestOf(cookie(harmless), '')), 200)
})

test('a trailer ends at the proxy, with an attack in it', async (t) => {
  const { port, reached } = await protectedApplication(t)
  const trailers = () => ({ 'X-Note': attack })
  const sent = requestOf({ name: 'trailer', isOrdinary: false, body: () => 'id=1', trailers }, attack)
  assert.equal(await sendRequest(port, sent), 200)
  assert.deepEqual(reached.map(String), ['/id=1'])
})

test('pictures in JSON are files, so that the limit is for what is text beside them, all of which is judged', async (t) => {
  const { port, reached } = await protectedApplication(
    t,
    testPolicy({ secondStage: { excludedParameters: [] } }),
  )
  const photo = Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), randomBytes(1024 * 1024)])
  const statusOf = async (document: unknown) => {
    const body = Buffer.from(JSON.stringify(document))
    reached.length = 0
    const headers = [...commonHeaders, 'Content-Type', 'application/json', 'Content-Length', `${body.length}`]
    const status = await sendRequest(port, { method: 'POST', target: '/', headers, body })
    const isWhole = reached[0]?.equals(Buffer.concat([Buffer.from('/'), body])) ?? false
    assert.equal(isWhole, status === 200)
    return status
  }
  const base64 = photo.toString('base64')
  const webShell = Buffer.concat([photo, Buffer.from('<?php system($_GET["c"]); ?>')]).toString('base64')
  const text = Buffer.from('The quick brown fox. '.repeat(10_000)).toString('base64')
  const cases: readonly (readonly [name: string, document: unknown, status: number])[] = [
    ['a picture', { name: 'Photo', data: base64 }, 200],
    [
      'a picture in an address',
      { blocks: [{ text: harmless, src: `data:image/jpeg;base64,${base64}` }] },
      200,
    ],
    ['an attack behind a picture', { data: base64, name: attack }, 403],
    ['an attack in front of it', [attack, base64], 403],
    ['an attack behind Base64 in one string', { data: `${base64} ${attack}` }, 413],
    ['a web shell in a picture', { data: webShell }, 403],
    ['text in Base64', { data: text }, 413],
    ['text', { data: harmless.repeat(10_000) }, 413],
    ['text beside a picture', { data: base64, text: harmless.repeat(10_000) }, 413],
    ['a picture as a name', { [base64]: 1 }, 413],
    ['as much as nobody reads', { data: base64.repeat(10) }, 413],
  ]
  let ran = 0
  for (const [name, document, status] of cases) {
    assert.equal(await statusOf(document), status, name)
    ran++
  }
  assert.equal(ran, cases.length)
})

test('a list of thousands of values passes, and an attack at its end does not', async (t) => {
  const { port } = await protectedApplication(t)
  const statusOf = (document: unknown) => {
    const body = Buffer.from(JSON.stringify(document))
    const headers = [...commonHeaders, 'Content-Type', 'application/json', 'Content-Length', `${body.length}`]
    return sendRequest(port, { method: 'POST', target: '/', headers, body })
  }
  const points = Array.from({ length: 3000 }, (_, index) => [index / 64, -index / 32])
  const records = Array.from({ length: 400 }, (_, id) => ({
    id,
    name: `Ann ${id}`,
    tags: ['a', 'b'],
    at: '2030-01-01',
  }))
  assert.equal(await statusOf({ type: 'LineString', coordinates: points }), 200)
  assert.equal(await statusOf(records), 200)
  assert.equal(await statusOf({ type: 'LineString', coordinates: [...points, [attack]] }), 403)
  assert.equal(await statusOf([...records, { name: attack }]), 403)
  assert.equal(await statusOf([...Array.from({ length: 20_000 }, () => 1), attack]), 403)
})
