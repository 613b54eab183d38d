import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReceivedReply, send } from '@palisade/platform/testing'
import { type Dialect, firewallForClients, type Speaker } from '../testing/client-dialect.ts'
import { administrator } from '../testing/firewall.ts'

const dialect: Dialect = { version: 'v3.1', scheme: 'BASIC', credentials: (token) => `${token}:` }

/** Below 400 is success to the provider; from 400 on, only a `msg` tells it that something failed. */
function succeeded({ status, text }: ReceivedReply): void {
  assert.ok(status < 400, text)
}

/** Reads a whole list and looks for the name inside each item; without data the resource is gone. */
async function finds(provider: Speaker, list: string, name: string): Promise<boolean> {
  const { json } = await provider.get(list)
  const items: { name?: unknown }[] = Object.values(json.data ?? {})
  return items.some((item) => item.name === name)
}

const firewall = await firewallForClients()

test('the Terraform provider reads a login reply as texts only, and the reason of a refusal', async () => {
  const url = firewall.address('v3.1', 'login')
  const { json } = await send(url, { method: 'POST', body: administrator })
  for (const member of Object.values(json)) assert.equal(typeof member, 'string')
  const refused = await send(url, { method: 'POST', body: { ...administrator, password: 'wrong' } })
  assert.ok(refused.status >= 400)
  assert.match(refused.json.msg, /^Invalid Credentials/)
  assert.equal(refused.json.token, undefined)
})

test('the Terraform provider creates, reads, changes and deletes a service', async () => {
  const provider = await firewall.logIn(dialect)
  const service = {
    name: 'DemoApp1',
    'ip-address': '192.0.2.50',
    port: '80',
    type: 'HTTP',
    vsite: 'default',
    'address-version': 'IPv4',
    status: 'On',
    group: 'default',
    comments: 'Demo Service with Terraform',
  }
  succeeded(await provider.call('POST', 'services', service))
  succeeded(await provider.call('PUT', 'services/DemoApp1/basic-security', { mode: 'Active' }))
  assert.equal(await finds(provider, 'services', 'DemoApp1'), true)

  const duplicate = await provider.call('POST', 'services', service)
  assert.ok(duplicate.status >= 400)
  assert.equal(typeof duplicate.json.msg, 'string')

  const { vsite, group, 'address-version': version, ...changeable } = service
  succeeded(await provider.call('PUT', 'services/DemoApp1', { ...changeable, port: '81' }))
  assert.equal((await provider.get('services/DemoApp1')).json.data.DemoApp1.port, '81')
  succeeded(await provider.call('DELETE', 'services/DemoApp1'))
  assert.equal((await provider.get('services')).json.data, undefined)
})

test('the Terraform provider puts servers and content rules into a service', async () => {
  const provider = await firewall.logIn(dialect)
  succeeded(await provider.call('POST', 'services', { name: 'DemoApp2', 'ip-address': '192.0.2.51' }))
  const servers = 'services/DemoApp2/servers'
  const server = {
    name: 'DemoServer1',
    identifier: 'IP Address',
    'address-version': 'IPv4',
    status: 'In Service',
    'ip-address': '192.0.2.60',
    port: '80',
    comments: 'Creating the Demo Server',
  }
  succeeded(await provider.call('POST', servers, server))
  const sslPolicy = { 'enable-ssl-compatibility-mode': 'Yes', 'validate-certificate': 'No' }
  succeeded(await provider.call('PUT', `${servers}/DemoServer1/ssl-policy`, sslPolicy))
  assert.equal(await finds(provider, servers, 'DemoServer1'), true)

  succeeded(await provider.call('POST', 'security-policies', { name: 'Demo', 'based-on': 'Create New' }))
  const rules = 'services/DemoApp2/content-rules'
  const rule = {
    name: 'DemoRuleGroup1',
    'url-match': '/index.html',
    'host-match': 'www.example.com',
    'web-firewall-policy': 'Demo',
    mode: 'Active',
  }
  succeeded(await provider.call('POST', rules, rule))
  const ruleServers = `${rules}/DemoRuleGroup1/content-rule-servers`
  const ruleServer = { name: 'DemoRuleGroupServer1', identifier: 'Hostname', hostname: 'example.com' }
  succeeded(await provider.call('POST', ruleServers, ruleServer))
  const pooling = { 'keepalive-timeout': '900000', 'enable-connection-pooling': 'Yes' }
  succeeded(await provider.call('PUT', `${ruleServers}/DemoRuleGroupServer1/connection-pooling`, pooling))
  assert.equal(await finds(provider, ruleServers, 'DemoRuleGroupServer1'), true)
  succeeded(await provider.call('DELETE', 'services/DemoApp2'))
})

test('the Terraform provider manages certificates at their short addresses, with files in base64', async () => {
  const provider = await firewall.logIn(dialect)
  const selfSigned = {
    name: 'DemoSelfSigned',
    'allow-private-key-export': 'Yes',
    city: 'Campbell',
    'common-name': 'demo.example',
    'country-code': 'US',
    'key-size': '2048',
    'key-type': 'rsa',
    'organization-name': 'Example',
    'organizational-unit': 'Engineering',
    state: 'California',
  }
  succeeded(await provider.call('POST', 'self-signed-certificate', selfSigned))
  succeeded(await provider.call('PUT', 'self-signed-certificate/DemoSelfSigned', {}))
  const { text: pem } = await provider.get('certificates/DemoSelfSigned?download=pem')
  const file = Buffer.from(pem).toString('base64')

  const signed = {
    name: 'DemoSigned',
    'assign-associated-key': 'No',
    'signed-certificate': file,
    'certificate-key': file,
    'certificate-type': 'pem',
    'allow-private-key-export': 'Yes',
    'key-type': 'rsa',
  }
  succeeded(await provider.call('POST', 'signed-certificate', signed))
  for (const kind of ['trusted-ca-certificate', 'trusted-server-certificate']) {
    const name = `demo-${kind}`
    succeeded(await provider.call('POST', kind, { name, certificate: file }))
    assert.equal(await finds(provider, kind, name), true)
  }
  assert.equal(await finds(provider, 'signed-certificate', 'DemoSigned'), true)

  const https = { name: 'DemoTls', 'ip-address': '192.0.2.52', type: 'HTTPS', certificate: 'DemoSelfSigned' }
  succeeded(await provider.call('POST', 'services', https))
  const sslSecurity = {
    certificate: 'DemoSelfSigned',
    'enable-sni': 'Yes',
    domain: ['demo.example'],
    'sni-certificate': ['DemoSigned'],
    status: 'On',
  }
  succeeded(await provider.call('PUT', 'services/DemoTls/ssl-security', sslSecurity))
  succeeded(await provider.call('DELETE', 'services/DemoTls'))
  succeeded(await provider.call('DELETE', 'signed-certificate/DemoSigned'))
})

test('the Terraform provider is told why a certificate cannot be had from an authority', async () => {
  const provider = await firewall.logIn(dialect)
  const { status, json } = await provider.call('POST', 'certificates/letsencrypt', {
    name: 'DemoAcme',
    'common-name': 'demo.example',
    'multi-cert-trusted-service': 'DemoApp1',
  })
  assert.ok(status >= 400)
  assert.match(json.msg, /ACME/)
})
