import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import * as tls from 'node:tls'
import { makeSelfSigned, makeSigningRequest, type NewKey, readCertificate } from './index.ts'
import { openssl } from './testing/openssl.ts'

const keys: readonly { key: NewKey; printed: RegExp; signature: string }[] = [
  { key: { type: 'RSA', bits: 1024 }, printed: /\(1024 bit\)/, signature: 'sha256WithRSAEncryption' },
  { key: { type: 'RSA', bits: 2048 }, printed: /\(2048 bit\)/, signature: 'sha256WithRSAEncryption' },
  { key: { type: 'RSA', bits: 4096 }, printed: /\(4096 bit\)/, signature: 'sha256WithRSAEncryption' },
  { key: { type: 'ECDSA', curve: 'secp256r1' }, printed: /OID: prime256v1/, signature: 'ecdsa-with-SHA256' },
  { key: { type: 'ECDSA', curve: 'secp384r1' }, printed: /OID: secp384r1/, signature: 'ecdsa-with-SHA384' },
  { key: { type: 'ECDSA', curve: 'secp521r1' }, printed: /OID: secp521r1/, signature: 'ecdsa-with-SHA512' },
]

const subject = {
  commonName: 'www.example.com',
  countryCode: 'de',
  state: 'Thüringen',
  city: 'Jena',
  organizationName: 'Example, "Inc." + Sons',
  organizationalUnit: '#1 \\ Web',
}

const alternatives = [
  'DNS:www.example.com',
  '*.example.net',
  'IP:192.0.2.1',
  '2001:db8::1',
  'email:web@example.com',
  'URI:https://example.com/a,b',
  'DNS:bücher.example',
]

test('OpenSSL takes self-signed certificates and their requests, of every sort of key', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  let ran = 0
  for (const { key, printed: name, signature } of keys) {
    const pair = await makeSelfSigned({
      ...subject,
      subjectAlternativeNames: alternatives,
      key,
      notBefore: new Date(Date.now() - 60_000),
      validityDays: 397,
    })
    judge.write('own.pem', pair.certificatePem)
    judge.write('own.key', pair.privateKeyPem)

    const text = judge.run('x509', '-in', 'own.pem', '-noout', '-text', '-nameopt', 'utf8,sep_comma_plus')
    assert.match(text, name)
    assert.match(text, new RegExp(`Signature Algorithm: ${signature}`))
    assert.match(
      text,
      /Subject: C=DE,ST=Thüringen,L=Jena,O=Example, "Inc\." \+ Sons,OU=#1 \\ Web,CN=www\.example\.com/,
    )
    assert.match(
      text,
      /DNS:www\.example\.com, DNS:\*\.example\.net, IP Address:192\.0\.2\.1, IP Address:2001:DB8:0:0:0:0:0:1, email:web@example\.com, URI:https:\/\/example\.com\/a,b, DNS:xn--bcher-kva\.example/,
    )
    assert.match(text, /CA:FALSE/)
    const level = key.type === 'RSA' && key.bits === 1024 ? '0' : '2'
    judge.run(
      ...['verify', '-x509_strict', '-check_ss_sig', '-purpose', 'sslserver', '-auth_level', level],
      ...['-verify_hostname', 'www.example.com', '-CAfile', 'own.pem', 'own.pem'],
    )
    const publicKey = judge.run('pkey', '-in', 'own.key', '-pubout')
    assert.equal(judge.run('x509', '-in', 'own.pem', '-noout', '-pubkey'), publicKey)
    assert.match(judge.run('pkey', '-in', 'own.key', '-noout', '-check'), /valid/)

    judge.write(
      'own.csr',
      await makeSigningRequest({ certificate: pair.certificatePem, privateKey: pair.privateKeyPem }),
    )
    assert.match(judge.run('req', '-in', 'own.csr', '-noout', '-verify'), /OK/)
    assert.equal(judge.run('req', '-in', 'own.csr', '-noout', '-pubkey'), publicKey)
    assert.equal(
      judge.run('req', '-in', 'own.csr', '-noout', '-subject'),
      judge.run('x509', '-in', 'own.pem', '-noout', '-subject'),
    )
    const names = /DNS:www\.example\.com.*/
    const request = judge.run('req', '-in', 'own.csr', '-noout', '-text', '-nameopt', 'utf8')
    assert.equal(names.exec(request)?.[0], names.exec(text)?.[0])
    ran++
  }
  assert.equal(ran, keys.length)
})

