import assert from 'node:assert/strict'
import { test } from 'node:test'
import { protectedApplication } from '../testing/protected-application.ts'
import { requestVariants } from '../testing/request-variants/request-variants.ts'
import { requestOf, sendRequest } from '../testing/request-variants/send-variant.ts'

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
