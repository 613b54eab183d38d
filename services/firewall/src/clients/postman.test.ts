import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '@palisade/platform/testing'
import { basic } from '../testing/client.ts'
import { firewallForClients, type Speaker } from '../testing/client-dialect.ts'
import { administrator } from '../testing/firewall.ts'

const firewall = await firewallForClients()

/** The collections log in with a form. */
async function logInWithForm(): Promise<Speaker> {
  const boundary = '--------------------------061513264958474912867735'
  const { username, password } = administrator
  const parts = Object.entries({ username, password }).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const { json } = await send(firewall.address('v3.1', 'login'), {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${parts.join('')}--${boundary}--\r\n`,
  })
  const headers = { ...basic(`${json.token}:`), accept: 'application/json' }
  const call: Speaker['call'] = (method, path, body) =>
    send(firewall.address('v3.1', path), { method, headers, ...(body === undefined ? {} : { body }) })
  return { call, get: (path) => call('GET', path) }
}

const certificate = {
  name: 'basketball.com',
  common_name: 'basketball.com',
  san_certificate: ['DNS:bucks.com', 'DNS:lakers.com', 'DNS:rockets.com'],
  city: 'Los_Angeles',
  country_code: 'US',
  key_size: '2048',
  key_type: 'rsa',
  allow_private_key_export: 'Yes',
}

test('the Postman collection makes certificates and shows them by the names that clients ask for', async () => {
  const { call, get } = await logInWithForm()
  await call('POST', 'services', { name: 'web', 'ip-address': '192.0.2.80', type: 'HTTPS' })
  for (const name of ['basketball.com', 'hockey.com']) {
    const { status, text } = await call('POST', 'certificates', { ...certificate, name, common_name: name })
    assert.equal(status, 201, text)
  }
  const mapping = {
    certificate: 'basketball.com',
    'sni-certificate': ['basketball.com', 'basketball.com', 'hockey.com'],
    domain: ['bucks.com', 'lakers.com', 'sharks.com'],
  }
  assert.equal((await call('PUT', 'services/web/ssl-security', mapping)).status, 200)
  const ssl = (await get('services/web')).json.data.web['SSL Security']
  assert.deepEqual({ ...ssl, ...mapping }, ssl)
})

test('the Postman collection has a key made, is given the request, and uploads the certificate alone', async () => {
  const { call, get } = await logInWithForm()
  const unsigned = { ...certificate, name: 'fastfood.com-selfsigned', allow_private_key_export: 'No' }
  assert.equal((await call('POST', 'certificates', unsigned)).status, 201)
  const address = `certificates/self-signed-certificate/${unsigned.name}?operation=download`
  const request = await call('PUT', address, { 'download-type': 'csr' })
  assert.equal(request.status, 200, request.text)
  assert.match(request.text, /^-----BEGIN CERTIFICATE REQUEST-----\n/)

  // The key stays where it was made. In the collection, blanks stand between the lines of the base64.
  const { text: pem } = await get(`certificates/${unsigned.name}?download=pem`)
  const lines =
    Buffer.from(pem)
      .toString('base64')
      .match(/.{1,77}/g) ?? []
  const upload = { name: 'fastfood.com-signed', 'signed-certificate': lines.join(' ') }
  const uploaded = await call('POST', 'certificates/signed-certificate/', upload)
  assert.equal(uploaded.status, 201, uploaded.text)
  const binding = { status: 'On', certificate: upload.name }
  assert.equal((await call('PUT', 'services/web/ssl-security', binding)).status, 200)
})
