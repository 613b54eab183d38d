import 'reflect-metadata'
import assert from 'node:assert/strict'
import { KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSecureContext } from 'node:tls'
import { X509CertificateGenerator } from '@peculiar/x509'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { readServerCertificate, serverCertificate } from './certificate.ts'

test('makes a certificate for its names once, for the owner alone, and keeps it', async (t) => {
  const directory = temporaryDirectory(t)
  const pem = await serverCertificate(directory, undefined, ['localhost', '127.0.0.1', '::1'])
  const certificate = new X509Certificate(pem.cert)
  assert.equal(certificate.checkHost('localhost'), 'localhost')
  assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1')
  assert.equal(certificate.checkIP('::1'), '::1')
  assert.equal(certificate.checkHost('example.org'), undefined)
  assert.ok(certificate.validFromDate.getTime() < Date.now())
  assert.ok(certificate.validToDate.getTime() > Date.now() + 800 * 86_400_000)
  assert.doesNotThrow(() => createSecureContext(pem))
  assert.deepEqual(readdirSync(directory), ['self-signed.pem'])
  assert.equal(statSync(join(directory, 'self-signed.pem')).mode & 0o777, 0o600)
  assert.deepEqual(await serverCertificate(directory, undefined, ['localhost']), pem)
})

test('makes an expired certificate anew', async (t) => {
  const directory = temporaryDirectory(t)
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const expired = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Palisade',
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2020-02-01'),
    signingAlgorithm: algorithm,
    keys: await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']),
  })
  writeFileSync(join(directory, 'self-signed.pem'), expired.toString('pem'))
  const { cert } = await serverCertificate(directory, undefined, ['localhost'])
  assert.ok(new X509Certificate(cert).validToDate.getTime() > Date.now())
})

test('takes the configured files before everything else', async (t) => {
  const directory = temporaryDirectory(t)
  const { cert, key } = await serverCertificate(directory, undefined, ['localhost'])
  const files = {
    certificateFile: join(directory, 'chain.pem'),
    keyFile: join(directory, 'key.pem'),
    named: 'firewall.certificate',
  }
  writeFileSync(files.certificateFile, cert)
  writeFileSync(files.keyFile, key, { mode: 0o600 })
  assert.deepEqual(await serverCertificate(join(directory, 'unused'), files, ['localhost']), { cert, key })
  const other = await serverCertificate(temporaryDirectory(t), undefined, ['localhost'])
  const contents = {
    'other.pem': other.key,
    'locked.pem': '-----BEGIN ENCRYPTED PRIVATE KEY-----\n-----END ENCRYPTED PRIVATE KEY-----\n',
    'text.pem': 'text',
  }
  for (const [name, text] of Object.entries(contents))
    writeFileSync(join(directory, name), text, { mode: 0o600 })
  const cases = [
    [
      { keyFile: 'no.pem' },
      /^firewall\.certificate\.keyFile names \S+\/no\.pem, which .*there is no such file$/,
    ],
    [{ certificateFile: 'no.pem' }, /^firewall\.certificate\.certificateFile names .*there is no such file$/],
    [
      { certificateFile: 'text.pem' },
      /certificateFile names .*, which does not begin with a certificate in PEM$/,
    ],
    [{ keyFile: 'text.pem' }, /keyFile names .*, which is no private key in PEM$/],
    [{ keyFile: 'locked.pem' }, /keyFile names .*, which has a passphrase: take it off/],
    [
      { keyFile: 'other.pem' },
      /keyFile names .*, which is not the key of the first certificate in .*chain\.pem$/,
    ],
  ] as const
  let ran = 0
  for (const [wrong, message] of cases) {
    const absolute = Object.fromEntries(
      Object.entries(wrong).map(([member, name]) => [member, join(directory, name)]),
    )
    await assert.rejects(serverCertificate(directory, { ...files, ...absolute }, []), { message })
    ran++
  }
  assert.equal(ran, cases.length)
})

test('refuses a certificate whose key TLS takes for too weak, naming the member', async (t) => {
  const directory = temporaryDirectory(t)
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(
    { ...algorithm, modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  )
  const weak = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Palisade',
    signingAlgorithm: algorithm,
    keys,
  })
  const certificateFile = join(directory, 'weak.pem')
  const keyFile = join(directory, 'weak-key.pem')
  writeFileSync(certificateFile, weak.toString('pem'))
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  writeFileSync(keyFile, key, { mode: 0o600 })
  assert.throws(() => readServerCertificate({ certificateFile, keyFile, named: 'firewall.certificate' }), {
    message: /^firewall\.certificate\.certificateFile names \S+weak\.pem, which TLS refuses: .*key too small/,
  })
})
