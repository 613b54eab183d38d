import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { send } from '@palisade/platform/testing'
import {
  type Dialect,
  firewallForClients,
  type Speaker,
  withEscapedLineFeeds,
} from '../testing/client-dialect.ts'
import { administrator } from '../testing/firewall.ts'

const firewall = await firewallForClients()

/** Python scripts encode the token without a colon. */
const python = (version: string): Dialect => ({ version, credentials: (token) => token })

/** Perl scripts hand curl the token with its line feeds as a backslash and an n. */
const perl: Dialect = { version: 'v3', credentials: (token) => `${withEscapedLineFeeds(token)}:` }

before(async () => {
  const { call } = await firewall.logIn(python('v3.2'))
  const server = { 'ip-address': '192.0.2.10', port: 8080, identifier: 'IP Address' }
  await call('POST', 'services', { name: 'shop', 'ip-address': '192.0.2.1', type: 'HTTPS' })
  await call('POST', 'services/shop/servers', { name: 'Server1', ...server })
  await call('POST', 'services/shop/content-rules', { name: 'rule', 'url-match': '/*', 'host-match': '*' })
  await call('POST', 'services/shop/content-rules/rule/content-rule-servers', { name: 'Server2', ...server })
})

test('the maintenance script in Python takes a server out of service, wherever it is', async () => {
  const { call, get } = await firewall.logIn(python('v3.1'))
  const maintenance = { status: 'Out of Service Maintenance' }
  const { data: services } = (await get('services?parameters=name')).json
  assert.deepEqual(Object.keys(services), ['shop'])

  const { data: servers } = (await get('services/shop/servers?parameters=name,ip-address,port,status')).json
  // The script joins every value to a text, which only works with texts.
  assert.deepEqual(servers.Server1, {
    name: 'Server1',
    'ip-address': '192.0.2.10',
    port: '8080',
    status: 'In Service',
  })
  const put = await call('PUT', 'services/shop/servers/Server1', maintenance)
  assert.equal(typeof put.json.msg, 'string')

  const { data: rules } = (await get('services/shop/content-rules')).json
  const [ruleServer] = Object.values<Record<string, string>>(rules.rule['Rule Group Server'].data)
  assert.deepEqual(
    ['name', 'ip-address', 'port', 'status'].map((member) => ruleServer?.[member]),
    ['Server2', '192.0.2.10', '8080', 'In Service'],
  )
  const address = `services/shop/content-rules/rule/content-rule-servers/${ruleServer?.name}`
  assert.equal(typeof (await call('PUT', address, maintenance)).json.msg, 'string')
  assert.equal((await get(address)).json.data.Server2.status, maintenance.status)
})

test('the maintenance script in Perl puts the server back into service', async () => {
  const { call, get } = await firewall.logIn(perl)
  const { data } = (await get('services/shop/servers?parameters=name,ip-address,port')).json
  assert.equal(data.Server1['ip-address'], '192.0.2.10')
  const body = '{"status":"In Service"}'
  const { json } = await call('PUT', `services/shop/servers/${data.Server1.name}`, body)
  assert.equal(typeof json.msg, 'string')
})

test('the mitigation scripts add global rules to a policy of the factory', async () => {
  const { call } = await firewall.logIn(perl)
  const rule = {
    name: 'themes-CVE-2021-26855',
    url: '/owa/auth/Current/themes/resources*',
    'extended-match':
      '(Method eq POST) && (Header  User-Agent rco \\".*(DuckDuckBot|facebookexternalhit|antSword).*\\")',
    'extended-match-sequence': 1,
    action: 'Deny and Log',
    'response-page': 'default',
  }
  const { status, json } = await call('POST', 'security-policies/owa/global-acls', rule)
  assert.equal(status, 201)
  assert.equal(json.id, rule.name)
  assert.match(json.msg, /Successful/)
})

test('the mitigation scripts print type and message of a refused login', async () => {
  const { json } = await send(firewall.address('v3', 'login'), {
    method: 'POST',
    body: { ...administrator, password: 'wrong' },
  })
  assert.equal(json.token, undefined)
  assert.deepEqual([typeof json.errors.type, typeof json.errors.msg], ['string', 'string'])
})

test('the login script of curl finds the token between the third and the fourth quotation mark', async () => {
  const { text } = await send(firewall.address('v3.1', 'login'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"username": "admin", "password": "a long enough secret"}\n',
  })
  // awk splits at blanks, so nothing may stand between the marks but the name, a colon and the token.
  const [opening, name, colon, token, closing] = text.replaceAll('"', ' ').split(' ').filter(Boolean)
  assert.deepEqual([opening, name, colon, closing], ['{', 'token', ':', '}'])
  // curl turns the escapes in the configuration file into line feeds.
  const credentials = `${JSON.parse(`"${token}"`)}:`
  const { json } = await send(firewall.address('v3.1', 'services/'), {
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
  })
  assert.equal(json.object, 'Service')
})

