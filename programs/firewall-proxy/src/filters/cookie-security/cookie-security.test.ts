import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SnapshotCookieSecurity } from '@palisade/proxy-protocol'
import { carried, exchangeBytes } from '../../testing/carried.ts'
import { noRules } from '../../testing/no-rules.ts'

const keys = [{ id: 0, secret: Buffer.alloc(32, 7).toString('base64url') }]
const signing: SnapshotCookieSecurity = {
  keys,
  does: 'sign',
  exempted: ['free*'],
  ageMaxSeconds: 0,
  bindsToAddress: true,
  bindsToHeaders: [],
  takesUnsealedDays: 0,
  adds: { httpOnly: false, secure: false },
}

/** A service that protects cookies: what it sets, and what reaches its application. */
async function protecting(
  t: TestContext,
  settings: Partial<SnapshotCookieSecurity>,
  setCookies: readonly string[],
  mode: 'active' | 'passive' = 'active',
) {
  let reached: string | undefined
  let second: unknown
  const { port, exchanges, plane, service } = await carried(t, {
    application: (request, response) => {
      reached = request.headers.cookie
      second = request.headers.cookie2
      response.writeHead(
        200,
        setCookies.flatMap((cookie) => ['Set-Cookie', cookie]),
      )
      response.end()
    },
    rules: noRules(),
    service: { cookieSecurity: { ...signing, ...settings }, inspection: { mode } },
  })
  const send = async (cookies: readonly string[] = [], headers: readonly string[] = []) => {
    reached = undefined
    const lines = ['GET / HTTP/1.1', 'Host: a', ...cookies.map((cookie) => `Cookie: ${cookie}`), ...headers]
    const answer = await exchangeBytes(port, `${lines.join('\r\n')}\r\n\r\n`)
    const set = [...answer.matchAll(/^Set-Cookie: (.*)\r$/gim)].map(([, cookie = '']) => cookie)
    const attacks = exchanges.at(-1)?.violations.map(({ attack }) => attack)
    return { answer, set, reached, second, attacks, pairs: set.map((cookie) => cookie.replace(/;.*/, '')) }
  }
  return { send, plane, service }
}

test('a signed cookie is readable, has its signature beside it, and comes back to the server alone', async (t) => {
  const { send } = await protecting(t, {}, ['sid=abc; Path=/shop; HttpOnly', 'free1=x'])
  const { set, pairs } = await send()
  assert.equal(set[0], 'sid=abc; Path=/shop; HttpOnly')
  assert.match(set[1] ?? '', /^_ps_sid=[\w-]+; Path=\/shop; HttpOnly$/)
  assert.deepEqual(set.slice(2), ['free1=x'])
  const { reached, attacks } = await send([pairs.join('; ')])
  assert.deepEqual([reached, attacks], ['sid=abc; free1=x', []])
})

test('an encrypted cookie shows nothing, and reaches the server as it was set', async (t) => {
  const { send } = await protecting(t, { does: 'encrypt' }, ['role="user ä"; Secure'])
  const { set, pairs } = await send()
  assert.match(set[0] ?? '', /^role=~ps~[\w-]+; Secure$/)
  assert.equal((await send(pairs)).reached, 'role="user ä"')
})

test('a changed cookie is taken out, and the request goes on', async (t) => {
  for (const does of ['sign', 'encrypt'] as const) {
    const { send } = await protecting(t, { does }, ['role=user', 'theme=dark'])
    const { pairs } = await send()
    const changed = pairs.map((pair) =>
      pair.startsWith('role=') ? pair.replace(/(.)$/, (last) => (last === 'A' ? 'B' : 'A')) : pair,
    )
    const { reached, attacks, answer } = await send([changed.join('; ')])
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.deepEqual([reached, attacks], ['theme=dark', ['cookie-tampered']], does)
  }
})

test('a value is good for the cookie alone for which it was sealed', async (t) => {
  for (const does of ['sign', 'encrypt'] as const) {
    const { send } = await protecting(t, { does }, ['a=1', 'b=2'])
    const { pairs } = await send()
    const swapped = pairs.map((pair) =>
      pair.replace(/^(_ps_)?([ab])=/, (_, sign = '', name) => `${sign}${name === 'a' ? 'b' : 'a'}=`),
    )
    assert.equal((await send(swapped)).reached, undefined, does)
  }
})

test('a cookie that was never sealed is taken out unless those are still taken', async (t) => {
  for (const [takesUnsealedDays, expected] of [
    [0, undefined],
    [7, 'a=1'],
  ] as const) {
    const { send } = await protecting(t, { takesUnsealedDays }, [])
    assert.equal((await send(['a=1'])).reached, expected)
  }
})

test('a cookie of another browser or of long ago is not taken', async (t) => {
  const bound = await protecting(t, { bindsToHeaders: ['user-agent'] }, ['sid=1'])
  const { pairs } = await bound.send([], ['User-Agent: one'])
  assert.equal((await bound.send([pairs.join('; ')], ['User-Agent: one'])).reached, 'sid=1')
  const other = await bound.send([pairs.join('; ')], ['User-Agent: two'])
  assert.deepEqual([other.reached, other.attacks], [undefined, ['mismatched-header-cookie-replay-attack']])
  const aging = await protecting(t, { ageMaxSeconds: 1 }, ['sid=1'])
  const old = (await aging.send()).pairs.join('; ')
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  assert.deepEqual((await aging.send([old])).attacks, ['cookie-expired'])
})

