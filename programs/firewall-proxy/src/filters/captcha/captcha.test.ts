import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SnapshotCaptcha, SnapshotDdosPolicy } from '@palisade/proxy-protocol'
import { carried, exchangeBytes } from '../../testing/carried.ts'
import { testChecks, testPolicy } from '../../testing/policies.ts'
import { emptyRuleSets } from '../../testing/rules.ts'
import { solvedChallenge } from '../../testing/solved-challenge.ts'

const page = (body: string) => ({ status: 429, headers: { 'Content-Type': 'text/html' }, body })

function captcha(policies: readonly Partial<SnapshotDdosPolicy>[] = [], more: Partial<SnapshotCaptcha> = {}) {
  const place = { host: '*', url: '/*', extendedMatch: '*', sequence: 1 }
  return {
    keys: [{ id: 0, secret: Buffer.alloc(32, 7).toString('base64url') }],
    expirySeconds: 300,
    showsSuccess: false,
    suspicionSeconds: 900,
    exceptions: [],
    policies: policies.map((policy) => ({
      name: 'flood',
      ...place,
      asks: 'all' as const,
      triesMax: 3,
      unansweredMax: 10,
      idleSeconds: 900,
      ...policy,
    })),
    pages: { challenge: page('no room'), tooManyTries: page('tries'), tooManyUnanswered: page('unanswered') },
    ...more,
  } satisfies SnapshotCaptcha
}

/** A service whose application says which method, body and cookies reached it. */
async function asked(
  t: TestContext,
  told: SnapshotCaptcha,
  more: Partial<Parameters<typeof carried>[1]> & { readonly mode?: 'active' | 'passive' } = {},
) {
  const { mode = 'active', ...options } = more
  const { port, exchanges } = await carried(t, {
    application: (request, response) => {
      let body = ''
      request.setEncoding('latin1').on('data', (text) => {
        body += text
      })
      request.on('end', () =>
        response.end(`arrived ${request.method} [${request.headers.cookie ?? ''}] ${body}`),
      )
    },
    rules: emptyRuleSets,
    policy: testPolicy(),
    ...options,
    service: {
      inspection: { mode },
      trustedProxies: ['127.0.0.1'],
      checks: testChecks({ captcha: told, clientAddressHeader: 'x-client', ...options.service?.checks }),
    },
  })
  const ask = (target: string, headers: readonly string[] = [], request = 'GET', body = '') =>
    exchangeBytes(
      port,
      [
        `${request} ${target} HTTP/1.1`,
        'Host: shop.example',
        ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
        ...headers,
        '',
        body,
      ].join('\r\n'),
    )
  return { ask, exchanges }
}

const solved = (challenge: string) => solvedChallenge(challenge).join('=')

const passOf = (answer: string) => /^set-cookie: (palisade_pass_\w+=[\w-]+)/im.exec(answer)?.[1] ?? ''

test('nothing of a challenged place is reached without a solution, however its address is spelt', async (t) => {
  const { ask, exchanges } = await asked(t, captcha([{ url: '/shop*' }]), { mode: 'passive' })
  for (const target of ['/shop', '/SHOP/1', '/%73hop', '//shop', '/x/../shop', '/x/..;/shop', '/.//shop']) {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE'])
      assert.match(await ask(target, ['Content-Length: 0'], method), /^HTTP\/1\.1 (403|429) /, target)
  }
  for (const cookie of ['palisade_pass_x=1', 'palisade_pass_x=; palisade_pass_x=', 'a=palisade_pass'])
    assert.doesNotMatch(await ask('/shop', [`Cookie: ${cookie}`]), /arrived/)
  assert.match(await ask('/other'), /arrived/)
  const [first] = exchanges[0]?.violations ?? []
  assert.deepEqual(
    [first?.attack, first?.action, first?.rule, first?.severity],
    ['captcha-challenge', 'DENY', 'flood', 5],
  )
})

