import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CertificateUnreadable, keyMatchesCertificate, makeSelfSigned, readCertificate } from './index.ts'

const request = {
  commonName: 'www.example.com',
  countryCode: 'US',
  key: { type: 'ECDSA', curve: 'secp256r1' },
  notBefore: new Date('2049-12-31T12:00:00.500Z'),
  validityDays: 365,
} as const

test('a certificate says what was asked for, also beyond 2050', async () => {
  const pair = await makeSelfSigned({ ...request, subjectAlternativeNames: ['IP:192.0.2.1'] })
  const read = readCertificate(pair.certificatePem)
  assert.equal(read.subject, 'C=US, CN=www.example.com')
  assert.equal(read.issuer, read.subject)
  assert.equal(read.commonName, 'www.example.com')
  assert.equal(read.notBefore.toISOString(), '2049-12-31T12:00:00.000Z')
  assert.equal(read.notAfter.toISOString(), '2050-12-31T12:00:00.000Z')
  assert.deepEqual(read.alternativeNames, ['IP Address:192.0.2.1'])
  assert.deepEqual(read.keyType, { type: 'ECDSA', curve: 'secp256r1' })
  assert.match(read.serialNumber, /^[4-7][0-9A-F]{31}$/)
  assert.equal(read.isCa, false)
  assert.equal(read.pem, pair.certificatePem)
  assert.ok(keyMatchesCertificate(pair.certificatePem, pair.privateKeyPem))
})

test('a common name that is a host name is an alternative name when there is no other', async () => {
  const names = async (commonName: string) =>
    readCertificate((await makeSelfSigned({ ...request, commonName })).certificatePem).alternativeNames
  assert.deepEqual(await names('www.example.com'), ['DNS:www.example.com'])
  assert.deepEqual(await names('Example Firewall'), [])
})

test('an RSA key of 4096 bits is made beside other work', async () => {
  let ticks = 0
  const ticking = setInterval(() => ticks++, 1)
  const pair = await makeSelfSigned({ ...request, key: { type: 'RSA', bits: 4096 } })
  clearInterval(ticking)
  assert.deepEqual(readCertificate(pair.certificatePem).keyType, { type: 'RSA', bits: 4096 })
  assert.ok(ticks > 3, `${ticks} ticks`)
})

test('refuses a country that is none', async () => {
  await assert.rejects(makeSelfSigned({ ...request, countryCode: 'USA' }), (failure) => {
    assert.ok(failure instanceof CertificateUnreadable)
    assert.match(failure.message, /"USA" is no country code/)
    return true
  })
})
