import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dialect, firewallForClients } from '../testing/client-dialect.ts'

const firewall = await firewallForClients()

/** One module's library adds a colon to a user name that already ends in one. */
const ofInsurer: Dialect = { version: 'v3', credentials: (token) => `${token}::` }
const ofVendor: Dialect = {
  version: 'v3',
  credentials: (token) => `${token}:`,
  headers: { accept: 'application/json' },
}

/** One module logs in before each call and logs out after it. */
async function once(method: string, path: string, body?: object) {
  const { call } = await firewall.logIn(ofInsurer)
  const reply = await call(method, path, body)
  const logout = await call('DELETE', 'logout')
  assert.equal(logout.status, 202)
  assert.ok(logout.json.msg)
  assert.ok(reply.status < 300, reply.text)
  return reply.json
}

test("the insurer's Puppet module finds nothing, creates, and finds everything as it wants it", async () => {
  assert.equal((await once('GET', 'services')).data, undefined)
  const service = {
    status: 'On',
    comments: 'made by puppet',
    'ip-address': '192.0.2.40',
    port: '80',
    type: 'HTTP',
    'address-version': 'IPv4',
    vsite: 'default',
    group: 'default',
    name: 'puppet',
  }
  const basicSecurity = { mode: 'Active', 'web-firewall-policy': 'default' }
  await once('POST', '/services', service)
  await once('PUT', '/services/puppet/basic-security', basicSecurity)
  const rule = { 'url-match': '/*', status: 'On', mode: 'Passive', 'host-match': 'a.example', name: 'rule1' }
  await once('POST', '/services/puppet/content-rules', rule)
  await once('PUT', '/services/puppet/content-rules/rule1/load-balancing', { 'persistence-method': 'None' })
  const server = {
    'address-version': 'IPv4',
    status: 'In Service',
    port: '80',
    identifier: 'IP Address',
    'ip-address': '192.0.2.41',
    'backup-server': 'No',
    weight: '2',
    name: 'server1',
  }
  const servers = '/services/puppet/content-rules/rule1/content-rule-servers'
  await once('POST', servers, server)
  const check = { method: 'GET', 'status-code': '200', url: '/health' }
  await once('PUT', `${servers}/server1/application-layer-health-checks`, check)

  // The second run compares texts with what is shown, and does nothing where all is as it should be.
  const [shownService] = Object.values<Shown>((await once('GET', 'services')).data)
  includes(shownService, service)
  includes(shownService?.['Basic Security'], basicSecurity)
  const [shownServer] = Object.values<Shown>((await once('GET', servers)).data)
  includes(shownServer, server)
  includes(shownServer?.['Application Layer Health Checks'], check)
  includes(shownServer?.['Load Balancing'], { weight: '2' })
})

test("the insurer's Puppet module sees the system as an object without a name", async () => {
  await once('PUT', '/system', { 'device-name': 'Palisade' })
  const { System } = (await once('GET', 'system')).data
  assert.equal(System.name, undefined)
  includes(System, { 'device-name': 'Palisade' })
  assert.equal(typeof System['Password Policy'].policy, 'string')
})

test("the insurer's Puppet module gives a response page its headers as a list, and finds them so", async () => {
  const headers = ['Content-Type: text/html; charset=utf-8', 'Connection: close']
  const page = { body: '<h1>Not here</h1>', headers, type: 'Error Pages', 'status-code': '404 Not Found' }
  await once('POST', '/response-pages', { ...page, name: 'not-here' })
  const pages = async () => (await once('GET', '/response-pages')).data['not-here']
  includes(await pages(), page)
  const one = ['Content-Type: text/plain']
  await once('PUT', '/response-pages/not-here', { headers: one })
  includes(await pages(), { headers: one })
})

test("the insurer's Puppet module finds roles and rewrite rules inside a title, and on its newer branch without it", async () => {
  const role = { name: 'auditors', 'api-privilege': 'Yes', objects: ['services:read'] }
  await once('POST', '/administrator-roles', role)
  const { auditors } = (await once('GET', '/administrator-roles')).data
  includes(auditors['Admin Role'], role)
  includes(auditors, role)

  await once('POST', '/services', { name: 'rewritten', 'ip-address': '192.0.2.48', port: '8080' })
  const rule = { name: 'host', action: 'Insert Header', header: 'X-From', 'sequence-number': '1' }
  const rules = '/services/rewritten/http-request-rewrite-rules'
  await once('POST', rules, rule)
  const { host } = (await once('GET', rules)).data
  includes(host['HTTP Request Rewrite'], rule)
  includes(host, rule)
})

test("the insurer's Puppet module sets the language of the system by its code, and finds the code", async () => {
  for (const locale of ['de_DE', 'en_US']) {
    await once('PUT', '/system', { locale })
    includes((await once('GET', 'system')).data.System, { locale })
  }
})

