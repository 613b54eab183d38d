import 'reflect-metadata'
import assert from 'node:assert/strict'
import { webcrypto, X509Certificate } from 'node:crypto'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSecureContext } from 'node:tls'
import { X509CertificateGenerator } from '@peculiar/x509'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { serverCertificate } from './certificate.ts'

test('makes a certificate for its names once, for the owner alone, and keeps it', async (t) => {
  const directory = temporaryDirectory(t)
  const made = await serverCertificate(directory, undefined, ['localhost', '127.0.0.1', '::1'])
  const certificate = new X509Certificate(made.cert)
  assert.equal(certificate.checkHost('localhost'), 'localhost')
  assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1')
  assert.equal(certificate.checkIP('::1'), '::1')
  assert.equal(certificate.checkHost('example.org'), undefined)
  assert.ok(certificate.validFromDate.getTime() < Date.now())
  assert.ok(certificate.validToDate.getTime() > Date.now() + 800 * 86_400_000)
  assert.doesNotThrow(() => createSecureContext(made))
  assert.deepEqual(readdirSync(directory), ['self-signed.pem'])
  assert.equal(statSync(join(directory, 'self-signed.pem')).mode & 0o777, 0o600)
  assert.deepEqual(await serverCertificate(directory, undefined, ['localhost']), made)
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
  const files = { certificateFile: join(directory, 'chain.pem'), keyFile: join(directory, 'key.pem') }
  writeFileSync(files.certificateFile, cert)
  writeFileSync(files.keyFile, key, { mode: 0o600 })
  assert.deepEqual(await serverCertificate(join(directory, 'unused'), files, ['localhost']), { cert, key })
  await assert.rejects(serverCertificate(directory, { ...files, keyFile: join(directory, 'no.pem') }, []), {
    code: 'ENOENT',
  })
})
