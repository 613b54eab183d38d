import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { basic } from '../testing/client.ts'
import { type Dialect, firewallForClients } from '../testing/client-dialect.ts'
import { administrator } from '../testing/firewall.ts'

const firewall = await firewallForClients()

/** What PowerShell makes of a hash table: indented, with CR LF. */
function convertedToJson(members: object): string {
  return JSON.stringify(members, null, 4).replaceAll('\n', '\r\n')
}

/** The module of the vendor sends the password beside the token. */
const vendorModule: Dialect = {
  version: 'v3',
  credentials: (token) => `${token}:${administrator.password}`,
  headers: { 'content-type': 'application/json' },
}

/** The module of the community puts CR LF between the token and the colon. */
const communityModule: Dialect = {
  version: 'v3',
  credentials: (token) => `${token}\r\n:`,
  headers: { 'content-type': 'application/json', accept: 'application/json' },
}

before(async () => {
  const { call } = await firewall.logIn({ version: 'v3', credentials: (token) => token })
  await call('POST', 'services', { name: 'shop', 'ip-address': '192.0.2.1', type: 'HTTPS' })
  await call('POST', 'services/shop/servers', { name: 'Server1', 'ip-address': '192.0.2.10', port: 80 })
})

test('the PowerShell module of the vendor creates a service and its server, and activates its policy', async () => {
  const { call, get } = await firewall.logIn(vendorModule)
  // The address of the system stands in for one that the user leaves out.
  assert.equal(
    typeof (await get('system/wan-configuration')).json.data.System['WAN Configuration']['ip-address'],
    'string',
  )
  const service = convertedToJson({
    name: 'bobtwo',
    port: 90,
    type: 'HTTP',
    'ip-address': '192.0.2.20',
    mask: '255.255.255.0',
    'app-id': 'bobtwo',
    'address-version': 'IPv4',
    group: 'default',
    vsite: 'default',
  })
  assert.equal((await call('POST', 'services', service)).status, 201)
  const server = convertedToJson({
    name: 'Server1',
    port: 80,
    status: 'In Service',
    'address-version': 'IPv4',
    'ip-address': '192.0.2.25',
    identifier: 'IP Address',
  })
  assert.equal((await call('POST', 'services/bobtwo/servers', server)).status, 201)
  const security = convertedToJson({ mode: 'Active', 'web-firewall-policy': 'default' })
  assert.equal((await call('PUT', 'services/bobtwo/basic-security', security)).status, 200)
  const { data } = (await get('services')).json
  assert.deepEqual([data.bobtwo.status, data.bobtwo.port], ['On', '90'])
  assert.equal((await call('DELETE', 'services/bobtwo')).status, 200)
  assert.equal((await get('logs/web-firewall-logs')).status, 200)
})

test('the PowerShell module of the vendor logs out with an empty body, and reads a message', async () => {
  const { call } = await firewall.logIn(vendorModule)
  const { status, json } = await call('DELETE', 'logout', '')
  assert.equal(status, 202)
  assert.ok(json.msg[0])
})

test('the script that sets servers to maintenance logs in at v1 and works at v3', async () => {
  const { call, get } = await firewall.logIn({
    version: 'v3',
    loginVersion: 'v1',
    credentials: (token) => `${token}:`,
  })
  for (const service of Object.keys((await get('services')).json.data)) {
    const { data } = (await get(`services/${service}/servers`)).json
    for (const server of Object.values<Record<string, string>>(data)) {
      const update = convertedToJson({ status: 'Out of Service Sticky' })
      const { json } = await call('PUT', `services/${service}/servers/${server.name}`, update)
      assert.equal(typeof json.msg, 'string')
    }
  }
  const { Server1 } = (await get('services/shop/servers')).json.data
  assert.equal(Server1.status, 'Out of Service Sticky')
})

test('the script that updates the mode of servers passes over services without rules', async () => {
  const { get } = await firewall.logIn({ version: 'v3', credentials: (token) => `${token}:` })
  const { data } = (await get('services?groups=Service')).json
  assert.equal(data.shop.type, 'HTTPS')
  const rules = await get('services/shop/content-rules')
  assert.deepEqual([rules.status, rules.json.data], [200, undefined])
})

test('the script that updates cookie security doubles the first slash and sends the token without a colon', async () => {
  const { call, get } = await firewall.logIn({
    version: 'v3',
    credentials: (token) => token,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
  })
  const settings = { 'tamper-proof-mode': 'Encrypted', 'cookie-max-age': '1440', 'http-only': 'Yes' }
  const path = 'security-policies/sharepoint/cookie-security'
  const { status, json } = await call('PUT', `/${path}`, convertedToJson(settings))
  assert.equal(status, 200, json.msg)
  const section = (await get(path)).json.data.sharepoint['Cookie Security']
  assert.equal(section['tamper-proof-mode'], 'Encrypted')
})

