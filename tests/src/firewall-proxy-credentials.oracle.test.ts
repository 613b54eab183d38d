import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

const stolen = join(newFolder(), 'stolen.txt')
let management: Management
let shopPort: number
before(async () => {
  const server = await Server.start()
  // Two workers, since each reads the list for itself, and both count together.
  await ProxyProcess.start(server, newFolder(), { workers: 2, stolenPasswordsFile: stolen })
  management = await Management.connect(server)
  shopPort = await application((incoming, response) =>
    incoming.resume().on('end', () => response.end('reached')),
  )
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

/** A service with a policy for its log-in. @returns posts to it: gives the status */
async function login(name: string, policy: object, mode = 'Active') {
  const port = await management.protect(name, shopPort, { status: 'Off' })
  await management.call('PUT', `services/${name}/basic-security`, { mode })
  await management.call('POST', `services/${name}/url-policies`, {
    name: 'login',
    url: '/login',
    mode: 'Active',
    'credential-stuffing-username-field': 'user',
    'credential-stuffing-password-field': 'secret-word',
    ...policy,
  })
  await management.call('PUT', `services/${name}`, { status: 'On' })
  await management.untilHealth(`services/${name}`, 'Up')
  return async (body: string | undefined, type: string, { path = '/login', headers = {} } = {}) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
    })
    await reply.arrayBuffer()
    return reply.status
  }
}

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
const closed = { headers: { connection: 'close' } }
const basic = (text: string) => ({
  headers: { authorization: `bAsIc ${Buffer.from(text).toString('base64')}` },
})

test('log-ins with stolen passwords are refused, however they are sent, and no log shows one', async () => {
  const post = await login('stuffed', { 'credential-protection-type': 'Credential Stuffing Protection' })
  assert.equal(await post('user=ann&secret-word=hunter2', form), 200)
  await management.untilHealth('services/stuffed', 'Up', /is not used/)
  const words = [
    'hunter2',
    'pässword',
    'bob@example.org:only his',
    ...Array.from({ length: 3_000 }, (_, n) => `w${n}`),
  ]
  const digests = words.map((word) => createHash('sha1').update(word).digest('hex').toUpperCase()).sort()
  writeFileSync(stolen, digests.map((digest, index) => `${digest}:${index}\r\n`).join(''))
  await eventually('both workers reading the list', async () => {
    for (let count = 0; count < 24; count++) {
      if ((await post('user=ann&secret-word=hunter2', form, closed)) !== 403) return undefined
    }
    return true
  })
  const boundary = 'multipart/form-data; boundary=x'
  const parts = '--x\r\nContent-Disposition: form-data; name="secret-word"\r\n\r\nhunter2\r\n--x--\r\n'
  for (const [body, type] of [
    ['secret%2Dword=%68unter2&user=ann', form],
    ['secret-word=fine&secret-word=hunter2', form],
    ['secret-word=hunter2&secret-word=fine', form],
    ['account%5BSecret-Word%5D=hunter2', form],
    ['secret-word=p%C3%A4ssword', form],
    ['user=Bob%40example.org&secret-word=only%20his', form],
    [`pad=${'a'.repeat(300_000)}&secret-word=hunter2`, form],
    [parts, boundary],
    ['{"user":"ann","secret-word":"hunter2"}', json],
    ['{"user":"ann","secret-word":"fine","secret-word":"hunter2"}', json],
    ['[{"account":{"secret-word":"\\u0068unter2"}}]', 'text/plain'],
  ] as const) {
    assert.equal(await post(body, type), 403, body.slice(0, 80))
  }
  assert.equal(await post(undefined, '', { path: '/login?user=ann&secret-word=hunter2' }), 403)
  assert.equal(await post('secret-word=hunter2', form, { path: '/%6Cogin' }), 403)
  assert.equal(await post('user=ann&secret-word=fine', form), 200)
  assert.equal(await post('user=ann&secret-word=only his', form), 200, 'it was stolen from somebody else')
  assert.equal(await post('secret-word=hunter2', form, { path: '/search' }), 200)
  const entries = await management.entries(
    'web-firewall-logs',
    (entry) => entry['service-name'] === 'stuffed' && entry.attack === 'credential-stuffing',
    13,
  )
  assert.ok(entries.every(({ action, rule }) => action === 'DENY' && rule === 'login'))
  const access = await management.entries('access-logs', (entry) => entry['service-name'] === 'stuffed', 16)
  assert.doesNotMatch(JSON.stringify([entries, access]), /hunter2|only his/)
  await management.untilHealth('services/stuffed', 'Up', /^(?!.*stolen)/s)
})

test('those of HTTP Basic authentication too; a policy or service that only logs lets them pass', async () => {
  const stuffing = { 'credential-protection-type': 'Credential Stuffing Protection' }
  const asBasic = { ...stuffing, 'credential-authentication-type': 'HTTP Basic Authentication' }
  const ask = await login('basic', asBasic)
  assert.equal(await ask(undefined, '', basic('ann:hunter2')), 403)
  assert.equal(await ask('a=1', form, basic('bob@example.org:only his')), 403)
  assert.equal(await ask(undefined, '', basic('ann:fine:er')), 200)
  assert.equal(await ask(undefined, ''), 200)
  await management.call('PUT', 'services/basic/url-policies/login', { mode: 'Passive' })
  await management.untilHealth('services/basic', 'Up')
  assert.equal(await ask(undefined, '', basic('ann:hunter2')), 200)
  const logged = (entry: Record<string, string>) =>
    entry['service-name'] === 'basic' && entry.attack === 'credential-stuffing' && entry.action === 'LOG'
  assert.equal((await management.entries('web-firewall-logs', logged)).length, 1)
  assert.doesNotMatch(JSON.stringify(await management.entries('access-logs', () => true)), /hunter2/)
})

test('one password that is tried for many user names is refused, over all workers, and the same person may come again', async () => {
  const post = await login('sprayed', {
    'credential-protection-type': 'Credential Spraying Protection',
    'credential-authentication-type': 'JSON/AJAX Request',
    'credential-spraying-blocking-threshold': 5,
    'count-window': 600,
  })
  const attempt = (user: string, word: string) =>
    post(JSON.stringify({ user, 'secret-word': word }), json, closed)
  for (let count = 0; count < 12; count++) assert.equal(await attempt('ann', 'her own'), 200)
  for (let count = 0; count < 12; count++) assert.equal(await attempt(`user${count}`, `word${count}`), 200)
  // What one worker has counted reaches the other a moment later.
  const statuses: number[] = []
  await eventually('the spraying being refused', async () => {
    statuses.push(await attempt(`victim${statuses.length}`, 'Summer2026!'))
    return statuses.slice(-8).filter((status) => status === 403).length === 8 ? true : undefined
  })
  assert.deepEqual(statuses.slice(0, 5), [200, 200, 200, 200, 200])
  assert.equal(await attempt('ann', 'her own'), 200)
  const [entry] = await management.entries(
    'web-firewall-logs',
    (one) => one.rule === 'login' && one['service-name'] === 'sprayed',
  )
  assert.equal(entry?.attack, 'credential-spraying')
  assert.doesNotMatch(JSON.stringify(entry), /Summer2026/)
})