test("the insurer's Puppet module finds the lists of the system as columns", async () => {
  const columns = async () => {
    const { System } = (await once('GET', 'system')).data
    return [System['Local Hosts'], System['Trap Receivers'], System['Admin IP Range']]
  }
  assert.deepEqual(await columns(), [
    { hostname: [], 'ip-address': [] },
    { 'ip-address': [], port: [] },
    { 'ip-address': [], netmask: [] },
  ])
  await once('POST', '/system/local-hosts', { hostname: 'db.example', 'ip-address': ['192.0.2.5'] })
  await once('POST', '/system/trap-receivers', {
    'ip-address': '192.0.2.6',
    port: 162,
    'community-string': 'a secret',
  })
  await once('POST', '/admin-ip-range', { 'ip-address': '127.0.0.0', netmask: '255.0.0.0' })
  assert.deepEqual(await columns(), [
    { hostname: ['db.example'], 'ip-address': [['192.0.2.5']] },
    { 'ip-address': ['192.0.2.6'], port: ['162'] },
    { 'ip-address': ['127.0.0.0'], netmask: ['255.0.0.0'] },
  ])
})

test("the vendor's Puppet module creates a service and its server, and finds the server by its service", async () => {
  const { call, get } = await firewall.logIn(ofVendor)
  const service = {
    name: 'httpsApp1',
    'address-version': 'IPv4',
    status: 'On',
    comments: 'Creating the service',
    port: 8443,
    'enable-access-logs': 'Yes',
    'session-timeout': 60,
    group: 'default',
    type: 'https',
    'ip-address': '192.0.2.45',
    vsite: 'default',
  }
  assert.equal((await call('POST', 'services', service)).status, 201)
  const server = {
    name: 'server2',
    'address-version': 'IPv4',
    status: 'In Service',
    hostname: '',
    comments: 'Creating the server',
    port: 80,
    identifier: 'IP Address',
    'ip-address': '192.0.2.46',
  }
  const servers = 'services/httpsApp1/servers'
  assert.equal((await call('POST', servers, server)).status, 201)
  const { json } = await get(servers)
  assert.equal(json.Service, 'httpsApp1', 'the module compares it with the service of the manifest')
  assert.equal(json.data.server2.name, 'server2')

  const { name, 'address-version': version, ...changeable } = server
  assert.equal((await call('PUT', `${servers}/server2`, changeable)).status, 200)
  assert.equal((await call('PUT', 'services/httpsApp1', { ...service, type: 'https' })).status, 200)
  assert.equal((await get('services/httpsApp1/content-rules')).json.data, undefined)
  assert.equal((await call('DELETE', 'services/httpsApp1')).status, 200)
})

test("the vendor's Puppet module takes a type of services under its older name", async () => {
  const { call, get } = await firewall.logIn(ofVendor)
  const service = { name: 'moved', 'ip-address': '192.0.2.47', type: 'redirect' }
  assert.equal((await call('POST', 'services', service)).status, 201)
  assert.equal((await get('services/moved')).json.data.moved.type, 'Redirect Service')
})

test("the vendor's Puppet module reads error.status to know that a certificate is not there, and makes it", async () => {
  const { call, get } = await firewall.logIn(ofVendor)
  assert.equal((await get('certificates/createdcert1')).json.error.status, '404')
  const certificate = {
    allow_private_key_export: 'Yes',
    city: 'Bangalore',
    common_name: 'waf.test.local',
    country_code: 'IN',
    curve_type: null,
    key_size: 1024,
    key_type: 'rsa',
    name: 'createdcert1',
    organization_name: 'Example',
    organization_unit: 'Engineering',
    state: 'Karnataka',
  }
  const { status, text } = await call('POST', 'certificates', certificate)
  assert.equal(status, 201, text)
  const { data } = (await get('certificates')).json
  assert.ok(Array.isArray(data))
  assert.deepEqual(
    data.map(({ name }) => name),
    ['createdcert1'],
  )
  assert.equal((await call('DELETE', 'certificates/createdcert1')).status, 200)
})

test("the vendor's Puppet module reads the state of the cloud control right in data", async () => {
  const { call, get } = await firewall.logIn(ofVendor)
  const state = { connect_mode: 'cloud', state: 'not_connected' }
  assert.equal((await call('PUT', 'control-center', { ...state, username: 'someone' })).status, 200)
  includes((await get('control-center')).json.data, { ...state, username: 'someone' })
})

test("the vendor's Puppet module finds the facts of the device", async () => {
  const { get } = await firewall.logIn(ofVendor)
  const { System } = (await get('system')).json.data
  for (const fact of ['device-name', 'hostname', 'model', 'serial', 'domain', 'time-zone']) {
    assert.equal(typeof System[fact], 'string', fact)
  }
})

type Shown = Readonly<Record<string, unknown>>

function includes(reply: unknown, expected: object): void {
  assert.ok(typeof reply === 'object' && reply !== null)
  assert.deepEqual({ ...reply, ...expected }, { ...reply })
}
