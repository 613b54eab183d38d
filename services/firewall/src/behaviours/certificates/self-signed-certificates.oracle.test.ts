import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService, settableClock } from '@palisade/platform/testing'
import { type Openssl, openssl } from '../../certificates/testing/openssl.ts'
import { create, download, membersOf, refusedFor } from '../../testing/certificates-api.ts'
import { type Client, logIn } from '../../testing/client.ts'
import { serveFirewall } from '../../testing/firewall.ts'

const path = 'certificates/self-signed-certificate'
const subject = { 'common-name': 'www.example.com', 'country-code': 'de' }

const keys = [
  { key: { 'key-size': '1024' }, expected: /Public-Key: \(1024 bit\)/ },
  { key: { 'key-type': 'RSA' }, expected: /Public-Key: \(2048 bit\)/ },
  { key: { 'key-type': 'rsa', 'key-size': 4096 }, expected: /Public-Key: \(4096 bit\)/ },
  { key: { 'key-type': 'ECDSA' }, expected: /NIST CURVE: P-256/ },
  { key: { 'key-type': 'ecdsa', 'elliptic-curve-name': 'secp384r1' }, expected: /NIST CURVE: P-384/ },
  { key: { 'key-type': 'ECDSA', 'elliptic-curve-name': 'secp521r1' }, expected: /NIST CURVE: P-521/ },
]

