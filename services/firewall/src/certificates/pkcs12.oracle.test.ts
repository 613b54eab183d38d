import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as tls from 'node:tls'
import * as asn1js from 'asn1js'
import { Asn1 } from './asn1.ts'
import {
  CertificateUnreadable,
  keyMatchesCertificate,
  type Pkcs12Content,
  readCertificate,
  readPkcs12,
  writePkcs12,
} from './index.ts'
import { certificateFamily } from './testing/certificate-family.ts'
import { type Openssl, openssl } from './testing/openssl.ts'

const password = 'gehe!m ünd 世界'

function judgeWithFamily(t: TestContext, newKey?: readonly string[]): Openssl | undefined {
  const judge = openssl(t)
  if (judge) certificateFamily(judge, newKey)
  return judge
}

function assertFamily(judge: Openssl, content: Pkcs12Content): void {
  assert.equal(readCertificate(content.certificate).commonName, 'leaf.example.com')
  assert.equal(content.certificate, judge.run('x509', '-in', 'leaf.pem'))
  assert.ok(keyMatchesCertificate(content.certificate, content.privateKey))
  assert.deepEqual(
    content.intermediates.map((pem) => readCertificate(pem).commonName),
    ['Intermediate Two', 'Intermediate One', 'Root'],
  )
}

const exports: Readonly<Record<string, readonly string[]>> = {
  'OpenSSL 3': [],
  'OpenSSL 1 (RC2 of 40 bits, triple DES, SHA-1)': ['-legacy'],
  'RC2 of 128 bits': ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128'],
  'Windows, triple DES for both': [
    '-certpbe',
    'PBE-SHA1-3DES',
    '-keypbe',
    'PBE-SHA1-3DES',
    '-macalg',
    'sha1',
  ],
  'triple DES with two keys': ['-certpbe', 'PBE-SHA1-2DES', '-keypbe', 'PBE-SHA1-2DES'],
  'AES of 128 and 192 bits': ['-certpbe', 'AES-128-CBC', '-keypbe', 'AES-192-CBC'],
  'PBES2 with triple DES': ['-certpbe', 'DES-EDE3-CBC', '-keypbe', 'DES-EDE3-CBC'],
  'a MAC with SHA-512': ['-macalg', 'sha512'],
  'a MAC with SHA-384': ['-macalg', 'sha384'],
  'a MAC with SHA-224': ['-macalg', 'sha224'],
  'many iterations': ['-iter', '100000'],
  'one iteration': ['-noiter', '-nomaciter'],
  'no MAC': ['-nomac'],
  'certificates in the clear': ['-certpbe', 'NONE'],
  'nothing encrypted': ['-certpbe', 'NONE', '-keypbe', 'NONE'],
}

test('reads what OpenSSL exports in every way', async (t) => {
  const judge = judgeWithFamily(t)
  if (!judge) return
  let ran = 0
  for (const [what, options] of Object.entries(exports)) {
    judge.run(
      ...[
        'pkcs12',
        '-export',
        '-in',
        'leaf.pem',
        '-inkey',
        'leaf.key',
        '-certfile',
        'chain.pem',
        '-name',
        'www',
      ],
      ...['-passout', `pass:${password}`, '-out', 'out.p12', ...options],
    )
    const file = judge.read('out.p12')
    await t.test(what, async () => {
      assertFamily(judge, await readPkcs12(file, password))
      if (!options.includes('NONE') || !options.includes('-nomac')) {
        await assert.rejects(readPkcs12(file, 'wrong'), (failure) => {
          assert.ok(failure instanceof CertificateUnreadable)
          assert.match(failure.message, /password/)
          return true
        })
      }
    })
    ran++
  }
  assert.equal(ran, Object.keys(exports).length)
})

test('reads a file of BER: octets in pieces, values without lengths', async (t) => {
  const judge = judgeWithFamily(t)
  if (!judge) return
  judge.run(
    ...['pkcs12', '-export', '-in', 'leaf.pem', '-inkey', 'leaf.key', '-certfile', 'chain.pem'],
    ...['-passout', `pass:${password}`, '-out', 'out.p12'],
  )
  const [version, contentInfo, macData] = Asn1.read(judge.read('out.p12')).children
  assert.ok(version && contentInfo && macData)
  const safes = octetsInPieces(contentInfo.child(1).child(0).octets)
  const content = constructed(contextTag, [safes])
  const file = constructed(sequenceTag, [
    version.encoded,
    constructed(sequenceTag, [contentInfo.child(0).encoded, content]),
    macData.encoded,
  ])
  judge.write('pieces.p12', file)
  judge.run('pkcs12', '-in', 'pieces.p12', '-passin', `pass:${password}`, '-noout')
  assertFamily(judge, await readPkcs12(file, password))
})

const sequenceTag = 0x30
const contextTag = 0xa0
const octetsOfPiecesTag = 0x24

/** A value of indefinite length (X.690, section 8.1.3.6), which DER does not allow. */
function constructed(tag: number, parts: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.of(tag, 0x80), ...parts, Buffer.of(0, 0)])
}

function octetsInPieces(octets: Buffer): Buffer {
  const pieceSizeBytes = 100
  const starts = Array.from(
    { length: Math.ceil(octets.length / pieceSizeBytes) },
    (_, index) => index * pieceSizeBytes,
  )
  const pieces = starts.map((start) => octets.subarray(start, start + pieceSizeBytes))
  return constructed(
    octetsOfPiecesTag,
    pieces.map((piece) => Buffer.from(new asn1js.OctetString({ valueHex: piece }).toBER())),
  )
}

