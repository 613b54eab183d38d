import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { CertificateUnreadable, readCertificate, readPrivateKey, readUploadedText } from './index.ts'
import { anyCertificate } from './testing/any-certificate.ts'

const { certificatePem: pem, privateKeyPem } = anyCertificate
const der = new X509Certificate(pem).raw
const lines = pem.trim().split('\n')

const forms: Readonly<Record<string, string | Uint8Array>> = {
  'as it is': pem,
  'with CRLF': lines.join('\r\n'),
  'with CR': lines.join('\r'),
  'with backslash and n': lines.join('\\n'),
  'with backslash, r, backslash and n': lines.join('\\r\\n'),
  'with doubled backslashes': lines.join('\\\\n'),
  'with blanks': lines.join(' '),
  'with empty lines': lines.join('\n\n'),
  'with indented lines': lines.map((line) => `    ${line}`).join('\n'),
  'in one line': pem.replace(/\n/g, ''),
  'with words around it': `Bag Attributes\n  friendlyName: C:\\new\nsubject=CN = x\n${pem}\nend`,
  'with a byte order mark': `\uFEFF${pem}`,
  'in base64': Buffer.from(pem).toString('base64'),
  'in base64 in lines': Buffer.from(pem).toString('base64').replace(/.{76}/g, '$&\r\n'),
  'as a data URL': `data:application/x-x509-ca-cert;base64,${Buffer.from(pem).toString('base64')}`,
  'as bytes': Buffer.from(pem),
  'as bytes of UTF-16': Buffer.from(`\uFEFF${pem}`, 'utf16le'),
}

test('understands PEM however it was sent', () => {
  let ran = 0
  for (const [how, value] of Object.entries(forms)) {
    assert.equal(readUploadedText(value), pem, how)
    ran++
  }
  assert.ok(ran > 15)
})

test('understands DER in base64 and as bytes', () => {
  const base64 = der.toString('base64')
  for (const value of [base64, base64.replace(/.{64}/g, '$&\n'), `${base64}\n`, Buffer.from(base64), der]) {
    assert.deepEqual(readUploadedText(value), der)
  }
  assert.equal(readCertificate(readUploadedText(base64)).pem, pem)
})

test('keeps every block of a text', async () => {
  const text = readUploadedText(`${pem}${privateKeyPem}${pem}`.replace(/\n/g, '\\n'))
  assert.equal(text, `${pem}${privateKeyPem}${pem}`)
  assert.equal(await readPrivateKey(text), privateKeyPem)
})

const refused: readonly (readonly [string | Uint8Array, RegExp])[] = [
  ['', /neither PEM nor base64/],
  ['certificate.pem', /neither PEM nor base64/],
  ['QUJD', /base64, but neither of DER nor of PEM/],
  [lines.slice(0, -1).join('\n'), /"CERTIFICATE" has no END line/],
  [pem.replace('CERTIFICATE-----\n', 'CERTIFICATE-----\n*'), /"CERTIFICATE" is not base64/],
  ['-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----', /"CERTIFICATE" is not base64/],
  ['A'.repeat(2_000_000), /longer than/],
  ['\\'.repeat(1_000_000), /neither PEM nor base64/],
  [der.subarray(0, 100), /neither PEM nor base64/],
  [der.subarray(0, 3), /neither PEM nor base64/],
]

test('says what is wrong with everything else', () => {
  for (const [value, sentence] of refused) {
    assert.throws(
      () => readUploadedText(value),
      (failure) => failure instanceof CertificateUnreadable && sentence.test(failure.message),
      String(value).slice(0, 60),
    )
  }
})