test('OpenSSL signs a request with the subject of a foreign certificate, byte by byte', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  judge.write(
    'ca.conf',
    [
      '[req]\ndistinguished_name=dn\nstring_mask=default\nprompt=no\nx509_extensions=v3',
      '[dn]\nC=US\nO=T61 Corp\nemailAddress=a@example.com\nDC=example\n0.OU=one\n1.OU=two\nCN=old.example.com',
      '[v3]\nsubjectAltName=critical,DNS:old.example.com,otherName:1.2.3.4;UTF8:other,RID:1.2.3.4,dirName:dir',
      '[dir]\nCN=directory',
    ].join('\n'),
  )
  judge.run(
    ...[
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'old.key',
      '-out',
      'old.pem',
      '-config',
      'ca.conf',
    ],
  )
  judge.write(
    'old.csr',
    await makeSigningRequest({
      certificate: judge.read('old.pem').toString(),
      privateKey: judge.read('old.key').toString(),
    }),
  )
  judge.run('req', '-in', 'old.csr', '-noout', '-verify')
  const show = ['-noout', '-subject', '-nameopt', 'RFC2253,show_type,dump_der']
  assert.equal(judge.run('req', '-in', 'old.csr', ...show), judge.run('x509', '-in', 'old.pem', ...show))
  const alternative = /Alternative Name: critical\s+(.*)/
  const [ours, had] = ['req', 'x509'].map((what) =>
    alternative.exec(judge.run(what, '-in', what === 'req' ? 'old.csr' : 'old.pem', '-noout', '-text')),
  )
  assert.ok(had?.[1])
  assert.equal(ours?.[1], had[1])
})

test('a client that trusts a self-signed certificate speaks TLS with its server', async () => {
  for (const key of [
    { type: 'RSA', bits: 2048 },
    { type: 'ECDSA', curve: 'secp384r1' },
  ] as const) {
    const pair = await makeSelfSigned({
      commonName: 'localhost',
      key,
      notBefore: new Date(),
      validityDays: 1,
    })
    const server = tls.createServer({ cert: pair.certificatePem, key: pair.privateKeyPem }, (socket) =>
      socket.end('hello'),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = tls.connect({ host: '127.0.0.1', port, ca: pair.certificatePem, servername: 'localhost' })
    assert.equal(String(await once(client, 'data')), 'hello')
    client.destroy()
    server.close()
  }
})

test('reads what OpenSSL says about a certificate', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  judge.run(
    ...[
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      'k',
      '-out',
      'c',
    ],
    ...[
      '-utf8',
      '-subj',
      '/C=FR/O=Société, SA/OU=Web/CN=www.example.fr',
      '-days',
      '30',
      '-set_serial',
      '0x0abc',
    ],
    ...['-addext', 'subjectAltName=DNS:www.example.fr,IP:192.0.2.7,URI:https://example.fr/a'],
  )
  judge.run('x509', '-in', 'c', '-outform', 'DER', '-out', 'c.der')
  const read = readCertificate(judge.read('c').toString())
  assert.deepEqual(read, readCertificate(judge.read('c.der')))
  const printedLine = (what: string) =>
    judge
      .run('x509', '-in', 'c', '-noout', ...what.split(' '))
      .trim()
      .replace(/^[^=]*=/, '')
  assert.equal(read.commonName, 'www.example.fr')
  assert.equal(read.subject, 'C=FR, O=Société\\, SA, OU=Web, CN=www.example.fr')
  assert.equal(read.issuer, read.subject)
  assert.equal(read.serialNumber, printedLine('-serial'))
  assert.equal(read.fingerprintSha256, printedLine('-fingerprint -sha256'))
  assert.equal(read.notBefore.getTime(), Date.parse(printedLine('-startdate')))
  assert.equal(read.notAfter.getTime(), Date.parse(printedLine('-enddate')))
  assert.deepEqual(read.keyType, { type: 'ECDSA', curve: 'secp256r1' })
  assert.deepEqual(read.alternativeNames, [
    'DNS:www.example.fr',
    'IP Address:192.0.2.7',
    'URI:https://example.fr/a',
  ])
  assert.equal(read.isCa, true)
})