test("the Let's Encrypt client answers a challenge, uploads the certificate and shows it to clients", async () => {
  const client = await firewall.logIn({ version: 'v3', credentials: (token) => `${token}:` })
  const { call, get } = client
  const page = {
    body: 'token.fingerprint',
    headers: ['Connection:Close &lt;br&gt;Content-Type:text/plain'],
    name: 'LetsEncrypt-verification',
    'status-code': '200 OK',
    type: 'Other Pages',
  }
  const rule = {
    action: 'Deny and Log',
    comments: '',
    'deny-response': 'Response Page',
    enable: 'On',
    'extended-match': '*',
    'extended-match-sequence': '1',
    'follow-up-action': 'None',
    'follow-up-action-time': '60',
    host: '*',
    name: 'LetsEncrypt-verification',
    'redirect-url': '',
    'response-page': page.name,
    url: '/.well-known/acme-challenge/token',
  }
  await createOrUpdate(client, 'response-pages', page)
  await createOrUpdate(client, 'response-pages', page)
  await createOrUpdate(client, 'services/shop/url-acls', rule)
  assert.equal((await call('DELETE', `services/shop/url-acls/${rule.name}`)).status, 200)
  assert.equal((await call('DELETE', `response-pages/${page.name}`)).status, 200)

  const file = await certificateWithKey(client)
  const upload = () => call('POST', 'certificates?upload=signed', ...uploadOf('shop-cert', file))
  assert.equal((await upload()).json.id, 'shop-cert')
  const again = await upload()
  assert.equal(again.status, 400)
  assert.match(again.text, /Duplicate certificate name is not allowed\./)

  const section = (await get('services/shop/ssl-security')).json.data.shop['SSL Security']
  const asRead = {
    ...section,
    certificate: 'shop-cert',
    'enable-sni': 'No',
    domain: [],
    'sni-certificate': [],
  }
  assert.equal((await call('PUT', 'services/shop/ssl-security', asRead)).status, 200)
  assert.equal((await get('services/shop')).json.data.shop['SSL Security'].certificate, 'shop-cert')
})

test("the Let's Encrypt client logs in again when its token is gone, and reads every refusal as JSON", async () => {
  const { get } = await firewall.logIn({ version: 'v3', credentials: () => 'gone:' })
  const { status, json } = await get('services/shop')
  assert.equal(status, 401)
  assert.equal(typeof json.error.msg, 'string')
})

test('the script that associates certificates reads which one a service has, and gives it another', async () => {
  const { call, get } = await firewall.logIn(python('v3.2'))
  const current = async () => (await get('services/shop/ssl-security')).json.data.shop['SSL Security']
  const { certificate, 'enable-sni': sni } = await current()
  assert.deepEqual([certificate, sni], ['shop-cert', 'No'])
  const body =
    '{"enable-sni":"Yes","certificate":"source","sni-certificate":["shop-cert","source"],"domain":["a.example","b.example"]}'
  assert.equal((await call('PUT', 'services/shop/ssl-security', body)).json.id, 'shop')
  assert.equal((await current()).certificate, 'source')
})

test('a client that waits for a device to be up finds a page where the web interface would be', async () => {
  const { status, headers, text } = await send(
    new URL('/cgi-mod/index.cgi', firewall.address('v3', 'login')).href,
  )
  assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
  assert.match(text, /<title>Palisade firewall management<\/title>/)
  assert.match(String(headers['content-security-policy']), /^default-src 'none';/)
  assert.doesNotMatch(text, /<script|style=|\d+\.\d+\.\d+/)
})

test('the telemetry poller finds data in every reply, and the servers inside their services', async () => {
  const { get } = await firewall.logIn({ version: 'v3.2', credentials: (token) => `${token}:` })
  assert.ok((await get('system')).json.data.System)
  const { data } = (await get('services')).json
  const { 'ip-address': address, status } = data.shop.Server.data.Server1
  assert.deepEqual([address, status], ['192.0.2.10', 'In Service'])
})

test('the detection script reads the version of the firmware and nothing else', async () => {
  const { get } = await firewall.logIn({
    version: 'v3.2',
    credentials: (token) => `${withEscapedLineFeeds(token)}:${administrator.password}`,
  })
  const { json } = await get('system?groups=System&parameters=firmware-version')
  assert.deepEqual(Object.keys(json.data.System), ['firmware-version'])
  assert.match(json.data.System['firmware-version'], /^\d+\.\d+/)
})

/** Creates an object, or changes it when the refusal says that it is there already. */
async function createOrUpdate({ call }: Speaker, path: string, body: { readonly name: string }) {
  const created = await call('POST', path, body)
  if (created.status < 400) return
  assert.match(created.text.toLowerCase(), /duplicate value not allowed/)
  const updated = await call('PUT', `${path}/${body.name}`, body)
  assert.equal(updated.status, 200, updated.text)
}

/** Has a certificate made, and gives it and its key as one PEM text. */
async function certificateWithKey({ call, get }: Speaker): Promise<string> {
  const body = { name: 'source', common_name: 'shop.example', key_type: 'rsa', key_size: '2048' }
  const rest = { country_code: 'US', allow_private_key_export: 'Yes' }
  const { status, text } = await call('POST', 'certificates', { ...body, ...rest })
  assert.equal(status, 201, text)
  return (await get('certificates/source?download=pem')).text
}

/** The parts of an upload as the client's library writes them, and their content type. */
function uploadOf(name: string, file: string): [body: string, headers: Record<string, string>] {
  const boundary = '2bd3f2a6f1c94d6f9b1fb4a4c1b8e4a1'
  const fields = {
    name,
    type: 'pem',
    key_type: 'rsa',
    assign_associated_key: 'no',
    allow_private_key_export: 'no',
  }
  const parts = [
    ...Object.entries(fields).map(([field, value]) => `form-data; name="${field}"\r\n\r\n${value}`),
    ...['signed_certificate', 'key'].map(
      (field) =>
        `form-data; name="${field}"; filename="domain.${field}"\r\nContent-Type: application/octet-stream\r\n\r\n${file}`,
    ),
  ]
  const body = parts.map((part) => `--${boundary}\r\nContent-Disposition: ${part}\r\n`).join('')
  return [`${body}--${boundary}--\r\n`, { 'content-type': `multipart/form-data; boundary=${boundary}` }]
}
