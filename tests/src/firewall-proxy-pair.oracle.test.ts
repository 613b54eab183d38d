import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solvedChallenge } from '@palisade/firewall-proxy/testing'
import { SignJWT } from 'jose'
import { connectionTo } from './support/firewall/connection-to-proxy.ts'
import { logIn, password, protectByLogin } from './support/firewall/protected-by-login.ts'
import {
  application,
  cleanUpApplications,
  Management,
  oneWorker,
  ProxyProcess,
} from './support/firewall/proxy.ts'
import { type Visited, Visitor } from './support/firewall/visitor.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

/* What holds at one of two proxies holds at the other one: both listen at the same addresses, and each request names its proxy. */

let management: Management
let one: ProxyProcess
let other: ProxyProcess
before(async () => {
  const server = await Server.start()
  ;[one, other] = await Promise.all([
    ProxyProcess.start(server, newFolder(), oneWorker),
    ProxyProcess.start(server, newFolder(), oneWorker),
  ])
  management = await Management.connect(server)
  await management.call('POST', 'local-groups', { name: 'staff' })
  await management.call('POST', 'local-users', { name: 'ada', password, 'user-groups': ['staff'] })
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

/** Somebody whose requests go to one of the proxies. */
class DirectedVisitor extends Visitor {
  proxy: ProxyProcess = one

  override async open(address: string, options: Parameters<Visitor['open']>[1] = {}): Promise<Visited> {
    const connection = await connectionTo(this.proxy, Number(new URL(address).port))
    const headers = { ...options.headers, connection: 'close' }
    return super.open(address, { ...options, headers, connection })
  }

  at(proxy: ProxyProcess): this {
    this.proxy = proxy
    return this
  }
}

/** A service of an application that answers each request with a page. @returns its origin */
async function protect(name: string, page: string): Promise<string> {
  const behind = await application((incoming, response) => {
    response.setHeader('content-type', 'text/html')
    incoming.resume().on('end', () => response.end(page))
  })
  return `http://127.0.0.1:${await management.protect(name, behind)}`
}

test('a login, its form and its logout hold at both', async () => {
  const { origin } = await protectByLogin(management, 'login')
  const ada = new DirectedVisitor()
  const sent = await ada.at(one).open(`${origin}/inside/`)
  const form = await ada.at(other).open(sent.location)
  const [, action = ''] = /action="([^"]+)"/.exec(form.body) ?? []
  const fields = { f_username: 'ada', f_passwd: password }
  const done = await ada.at(one).open(new URL(action, origin).href, { form: fields })
  assert.equal(done.status, 302)
  const stolen = new DirectedVisitor()
  for (const [name, value] of ada.cookiesOf(origin)) stolen.cookiesOf(origin).set(name, value)
  for (const proxy of [one, other])
    assert.equal((await stolen.at(proxy).open(`${origin}/inside/`)).status, 200)
  await ada.at(one).open(`${origin}/nclogin.submit?f_method=LOGOUT`)
  assert.equal((await stolen.at(one).open(`${origin}/inside/`)).status, 302)
  await eventually('the logout at the other one', async () =>
    (await stolen.at(other).open(`${origin}/inside/`)).status === 302 ? true : undefined,
  )
})

test('failed logins are counted over both', async () => {
  const { origin } = await protectByLogin(management, 'guessed', {
    authentication: {
      'enable-bruteforce-prevention': 'Yes',
      'max-failed-attempts': 4,
      'count-window': 600,
    },
  })
  const guess = async (proxy: ProxyProcess) => {
    const answer = await logIn(new DirectedVisitor().at(proxy), origin, { secret: 'wrong' })
    return answer.status
  }
  for (const proxy of [one, other, one, other]) assert.equal(await guess(proxy), 403)
  // Neither has seen as many as are allowed.
  for (const proxy of [one, other]) {
    await eventually('the right password being refused', async () => {
      const answer = await logIn(new DirectedVisitor().at(proxy), origin)
      return answer.status === 302 ? undefined : true
    })
  }
})

test('a password that is tried at both for many users is refused at both', async () => {
  const origin = await protect('sprayed', 'reached')
  await management.call('PUT', 'services/sprayed/basic-security', { mode: 'Active' })
  await management.call('POST', 'services/sprayed/url-policies', {
    name: 'login',
    url: '/login',
    mode: 'Active',
    'credential-protection-type': 'Credential Spraying Protection',
    'credential-spraying-blocking-threshold': 6,
    'credential-stuffing-username-field': 'user',
    'credential-stuffing-password-field': 'word',
    'count-window': 600,
  })
  await management.untilHealth('services/sprayed', 'Up')
  const attempt = async (proxy: ProxyProcess, user: string) => {
    const form = { user, word: 'Summer2026!' }
    return (await new DirectedVisitor().at(proxy).open(`${origin}/login`, { form })).status
  }
  for (const user of ['a', 'b', 'c']) {
    assert.equal(await attempt(one, user), 200)
    assert.equal(await attempt(other, `${user}${user}`), 200)
  }
  // The seventh user name, which neither would refuse by its own count of three.
  for (const proxy of [one, other]) {
    await eventually('the spraying being refused', async () =>
      (await attempt(proxy, 'victim')) === 403 ? true : undefined,
    )
  }
})

