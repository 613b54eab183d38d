import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'node:test'
import { readPublicKeys } from './index.ts'
import { certificateFamily } from './testing/certificate-family.ts'
import { openssl } from './testing/openssl.ts'

test('reads public keys and certificates that OpenSSL writes', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  certificateFamily(judge)
  judge.run('genrsa', '-out', 'rsa.key', '2048')
  const rsa = judge.run('pkey', '-in', 'rsa.key', '-pubout')
  const leaf = judge.run('x509', '-in', 'leaf.pem', '-noout', '-pubkey')
  judge.run('rsa', '-in', 'rsa.key', '-RSAPublicKey_out', '-out', 'pkcs1')
  judge.run('pkey', '-in', 'rsa.key', '-pubout', '-outform', 'DER', '-out', 'spki.der')
  judge.run('x509', '-in', 'leaf.pem', '-outform', 'DER', '-out', 'leaf.der')
  const expiry = new Date(
    Date.parse(judge.run('x509', '-in', 'leaf.pem', '-noout', '-enddate').replace('notAfter=', '')),
  )

  const read = readPublicKeys(`${rsa}${judge.read('pkcs1')}${judge.read('leaf.pem')}`)
  assert.deepEqual(
    read.map(({ pem }) => pem),
    [rsa, rsa, leaf],
  )
  assert.deepEqual(read[0]?.keyType, { type: 'RSA', bits: 2048 })
  assert.deepEqual([read[0]?.commonName, read[0]?.expiry], [undefined, undefined])
  assert.deepEqual([read[2]?.commonName, read[2]?.expiry], ['leaf.example.com', expiry])
  assert.equal(readPublicKeys(judge.read('spki.der'))[0]?.pem, rsa)
  assert.equal(readPublicKeys(judge.read('leaf.der').toString('base64'))[0]?.commonName, 'leaf.example.com')
})

test('reads JSON Web Keys, with their certificates', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  certificateFamily(judge)
  const leaf = judge.run('x509', '-in', 'leaf.pem', '-noout', '-pubkey')
  const jwk = createPublicKey(leaf).export({ format: 'jwk' })
  judge.run('x509', '-in', 'leaf.pem', '-outform', 'DER', '-out', 'leaf.der')
  const x5c = [judge.read('leaf.der').toString('base64')]
  const set = {
    keys: [{ ...jwk, kid: 'a', alg: 'ES256' }, { ...jwk, x5c }, { ...jwk, use: 'enc' }, { kty: 'other' }],
  }
  const read = readPublicKeys(JSON.stringify(set))
  assert.deepEqual(
    read.map(({ pem, keyId, algorithm, commonName }) => [pem, keyId, algorithm, commonName]),
    [
      [leaf, 'a', 'ES256', undefined],
      [leaf, undefined, undefined, 'leaf.example.com'],
    ],
  )
  assert.equal(readPublicKeys(JSON.stringify(jwk)).length, 1)

  judge.run('x509', '-in', 'two.pem', '-outform', 'DER', '-out', 'two.der')
  const foreign = { ...jwk, x5c: [judge.read('two.der').toString('base64')] }
  assert.throws(() => readPublicKeys(JSON.stringify(foreign)), /are of different keys/)
})
