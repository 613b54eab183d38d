import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '@palisade/platform/testing'
import { basic } from '../testing/client.ts'
import { type Dialect, firewallForClients, type Speaker } from '../testing/client-dialect.ts'
import { administrator } from '../testing/firewall.ts'

const firewall = await firewallForClients()

const playbook: Dialect = { version: 'v3', credentials: (token) => `${token}:` }

test('the Ansible playbook sets a service up, and passes when it is played again', async () => {
  const login = await send(firewall.address('v3', 'login'), { method: 'POST', body: administrator })
  assert.equal(login.status, 200, 'the task names no status, and its module then accepts only 200')
  for (const status of [404, 200]) {
    const { get } = await firewall.logIn(playbook)
    const reply = await get('services/Service_09?groups=Service&category=operational&parameters=status')
    assert.equal(reply.status, status)
    await play(await firewall.logIn(playbook))
  }
})

/** Every task names the statuses that it accepts. */
async function play({ call }: Speaker): Promise<void> {
  const task = async (method: string, path: string, body: object, accepted: readonly number[]) => {
    const reply = await call(method, path, body)
    assert.ok(accepted.includes(reply.status), `${method} ${path}: ${reply.text}`)
    return reply.json
  }
  const creation = [201, 404, 406]
  const certificate = {
    allow_private_key_export: 'Yes',
    city: 'campbell',
    common_name: 'testcert.example.com',
    country_code: 'US',
    curve_type: 'secp256r1',
    key_size: '2048',
    key_type: 'rsa',
    name: 'testcert_selfsigned',
    organization_name: 'Example',
    organization_unit: 'PM Team',
    san_certificate: [
      'DNS: blog.example.com',
      'Email:admin@example.com',
      'URI:http://blog.example.com',
      'IP:8.8.8.8',
    ],
    state: 'string',
  }
  await task('POST', 'certificates', certificate, [...creation, 400])
  const service = {
    name: 'Service_09',
    certificate: certificate.name,
    'ip-address': '192.0.2.90',
    port: '443',
    type: 'HTTPS',
    'address-version': 'ipv4',
    vsite: 'default',
    group: 'default',
  }
  await task('POST', 'services', service, creation)
  await task('POST', 'security-policies', { 'based-on': 'oracle', name: 'Service_09' }, creation)
  const policy = { 'web-firewall-policy': 'Service_09' }
  const { id } = await task('PUT', 'services/Service_09/basic-security', policy, [200])
  const server = {
    name: 'Service_09-svr-01',
    'ip-address': '192.0.2.91',
    port: '80',
    identifier: 'IP Address',
    status: 'In Service',
  }
  await task('POST', 'services/Service_09/servers', server, creation)
  const scraping = {
    name: 'Service_09_web_scraping_policy',
    'insert-hidden-links': 'No',
    'insert-javascript-in-response': 'Yes',
    'detect-mouse-event': 'Yes',
    'insert-disallowed-urls': 'Yes',
    'insert-delay': 'No',
  }
  await task('POST', 'web-scraping-policies', scraping, creation)
  const urlPolicy = {
    'parse-urls-in-scripts': 'Yes',
    'enable-batd-scan': 'No',
    host: '*',
    mode: 'Active',
    'enable-data-theft-protection': 'No',
    'web-scraping-policy': scraping.name,
    'rate-control-pool': 'NONE',
    status: 'On',
    url: '/index.html',
    name: 'Service_09_anti_web_scraping',
    'enable-bruteforce-prevention': 'No',
    'enable-virus-scan': 'No',
  }
  // The address is made of the id in the reply to the change before.
  await task('POST', `services/${id}/url-policies`, urlPolicy, [201, 406])
}