test('a solution leads to the page, for this client alone, and no server sees it', async (t) => {
  const { ask } = await asked(t, captcha([{}]))
  const challenge = await ask('//elsewhere.example/a?b=1')
  assert.match(challenge, /^HTTP\/1\.1 403 [\s\S]*content-security-policy: default-src 'none'/i)
  assert.match(challenge, /cache-control: no-store/i)
  const answer = solved(challenge)
  for (const other of ['X-Client: 192.0.2.9', 'User-Agent: other'])
    assert.doesNotMatch(await ask('/', [`Cookie: ${answer}`, other]), /^HTTP\/1\.1 303|arrived/, other)
  const led = await ask('//elsewhere.example/a?b=1', [`Cookie: ${answer}`])
  assert.match(led, /^HTTP\/1\.1 303 /)
  assert.match(led, /^location: \/\.\/\/elsewhere\.example\/a\?b=1\r$/im)
  assert.match(led, /HttpOnly; SameSite=Lax/)
  const pass = passOf(led)
  assert.match(await ask('/', [`Cookie: a=1; ${pass}`, 'Cookie: b=2']), /arrived GET \[a=1; b=2\]/)
  assert.match(await ask('/', [`Cookie: ${pass.replace(/=.*/, '=tossed')}; ${pass}`]), /arrived GET \[\]/)
  assert.doesNotMatch(await ask('/', [`Cookie: ${answer}`]), /^HTTP\/1\.1 303|arrived/, 'twice')
  for (const other of ['X-Client: 192.0.2.9', 'User-Agent: other'])
    assert.doesNotMatch(await ask('/', [`Cookie: ${pass}`, other]), /arrived/, other)
  assert.doesNotMatch(await ask('/', [`Cookie: ${pass.slice(0, -1)}`]), /arrived/)
})

test('what a client has sent goes on when it sends it again with its solution', async (t) => {
  const { ask } = await asked(t, captcha([{}]))
  const challenge = await ask('/form', [], 'POST', 'q=1')
  assert.match(challenge, /What you sent has not reached the site/)
  const answer = await ask('/form', [`Cookie: ${solved(challenge)}`], 'POST', 'q=1')
  assert.match(answer, /arrived POST \[\] q=1/)
  assert.match(await ask('/', [`Cookie: ${passOf(answer)}`]), /arrived/)
})

test('a pass counts as long as its client is not idle, a day at most', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const hour = 3_600_000
  const { ask } = await asked(t, captcha([{ idleSeconds: 7 * 3600 }]))
  const challenge = await ask('/')
  const first = passOf(await ask('/', [`Cookie: ${solved(challenge)}`]))
  let pass = first
  for (const renews of [false, true, true, true]) {
    const answer = await ask('/', [`Cookie: ${pass}`])
    assert.match(answer, /arrived/)
    const renewed = passOf(answer)
    assert.equal(renewed !== '', renews)
    pass = renewed || pass
    t.mock.timers.tick(6 * hour)
    if (renews) assert.match(await ask('/', [`Cookie: ${first}`]), /data-riddle/, 'idle')
  }
  assert.match(await ask('/', [`Cookie: ${pass}`]), /data-riddle/, 'after a day')
})

test('wrong answers and unanswered riddles are counted for each client, and make riddles harder', async (t) => {
  const { ask } = await asked(t, captcha([{ triesMax: 2, unansweredMax: 6 }]))
  const wrong = solved(await ask('/')).replace(/\.\d+$/, '.0')
  assert.match(await ask('/', [`Cookie: ${wrong}`]), /data-bits="1[89]"/)
  assert.match(await ask('/', [`Cookie: ${wrong}`]), /\r\n\r\ntries/)
  assert.match(await ask('/'), /\r\n\r\ntries/)
  const other = 'X-Client: 192.0.2.9'
  const first = await ask('/', [other])
  for (let asked = 1; asked < 6; asked++) {
    assert.match(await ask('/', [other]), /data-riddle/)
    assert.match(await ask('/picture', [other, 'Sec-Fetch-Dest: image']), /^HTTP\/1\.1 403 /)
  }
  assert.match(await ask('/', [other]), /\r\n\r\nunanswered/)
  assert.match(await ask('/', [other, `Cookie: ${solved(first)}`]), /^HTTP\/1\.1 303/)
  assert.match(await ask('/', [other]), /data-riddle/)
})