onEveryStore('self-signed certificates', (newStore) => {
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore(), clock: settableClock(Date.now()) })
    client = await logIn(served.baseUrl)
  })
  after(() => served.close())

  /** The PEM of a certificate, for the judge. */
  async function downloaded(judge: Openssl, name: string): Promise<string> {
    const { status, text } = await download(client, `${path}/${name}`, 'pem')
    assert.equal(status, 200, text)
    return judge.write(`${name}.pem`, text)
  }

  test('have the key that was asked for, and a request and a file of it that openssl takes', async (t) => {
    const judge = openssl(t)
    if (!judge) return
    let ran = 0
    for (const { key, expected } of keys) {
      const name = `key-${ran}`
      await create(client, path, { name, ...subject, ...key, 'allow-private-key-export': 'Yes' })
      const pem = await downloaded(judge, name)
      assert.match(judge.run('x509', '-in', pem, '-noout', '-text'), expected)
      const publicKey = judge.run('x509', '-in', pem, '-noout', '-pubkey')
      assert.equal(judge.run('pkey', '-in', pem, '-pubout'), publicKey)
      const request = judge.write('request.csr', (await download(client, `${path}/${name}`, 'csr')).text)
      assert.match(judge.run('req', '-in', request, '-verify', '-noout'), /verify OK/)
      assert.equal(judge.run('req', '-in', request, '-noout', '-pubkey'), publicKey)
      ran++
    }
    assert.equal(ran, keys.length)
  })

  test('say in the certificate what the members say, and show when it ends and its number', async (t) => {
    const judge = openssl(t)
    if (!judge) return
    await create(client, path, {
      name: 'all',
      ...subject,
      state: 'Bavaria',
      city: 'Munich',
      'organization-name': 'Example GmbH, Söhne',
      'organizational-unit': 'Operations',
      'san-certificate': ['DNS:example.com', 'DNS:*.example.com', 'IP:192.0.2.1', 'IP:2001:db8::1'],
    })
    const pem = await downloaded(judge, 'all')
    const text = judge.run('x509', '-in', pem, '-noout', '-text', '-nameopt', 'utf8,sep_comma_plus')
    assert.match(
      text,
      /Subject: C=DE,ST=Bavaria,L=Munich,O=Example GmbH, Söhne,OU=Operations,CN=www.example.com/,
    )
    assert.match(
      text,
      /DNS:example.com, DNS:\*.example.com, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1/,
    )
    const { expiry = '', serial = '' } = await membersOf(client, path, 'all')
    const judgement = judge.run('x509', '-in', pem, '-noout', '-enddate', '-serial', '-dateopt', 'iso_8601')
    assert.equal(judgement, `notAfter=${expiry.replace(' GMT', 'Z')}\nserial=${serial}\n`)
    assert.match(judge.run('x509', '-in', pem, '-noout', '-checkend', '0'), /will not expire/)
    const days = (Date.parse(expiry) - Date.now()) / 86_400_000
    assert.ok(days > 800 && days < 825, expiry)
  })

  test('are PKCS #12 files for those who have a password', async (t) => {
    const judge = openssl(t)
    if (!judge) return
    await create(client, path, {
      name: 'a file',
      ...subject,
      'key-type': 'ECDSA',
      'allow-private-key-export': 'yes',
    })
    const reply = await binary(`${path}/a%20file`, {
      'download-type': 'pkcs',
      'encrypt-password': 'päss word',
    })
    assert.equal(reply.headers.get('content-type'), 'application/x-pkcs12')
    assert.equal(reply.headers.get('content-disposition'), 'attachment; filename="a file.p12"')
    const file = judge.write('a.p12', new Uint8Array(await reply.arrayBuffer()))
    const content = judge.run('pkcs12', '-in', file, '-nodes', '-passin', 'pass:päss word')
    assert.match(content, /BEGIN PRIVATE KEY/)
    assert.match(content, /friendlyName: a file/)
    refusedFor('encrypt-password', await download(client, `${path}/a%20file`, 'pkcs'))
  })

  test('come with their key as PEM, which a password encrypts', async (t) => {
    const judge = openssl(t)
    if (!judge) return
    await create(client, path, { name: 'locked', ...subject, 'allow-private-key-export': 'Yes' })
    const { text, headers } = await download(client, `${path}/locked`, 'pem', 'a password')
    assert.equal(headers['content-type'], 'application/x-pem-file')
    assert.match(text, /BEGIN ENCRYPTED PRIVATE KEY/)
    const file = judge.write('locked.pem', text)
    assert.match(judge.run('pkey', '-in', file, '-passin', 'pass:a password'), /BEGIN PRIVATE KEY/)
  })

  test('keep their key unless its export was allowed when they were made', async () => {
    await create(client, path, { name: 'kept', ...subject })
    const { text, status } = await download(client, `${path}/kept`, 'pem')
    assert.equal(status, 200)
    assert.match(text, /^-----BEGIN CERTIFICATE/)
    assert.doesNotMatch(text, /PRIVATE KEY/)
    refusedFor('download-type', await download(client, `${path}/kept`, 'pkcs', 'a password'), /private key/)
    refusedFor(
      'allow-private-key-export',
      await client.call('PUT', `${path}/kept`, { 'allow-private-key-export': 'Yes' }),
    )
  })

  test('are not made when a name in them is none, or a member is missing', async () => {
    const body = { name: 'wrong', ...subject, 'san-certificate': ['DNS:-.example..com'] }
    refusedFor('san-certificate', await client.call('POST', path, body), /Expected was DNS:host/)
    refusedFor(
      'common-name',
      await client.call('POST', path, { name: 'wrong', 'country-code': 'DE' }),
      /required/,
    )
    refusedFor('download-type', await client.call('PUT', `${path}/kept?operation=download`, {}), /required/)
    assert.equal((await client.get(`${path}/wrong`)).status, 404)
  })

  test('are downloaded at every address, and by nobody at none', async () => {
    for (const address of [path, 'self-signed-certificate', 'certificates/self_signed_certificate']) {
      assert.match((await download(client, `${address}/kept`, 'CSR')).text, /BEGIN CERTIFICATE REQUEST/)
    }
    assert.equal((await download(client, `${path}/nobody`, 'pem')).status, 404)
  })

  async function binary(address: string, body: object): Promise<Response> {
    const { token } = client
    return await fetch(`${served.baseUrl}/restapi/v3.2/${address}?operation=download`, {
      method: 'PUT',
      headers: {
        authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
  }
})