test('attributes are added that a cookie lacks', async (t) => {
  const adds = { httpOnly: true, secure: true, sameSite: 'Lax' as const }
  const { send } = await protecting(t, { does: 'nothing', adds }, ['a=1', 'b=2; samesite=None; SECURE'])
  assert.deepEqual((await send()).set, [
    'a=1; Secure; HttpOnly; SameSite=Lax',
    'b=2; samesite=None; SECURE; HttpOnly',
  ])
})

test('a service that only logs takes nothing out', async (t) => {
  const { send } = await protecting(t, {}, [], 'passive')
  const { reached, attacks } = await send(['a=1', 'b=2'])
  assert.deepEqual([reached, attacks], ['a=1; b=2', ['unrecognized-cookie', 'unrecognized-cookie']])
})

test('a cookie that is not taken does not pass inside one that is exempted', async (t) => {
  for (const does of ['sign', 'encrypt'] as const) {
    const { send } = await protecting(t, { does }, ['role=user'])
    const { pairs } = await send()
    for (const [cookies, expected, attack = 'unrecognized-cookie'] of [
      [['free1=x, role=admin'], 'free1=x'],
      [['free1=x,role=admin'], 'free1=x'],
      [['free1=x role=admin'], 'free1=x'],
      [['free1=x\t,\trole = admin'], 'free1=x'],
      [['free1="x, role=admin"'], 'free1="x'],
      [['free1, role=admin'], undefined],
      [['free1=x, free2=y, role=admin, free3=z'], 'free1=x; free2=y; free3=z'],
      [['free1=x', 'role=admin'], 'free1=x'],
      [['role=admin; free1=x', 'free2=y, role=admin'], 'free1=x; free2=y'],
      [['free1=x, role=~ps~forged'], 'free1=x', does === 'sign' ? 'unrecognized-cookie' : 'cookie-tampered'],
    ] as const) {
      const { reached, attacks } = await send(cookies)
      assert.equal(reached, expected, `${does} ${cookies}`)
      assert.ok(attacks?.includes(attack), `${does} ${cookies}`)
    }
    const genuine = await send([...pairs, 'free1=a,b c', 'free2=x, free3=y'])
    assert.deepEqual([genuine.reached, genuine.attacks], ['role=user; free1=a,b c; free2=x, free3=y', []])
  }
})

test('cookies of servers may have commas', async (t) => {
  for (const does of ['sign', 'encrypt'] as const) {
    const { send } = await protecting(t, { does }, ['list=a, b=c'])
    const { reached, attacks } = await send((await send()).pairs)
    assert.deepEqual([reached, attacks], ['list=a, b=c', []], does)
  }
})

test('what an older header brings is taken where unsealed cookies are', async (t) => {
  for (const [takesUnsealedDays, mode, reaches] of [
    [0, 'active', false],
    [7, 'active', true],
    [0, 'passive', true],
  ] as const) {
    const { send } = await protecting(t, { takesUnsealedDays }, [], mode)
    const { second, attacks } = await send([], ['Cookie2: role=admin'])
    assert.equal(second, reaches ? 'role=admin' : undefined)
    assert.deepEqual(attacks, takesUnsealedDays === 0 ? ['unrecognized-cookie'] : [])
  }
})

/** Two services with the same keys; each gives the cookies that its application was sent, and sets `sid`. */
async function twoServices(t: TestContext, does: 'sign' | 'encrypt', more: readonly [object, object]) {
  const [one, other] = await Promise.all(
    more.map((service, index) =>
      carried(t, {
        application: ({ headers }, response) => {
          const domain = headers['x-domain'] === undefined ? '' : `; Domain=${headers['x-domain']}`
          response.setHeader('set-cookie', `sid=of-${index}${domain}`)
          response.end(`got ${headers.cookie ?? 'nothing'}.`)
        },
        rules: noRules(),
        service: {
          name: `shop-${index}`,
          cookieSecurity: { ...signing, does },
          inspection: { mode: 'active' },
          ...service,
        },
      }),
    ),
  )
  assert.ok(one && other)
  const send = async (to: 'one' | 'other', host: string, headers: readonly string[] = []) => {
    const lines = ['GET / HTTP/1.1', `Host: ${host}`, 'Connection: close', ...headers].join('\r\n')
    const answer = await exchangeBytes((to === 'one' ? one : other).port, `${lines}\r\n\r\n`)
    const pairs = [...answer.matchAll(/^Set-Cookie: ([^;\r]*)/gim)].map(([, pair = '']) => pair)
    return { cookie: `Cookie: ${pairs.join('; ')}`, got: /got (.*)\./.exec(answer)?.[1] }
  }
  return send
}

test('a cookie is good for the application and the host alone for which it was sealed', async (t) => {
  for (const does of ['sign', 'encrypt'] as const) {
    const send = await twoServices(t, does, [{}, {}])
    const { cookie } = await send('one', 'a.example')
    assert.equal((await send('one', 'A.example:8080', [cookie])).got, 'sid=of-0', does)
    assert.equal((await send('one', 'b.example', [cookie])).got, 'nothing', does)
    assert.equal((await send('one', 'sub.a.example', [cookie])).got, 'nothing', does)
    assert.equal((await send('other', 'a.example', [cookie])).got, 'nothing', does)
  }
})

test('a cookie with a domain is good for all its hosts, and one of another service of the application is taken', async (t) => {
  for (const does of ['sign', 'encrypt'] as const) {
    const application = { application: 'shop' }
    const send = await twoServices(t, does, [application, application])
    const { cookie } = await send('one', 'a.example', ['X-Domain: .Example'])
    assert.equal((await send('other', 'sub.b.example', [cookie])).got, 'sid=of-0', does)
    assert.equal((await send('one', 'example', [cookie])).got, 'sid=of-0', does)
    assert.equal((await send('one', 'notexample', [cookie])).got, 'nothing', does)
  }
})