test('reads files with an empty password', async (t) => {
  const judge = judgeWithFamily(t)
  if (!judge) return
  for (const options of [[], ['-legacy']]) {
    judge.run(
      ...['pkcs12', '-export', '-in', 'leaf.pem', '-inkey', 'leaf.key', '-certfile', 'chain.pem', ...options],
      ...['-passout', 'pass:', '-out', 'out.p12'],
    )
    assertFamily(judge, await readPkcs12(judge.read('out.p12'), ''))
  }
})

const keySorts: Readonly<Record<string, readonly string[]>> = {
  RSA: ['rsa:2048'],
  secp256r1: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  secp384r1: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  secp521r1: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  Ed25519: ['ed25519'],
}

test('OpenSSL and Node read what is written, whatever the key', async (t) => {
  let ran = 0
  for (const [sort, newKey] of Object.entries(keySorts)) {
    const judge = judgeWithFamily(t, newKey)
    if (!judge) return
    for (const secret of sort === 'Ed25519' ? [password, ''] : [password]) {
      const pfx = await writePkcs12({
        certificate: judge.read('leaf.pem').toString(),
        privateKey: judge.read('leaf.key').toString(),
        intermediates: [judge.read('chain.pem').toString()],
        password: secret,
        friendlyName: 'Größe www',
      })
      judge.write('out.p12', pfx)
      const judgement = judge.run('pkcs12', '-in', 'out.p12', '-passin', `pass:${secret}`, '-info', '-noenc')
      assert.match(judgement, /MAC: sha256, Iteration 100000/)
      assert.equal(
        judgement.match(/PBES2, PBKDF2, AES-256-CBC, Iteration 100000, PRF hmacWithSHA256/g)?.length,
        2,
      )
      assert.equal(judgement.match(/localKeyID: /g)?.length, 2)
      assert.equal(judgement.match(/BEGIN CERTIFICATE/g)?.length, 4)
      judge.write('got', judgement)
      assert.equal(judge.run('x509', '-in', 'got'), judge.run('x509', '-in', 'leaf.pem'))
      assert.equal(judge.run('pkey', '-in', 'got'), judge.run('pkey', '-in', 'leaf.key'))
      tls.createSecureContext({ pfx, passphrase: secret })
      assertFamily(judge, await readPkcs12(pfx, secret))
    }
    assert.notEqual(judge.try('pkcs12', '-in', 'out.p12', '-passin', 'pass:wrong', '-noout').status, 0)
    ran++
  }
  assert.equal(ran, Object.keys(keySorts).length)
})

test('says what is missing in a PKCS #12 file', async (t) => {
  const judge = judgeWithFamily(t)
  if (!judge) return
  const make = (...options: string[]) => {
    judge.run('pkcs12', '-export', '-passout', 'pass:x', '-out', 'out.p12', ...options)
    return readPkcs12(judge.read('out.p12'), 'x')
  }
  await assert.rejects(make('-in', 'leaf.pem', '-nokeys'), /holds no private key/)
  await assert.rejects(
    make('-inkey', 'leaf.key', '-in', 'leaf.key', '-nocerts'),
    /holds no certificate of its private key/,
  )
  await assert.rejects(
    make('-in', 'leaf.pem', '-inkey', 'leaf.key', '-certfile', 'stranger.pem'),
    /"CN=Stranger", issued by "CN=Stranger", does not belong to the chain/,
  )
})

test('refuses a key that is not the certificate’s', async (t) => {
  const judge = judgeWithFamily(t)
  if (!judge) return
  const parts = {
    certificate: judge.read('leaf.pem').toString(),
    privateKey: judge.read('stranger.key').toString(),
  }
  await assert.rejects(writePkcs12({ ...parts, password }), /private key is not that of the certificate/)
})

test('a damaged file is refused, or gives what was in it', async (t) => {
  const judge = judgeWithFamily(t)
  if (!judge) return
  judge.run(
    ...[
      'pkcs12',
      '-export',
      '-in',
      'leaf.pem',
      '-inkey',
      'leaf.key',
      '-passout',
      'pass:x',
      '-out',
      'out.p12',
    ],
    ...['-noiter', '-nomaciter'],
  )
  const file = judge.read('out.p12')
  const whole = await readPkcs12(file, 'x')
  let refused = 0
  for (let index = 0; index < file.length; index += 3) {
    const damaged = Buffer.from(file)
    damaged[index] = damaged.readUInt8(index) ^ 0x41
    refused += await readOrRefuse(damaged, whole)
    await assert.rejects(readPkcs12(file.subarray(0, index), 'x'), CertificateUnreadable, `cut at ${index}`)
  }
  const tried = Math.ceil(file.length / 3)
  assert.ok(refused > tried * 0.95, `${refused} of ${tried}`)
})

/** Some bytes, such as the version, decide nothing. */
async function readOrRefuse(damaged: Buffer, whole: Pkcs12Content): Promise<0 | 1> {
  try {
    assert.deepEqual(await readPkcs12(damaged, 'x'), whole)
    return 0
  } catch (failure) {
    if (failure instanceof CertificateUnreadable) return 1
    throw failure
  }
}