/** The modules cut the token out of the text of the login reply, and send it as the password of no user. */
async function logInAsModule(): Promise<{ at: (version: string) => Speaker['call'] }> {
  const { text } = await send(firewall.address('v3', 'login'), { method: 'POST', body: administrator })
  const token = text.split(':')[1]?.replaceAll('"', '').replace(/\}+$/, '')
  const headers = { 'content-type': 'application/json', ...basic(`:${token}:`) }
  return {
    at: (version) => (method, path, body) =>
      send(firewall.address(version, path), {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}

test('the Ansible modules tell by 200 and 404 whether a service is there, and create or change it', async () => {
  const call = (await logInAsModule()).at('v3.1')
  assert.equal((await call('GET', 'services/testsvc')).status, 404)
  const service = {
    name: 'testsvc',
    'ip-address': '1.2.3.4',
    port: 80,
    comments: 'Created by Ansible Playbook',
    'address-version': 'IPv4',
    type: 'HTTP',
  }
  const created = await call('POST', 'services/', service)
  assert.deepEqual([created.status, typeof created.json.msg], [201, 'string'])
  const testService = (await call('GET', 'services/testsvc')).json.data.testsvc
  const compared = [
    'app-id',
    'comments',
    'enable-access-logs',
    'ip-address',
    'mask',
    'port',
    'session-timeout',
  ]
  for (const member of compared) assert.equal(typeof testService[member], 'string', member)
  assert.deepEqual(testService['Instant SSL']['secure-site-domain'], [])
  const change = { comments: 'changed', 'ip-address': '1.2.3.4', port: 81, status: 'On' }
  const changed = await call('PUT', 'services/testsvc', change)
  assert.deepEqual([changed.status, typeof changed.json.msg], [200, 'string'])
})

test('the Ansible modules make a checkpoint and export what has changed since, and read a message of each', async () => {
  const call = (await logInAsModule()).at('v3.1')
  assert.equal((await call('GET', 'configuration-checkpoints/before')).status, 404)
  const checkpoint = await call('POST', 'configuration-checkpoints', {
    name: 'before',
    comment: 'by Ansible',
  })
  assert.deepEqual([checkpoint.status, typeof checkpoint.json.msg], [201, 'string'], checkpoint.text)
  assert.equal((await call('GET', 'configuration-checkpoints/before')).status, 200)
  for (const body of [{ 'backup-type': 'partial', name: 'before' }, { 'backup-type': 'full' }]) {
    const { status, json } = await call('POST', 'ops/export-configuration', body)
    assert.deepEqual([status, typeof json.msg], [200, 'string'])
  }
})

test('the Ansible modules send null for what their user did not say', async () => {
  const call = (await logInAsModule()).at('v3')
  const server = { 'ip-address': '1.2.3.7', name: 'testsvr', status: 'In Service', port: 80 }
  const created = await call('POST', 'services/testsvc/servers', { ...server, identifier: 'IP Address' })
  assert.equal(created.status, 201, created.text)
  const { name, ...rest } = server
  const change = { hostname: null, ...rest, identifier: 'IP Address', comments: null }
  const changed = await call('PUT', 'services/testsvc/servers/testsvr', change)
  assert.equal(changed.status, 200, changed.text)

  const certificate = {
    'allow-private-key-export': 'Yes',
    city: 'san jose',
    'common-name': 'testapp.example',
    'country-code': 'US',
    'elliptic-curve-name': 'secp256r1',
    'key-size': 1024,
    'key-type': 'RSA',
    name: 'testsvc_cert',
    'organization-name': 'Example',
    'organizational-unit': 'PM',
    'san-certificate': null,
    state: 'CA',
  }
  const certificateReply = await call('POST', 'certificates/self-signed-certificate', certificate)
  assert.equal(certificateReply.status, 201, certificateReply.text)
})

test('the Ansible modules send lists where one value is meant', async () => {
  const call = (await logInAsModule()).at('v3.1')
  const settings = {
    ciphers: ['Default'],
    status: 'on',
    'enable-tls-1-1': 'yes',
    'hsts-max-age': 30,
    'include-hsts-sub-domains': ['No'],
  }
  const { status, text } = await call('PUT', 'services/testsvc/ssl-security', settings)
  assert.equal(status, 200, text)
})

test("the Ansible modules look for a rule's log setting under its own title", async () => {
  const call = (await logInAsModule()).at('v3.1')
  const rule = {
    'url-match': '/index.html',
    name: 'rule_grp',
    'extended-match-sequence': 1000,
    'extended-match': '*',
    'web-firewall-policy': 'default',
    'host-match': '*',
    status: 'On',
    'access-log': 'Enable',
    mode: 'Passive',
  }
  assert.equal((await call('POST', 'services/testsvc/content-rules', rule)).status, 201)
  const ruleGroup = (await call('GET', 'services/testsvc/content-rules/rule_grp')).json.data.rule_grp
  assert.equal(ruleGroup.Logging['access-log'], 'Enable')
  assert.equal((await call('PUT', 'services/testsvc/content-rules/rule_grp', rule)).status, 200)
  const deleted = await call('DELETE', 'services/testsvc')
  assert.deepEqual([deleted.status, typeof deleted.json.msg], [200, 'string'])
})
