import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import * as asn1js from 'asn1js'
import fc from 'fast-check'
import {
  CertificateUnreadable,
  makeSigningRequest,
  readCertificate,
  readCertificates,
  readPkcs12,
  readPrivateKey,
  readPublicKeys,
  readUploadedText,
} from './index.ts'
import { anyCertificate } from './testing/any-certificate.ts'

const { certificatePem, privateKeyPem } = anyCertificate
const other = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`

const readers: Readonly<Record<string, (value: string | Uint8Array) => unknown>> = {
  readCertificate,
  readCertificates,
  readPrivateKey: (value) => readPrivateKey(value, 'secret'),
  readPkcs12: (value) => readPkcs12(value, 'secret'),
  readPublicKeys,
  readUploadedText,
}

/** Fails with a failure of any other sort. */
async function readOrRefused(
  read: (value: string | Uint8Array) => unknown,
  value: string | Uint8Array,
): Promise<boolean> {
  try {
    await read(value)
    return true
  } catch (failure) {
    if (failure instanceof CertificateUnreadable) return false
    throw failure
  }
}

const der = new X509Certificate(certificatePem).raw
const key = Buffer.from(privateKeyPem.replace(/-----.*-----|\n/g, ''), 'base64')

/** Certificates and keys with a few bytes changed. */
const almost = fc
  .tuple(fc.constantFrom(der, key), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }))
  .map(([original, changes]) => {
    const bytes = Buffer.from(original)
    for (const [at, value] of changes) bytes[at % bytes.length] = value
    return bytes
  })
const pem = (bytes: Uint8Array, label: string) =>
  `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString('base64')}\n-----END ${label}-----`
const inPem = fc
  .tuple(
    fc.oneof(almost, fc.uint8Array({ minLength: 1, maxLength: 200 })),
    fc.constantFrom('CERTIFICATE', 'PRIVATE KEY', 'RSA PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'PUBLIC KEY'),
  )
  .map(([bytes, label]) => pem(bytes, label))
const json = fc
  .json()
  .map((text) => `{"keys":[{"kty":"RSA","n":${text},"e":"AQAB"},{"kty":"EC","x5c":[${text}]}]}`)

test('whatever is given, a reader reads it or refuses it in words', async () => {
  let ran = 0
  for (const [name, read] of Object.entries(readers)) {
    await fc.assert(
      fc.asyncProperty(fc.oneof(almost, inPem, json, fc.string(), fc.uint8Array()), async (value) => {
        await readOrRefused(read, value)
        ran++
      }),
      { numRuns: 150 },
    )
    assert.equal(await readOrRefused(read, ''), false, name)
  }
  assert.ok(ran >= 150 * Object.keys(readers).length)
})

test('refuses keys whose numbers make no sense', async () => {
  const point = createPublicKey(certificatePem).export({ type: 'spki', format: 'der' }).subarray(-64)
  const outsideCurve = withZeros(der, point)
  assert.throws(() => readCertificate(outsideCurve), /public key of the certificate is damaged/)
  const scalar = Buffer.from(createPrivateKey(privateKeyPem).export({ format: 'jwk' }).d ?? '', 'base64url')
  await assert.rejects(readPrivateKey(withZeros(key, scalar)), /private key is damaged/)
  await assert.rejects(readPrivateKey(withZeros(key, point)), /private key is damaged/)
})

test('refuses keys whose numbers are so long that signing would take minutes, in whichever of them', async () => {
  const integer = (bytes: Buffer) => new asn1js.Integer({ valueHex: Uint8Array.from(bytes).buffer })
  const odd = (bits: number) => Buffer.alloc(bits / 8, 0x41)
  const keyOf = (n: number, d: number, p: number) =>
    new asn1js.Sequence({
      value: [
        new asn1js.Integer({ value: 0 }),
        integer(odd(n)),
        new asn1js.Integer({ value: 65_537 }),
        ...[d, p, p, p, p, p].map((bits) => integer(odd(bits))),
      ],
    }).toBER()
  for (const [n, d, p, refusal] of [
    [65_536, 65_536, 32_768, /private key has more than 8192 bits/],
    [2048, 2048, 65_536, /private key is damaged/],
    [2048, 65_536, 1024, /private key is damaged/],
  ] as const) {
    const bytes = Buffer.from(keyOf(n, d, p))
    await assert.rejects(readPrivateKey(bytes), refusal, `${n} ${d} ${p}`)
    await assert.rejects(readPrivateKey(pem(bytes, 'RSA PRIVATE KEY')), refusal)
  }
  await assert.rejects(readPrivateKey(Buffer.from(keyOf(2048, 2048, 1024))), /none that can sign/)
})

function withZeros(bytes: Buffer, part: Buffer): Buffer {
  const at = bytes.indexOf(part)
  assert.ok(at >= 0)
  return Buffer.from(bytes).fill(0, at, at + part.length)
}

test('says what was given instead of what was expected', async () => {
  const rejected = async (work: () => unknown, sentence: RegExp) =>
    assert.rejects(
      async () => work(),
      (failure) => failure instanceof CertificateUnreadable && sentence.test(failure.message),
    )
  await rejected(() => readCertificate(privateKeyPem), /a PEM block "PRIVATE KEY", but no certificate/)
  await rejected(() => readCertificate('hello'), /holds no certificate: expected was/)
  await rejected(() => readCertificates(certificatePem + other('CERTIFICATE')), /certificate is damaged/)
  await rejected(() => readCertificates(certificatePem.repeat(501)), /more than 500 certificates/)
  await rejected(() => readPrivateKey(certificatePem), /a PEM block "CERTIFICATE", but no private key/)
  await rejected(() => readPrivateKey(other('PRIVATE KEY')), /private key is damaged/)
  await rejected(
    () => readPkcs12(Buffer.from(certificatePem), 'x'),
    /PKCS #12 file is damaged, or it is none/,
  )
  await rejected(() => readPkcs12(certificatePem, 'x'), /no PKCS #12 file. Expected were its bytes/)
  await rejected(() => readPkcs12(der, 'x'), /PKCS #12 file is damaged, or it is none/)
  await rejected(() => readPkcs12(Buffer.alloc(2_000_000), 'x'), /larger than/)
  await rejected(() => readPublicKeys(privateKeyPem), /private or secret key/)
  await rejected(() => readPublicKeys('{"kty":"oct","k":"c2VjcmV0"}'), /private or secret key/)
  await rejected(() => readPublicKeys('{"keys":[]}'), /holds no public key/)
  await rejected(() => readPublicKeys('{"keys":['), /begins like JSON, but is not/)
  await rejected(() => readPublicKeys('{"kty":"RSA"}'), /public key is damaged/)
  const stranger = { certificate: certificatePem, privateKey: await readPrivateKey(strangerKey) }
  await rejected(() => makeSigningRequest(stranger), /private key is not that of the certificate/)
})

const strangerKey = pem(
  Buffer.from(
    '302e020100300506032b657004220420d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842',
    'hex',
  ),
  'PRIVATE KEY',
)