test('a client that one refuses for a while is refused by the other', async () => {
  const origin = await protect('trapped', 'reached')
  await management.call('PUT', 'services/trapped/basic-security', { mode: 'Active' })
  await management.call('POST', 'services/trapped/url-acls', {
    name: 'trap',
    url: '/trap',
    host: '*',
    action: 'Deny and Log',
    'follow-up-action': 'Block Client-IP',
    'follow-up-action-time': 600,
  })
  await management.untilHealth('services/trapped', 'Up')
  const visitor = new DirectedVisitor()
  for (const proxy of [one, other]) assert.equal((await visitor.at(proxy).open(`${origin}/`)).status, 200)
  assert.equal((await visitor.at(one).open(`${origin}/trap`)).status, 403)
  await eventually('the client being refused', () =>
    visitor
      .at(other)
      .open(`${origin}/`)
      .then(
        ({ status }) => (status === 200 ? undefined : true),
        () => true,
      ),
  )
})

test('a challenge of one is answered at the other, and once', async () => {
  const origin = await protect('challenged', 'reached')
  await management.call('POST', 'services/challenged/ddos-policies', {
    name: 'all',
    url: '/*',
    'enforce-captcha': 'All clients',
  })
  await management.untilHealth('services/challenged', 'Up')
  const visitor = new DirectedVisitor()
  const [name, answer] = solvedChallenge((await visitor.at(one).open(`${origin}/`)).body)
  visitor.cookiesOf(origin).set(name, answer)
  assert.equal((await visitor.at(other).open(`${origin}/`)).status, 303)
  for (const proxy of [one, other]) assert.equal((await visitor.at(proxy).open(`${origin}/`)).status, 200)
  await eventually('the answer being used up', async () => {
    const second = new DirectedVisitor().at(one)
    second.cookiesOf(origin).set(name, answer)
    return (await second.open(`${origin}/`)).status === 303 ? undefined : true
  })
})

test('a form that one gives out is taken by the other, and no forged one', async () => {
  const origin = await protect(
    'forms',
    '<html><body><form action="/order" method="post"><input type="hidden" name="price" value="5"></form></body></html>',
  )
  await management.call('PUT', 'services/forms/basic-security', { mode: 'Active' })
  await management.call('POST', 'services/forms/url-profiles', {
    name: 'order',
    url: '/order',
    mode: 'Active',
    'csrf-prevention': 'Forms',
    'hidden-parameter-protection': 'Forms',
  })
  await management.untilHealth('services/forms', 'Up')
  const visitor = new DirectedVisitor()
  const { body } = await visitor.at(one).open(`${origin}/`)
  const fields = [...body.matchAll(/<input[^>]*>/g)].map(([input]) => {
    const of = (name: string) => new RegExp(`${name}="?([^">]*)`).exec(input)?.[1] ?? ''
    return [of('name'), of('value')] as const
  })
  const form = Object.fromEntries(fields)
  assert.ok(fields.length > 1, body)
  for (const proxy of [other, one]) {
    assert.equal((await visitor.at(proxy).open(`${origin}/order`, { form })).status, 200)
    const forged = { ...form, price: '1' }
    assert.equal((await visitor.at(proxy).open(`${origin}/order`, { form: forged })).status, 403)
  }
})

test('a token is taken at both until its key is withdrawn, and then at neither', async () => {
  const origin = await protect('tokens', 'reached')
  await management.call('PUT', 'services/tokens/basic-security', { mode: 'Active' })
  await management.call('POST', 'jwt-validator-endpoints', {
    name: 'issuer',
    'verify-shared-keys': 'a secret that the issuer of tokens shares with the firewall',
    'shared-keys-kid': 'first',
  })
  await management.call('POST', 'services/tokens/jwt-url-profiles', {
    name: 'api',
    'host-match': '*',
    url: '/api/*',
    'extended-match': '*',
    'validator-policy': 'issuer',
  })
  await management.untilHealth('services/tokens', 'Up')
  const token = await new SignJWT({ scope: 'orders' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: 'first' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode('a secret that the issuer of tokens shares with the firewall'))
  const statuses = async () => {
    const visitor = new DirectedVisitor({ authorization: `Bearer ${token}` })
    const ofOne = await visitor.at(one).open(`${origin}/api/orders`)
    const ofOther = await visitor.at(other).open(`${origin}/api/orders`)
    return [ofOne.status, ofOther.status]
  }
  assert.deepEqual(await statuses(), [200, 200])
  await management.call('PUT', 'jwt-validator-endpoints/issuer', {
    'verify-shared-keys': 'another secret, after the first one has become known to others',
  })
  await management.untilHealth('services/tokens', 'Up')
  assert.deepEqual(await statuses(), [403, 403])
})

test('what both store is in one list, and a trial is made once', async () => {
  const origin = await protect('stored', 'reached')
  await management.call('PUT', 'services/stored/basic-security', { mode: 'Active' })
  await management.call('PUT', 'services/stored/stored-traffic', { status: 'On', 'ordinary-requests': 1 })
  await management.untilHealth('services/stored', 'Up')
  const visitor = new DirectedVisitor()
  await visitor.at(one).open(`${origin}/of-one`)
  await visitor.at(other).open(`${origin}/of-other`)
  const newest = await eventually('both requests', async () => {
    const { data } = await management.call('GET', 'services/stored/stored-requests')
    const { newest } = data as { newest: { url: string }[] }
    return newest.length < 2 ? undefined : newest
  })
  assert.deepEqual(newest.map(({ url }) => url).toSorted(), ['/of-one', '/of-other'])
  const { data } = await management.call('POST', 'services/stored/stored-request-trials', {
    'second-stage': 'Off',
  })
  assert.equal((data as Record<string, string>)['requests-tried'], '2')
})