test('the PowerShell module of the community creates, renames and removes', async () => {
  const { call, get } = await firewall.logIn(communityModule)
  const service = {
    name: 'web',
    'ip-address': '192.0.2.30',
    'azure-ip-select': 'System IP Address',
    port: 80,
  }
  assert.equal((await call('POST', 'services', convertedToJson(service))).status, 201)
  const rule = { name: 'old', 'url-match': '/*', 'host-match': '*', 'extended-match-sequence': 1000 }
  assert.equal((await call('POST', 'services/web/content-rules', convertedToJson(rule))).status, 201)
  const renamed = convertedToJson({ ...rule, name: 'new' })
  assert.equal((await call('PUT', 'services/web/content-rules/old', renamed)).status, 200)
  assert.equal((await get('services/web/content-rules/old')).status, 404)
  assert.equal((await get('services/web/content-rules/new')).status, 200)
  const ciphers = ['ECDHE-RSA-AES256-GCM-SHA384,ECDHE-RSA-AES128-GCM-SHA256']
  const sslSecurity = convertedToJson({ ciphers: 'Custom', 'selected-ciphers': ciphers })
  assert.equal((await call('PUT', 'services/web/ssl-security', sslSecurity)).status, 200)
  assert.equal((await get('cluster/nodes?fields=ip-address,mode,serial')).status, 200)
  for (const operation of ['failover', 'failback']) {
    const { status, json } = await call('POST', 'cluster/nodes', convertedToJson({ operation }))
    const message = `The member operation: ${operation} is not possible, because this system has no other node.`
    assert.deepEqual([status, json.msg], [406, message])
  }
  assert.equal((await call('DELETE', 'services/web')).status, 200)
  assert.ok((await call('DELETE', 'logout')).json.msg)
})

test('the PowerShell module of the community uploads with a quoted boundary and no last delimiter', async () => {
  const { call, get } = await firewall.logIn(communityModule)
  const certificateBody = {
    name: 'authority',
    common_name: 'authority.example',
    country_code: 'US',
    key_size: '2048',
  }
  await call('POST', 'certificates', convertedToJson({ ...certificateBody, key_type: 'rsa' }))
  const file = (await get('certificates/authority?download=pem')).text
  const boundary = '1f1b7c9e-5bd0-4a0a-9d0e-0a8e5b1d2c3f'
  const parts = ['name="name" \n\ntrusted', `name="trusted_certificate"; filename="ca.pem"\n\n${file}`]
  const body = parts.map((part) => `--${boundary}\nContent-Disposition: form-data; ${part}\n`).join('')
  const { status, text } = await call('POST', 'certificates?upload=trusted', `${body}--${boundary}`, {
    'content-type': `multipart/form-data; boundary="${boundary}"`,
  })
  assert.equal(status, 201, text)
  assert.equal((await get('certificates/trusted')).status, 200)
})

test('the delivery script uploads a PKCS #12 file at v1, binds it at v3.2, and takes the token of each reply', async () => {
  const at = (version: string): Dialect => ({ version, credentials: (token) => `${token}:` })
  const token = await firewall.token('v3.2')
  const certificateBody = {
    name: 'delivered-source',
    common_name: 'shop.example',
    country_code: 'US',
    key_type: 'rsa',
  }
  await firewall
    .speak(at('v3.2'), token)
    .call('POST', 'certificates', { ...certificateBody, key_size: '2048', allow_private_key_export: 'Yes' })
  const address = firewall.address('v3.2', 'certificates/delivered-source?download=pkcs&password=secret')
  const file = await (await fetch(address, { headers: basic(`${token}:`) })).bytes()

  const boundary = '---------------------------8f14e45fceea167a5a36dedd4bea2543'
  const fields = {
    name: 'delivered',
    type: 'pkcs12',
    key_type: 'rsa',
    password: 'secret',
    allow_private_key_export: 'no',
  }
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="signed_certificate"; filename="shop.pfx"\r\nContent-Type: application/x-pkcs12\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(texts.join('') + head),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const uploaded = await firewall.speak(at('v1'), token).call('POST', 'certificates?upload=signed', body, {
    'content-type': `multipart/form-data; boundary=${boundary}`,
  })
  assert.equal(uploaded.status, 201, uploaded.text)
  const binder = firewall.speak(at('v3.2'), uploaded.json.token)
  const bound = await binder.call('PUT', 'services/shop/ssl-security', { certificate: 'delivered' })
  assert.equal(bound.status, 200, bound.text)
  const leaver = firewall.speak(at('v3.2'), bound.json.token)
  assert.equal((await leaver.call('DELETE', 'logout')).status, 202)
})