test('a client that an attack has sent there solves a riddle after each attack', async (t) => {
  const action = { category: 'SQL Attacks', denies: true, logs: true, denial: 0, captchaSeconds: 600 }
  const rules = [
    {
      name: 'trap',
      host: '*',
      url: '/trap',
      extendedMatch: '*',
      sequence: 1,
      does: 'deny' as const,
      logs: true,
      denial: { kind: 'close' as const },
      captchaSeconds: 600,
    },
  ]
  const { ask, exchanges } = await asked(t, captcha([], { exceptions: ['127.0.0.1'] }), {
    policy: testPolicy({ actions: { 'sql-injection-in-parameter': action } }),
    service: { checks: testChecks({ urlAcls: rules }) },
  })
  assert.match(await ask('/'), /arrived/)
  await ask('/trap')
  assert.equal(exchanges.at(-1)?.violations[0]?.followUp, 'Challenge with CAPTCHA')
  const pass = passOf(await ask('/', [`Cookie: ${solved(await ask('/'))}`]))
  assert.match(await ask('/', [`Cookie: ${pass}`]), /arrived/)
  assert.match(await ask('/', ['X-Client: 192.0.2.9']), /arrived/)
  await ask('/trap', [`Cookie: ${pass}`])
  assert.match(await ask('/', [`Cookie: ${pass}`]), /data-riddle/)
})

test('suspicious are clients whose request was refused, and no client that is trusted or exempt is asked', async (t) => {
  const told = captcha([{ url: '/a/*', asks: 'suspicious' }, { url: '/b/*' }], { exceptions: ['192.0.2.7'] })
  const rule = { name: 'trap', host: '*', url: '/trap', extendedMatch: '*', sequence: 1 }
  const { ask } = await asked(t, told, {
    service: {
      checks: testChecks({
        urlAcls: [{ ...rule, does: 'deny', logs: true, denial: { kind: 'close' } }],
        trusted: { does: 'passive', clients: ['192.0.2.8'] },
      }),
    },
  })
  assert.match(await ask('/a/'), /arrived/)
  await ask('/trap')
  assert.match(await ask('/a/'), /data-riddle/)
  assert.match(await ask('/a/', ['X-Client: 192.0.2.9']), /arrived/)
  assert.match(await ask('/b/', ['X-Client: 192.0.2.7']), /arrived/)
  assert.match(await ask('/b/', ['X-Client: 192.0.2.8']), /arrived/)
  assert.match(await ask('/b/', ['X-Client: 192.0.2.9']), /data-riddle/)
})

test('a page of the administrators is shown where it has room for the challenge', async (t) => {
  const own = { status: 401, headers: { 'Content-Type': 'text/html' }, body: '<h1>Ours</h1>%challenge' }
  const told = captcha([{}], { showsSuccess: true })
  const { ask } = await asked(t, { ...told, pages: { ...told.pages, challenge: own } })
  const challenge = await ask('/?<b>')
  assert.match(challenge, /^HTTP\/1\.1 401 [\s\S]*<h1>Ours<\/h1><div id="palisade-challenge"/)
  const done = await ask('/?<b>', [`Cookie: ${solved(challenge)}`])
  assert.match(done, /^HTTP\/1\.1 200 [\s\S]*href="\/\?&#60;b&#62;"/)
  assert.notEqual(passOf(done), '')
})
