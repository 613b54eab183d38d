import assert from 'node:assert/strict'
import { createCipheriv, createHash } from 'node:crypto'
import { test } from 'node:test'
import { CertificateUnreadable, keyMatchesCertificate, readPrivateKey } from './index.ts'
import { pemBlocks, toPem } from './pem.ts'
import { certificateFamily } from './testing/certificate-family.ts'
import { type Openssl, openssl } from './testing/openssl.ts'

const password = 'pâss word'

interface Form {
  readonly how: readonly string[]
  readonly encrypted?: boolean
  readonly only?: 'rsa' | 'ec'
}

const forms: Readonly<Record<string, Form>> = {
  'PKCS #8': { how: ['pkcs8', '-topk8', '-nocrypt'] },
  'PKCS #8 DER': { how: ['pkcs8', '-topk8', '-nocrypt', '-outform', 'DER'] },
  'PKCS #1': { how: ['rsa', '-traditional'], only: 'rsa' },
  'PKCS #1 DER': { how: ['rsa', '-traditional', '-outform', 'DER'], only: 'rsa' },
  'SEC 1': { how: ['ec'], only: 'ec' },
  'SEC 1 DER': { how: ['ec', '-outform', 'DER'], only: 'ec' },
  'encrypted PKCS #8': { how: ['pkcs8', '-topk8'], encrypted: true },
  'encrypted PKCS #8 DER': { how: ['pkcs8', '-topk8', '-outform', 'DER'], encrypted: true },
  'encrypted with AES-128 and HMAC-SHA-1': {
    how: ['pkcs8', '-topk8', '-v2', 'aes-128-cbc', '-v2prf', 'hmacWithSHA1'],
    encrypted: true,
  },
  'encrypted with HMAC-SHA-512': { how: ['pkcs8', '-topk8', '-v2prf', 'hmacWithSHA512'], encrypted: true },
  'encrypted with triple DES': { how: ['pkcs8', '-topk8', '-v2', 'des3'], encrypted: true },
  'encrypted as in PKCS #12': { how: ['pkcs8', '-topk8', '-v1', 'PBE-SHA1-3DES'], encrypted: true },
  'PKCS #1 with AES-256': { how: ['rsa', '-traditional', '-aes256'], encrypted: true, only: 'rsa' },
  'PKCS #1 with triple DES': { how: ['rsa', '-traditional', '-des3'], encrypted: true, only: 'rsa' },
  'SEC 1 with AES-128': { how: ['ec', '-aes128'], encrypted: true, only: 'ec' },
}

test('reads private keys in every form in which OpenSSL writes them', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  judge.run('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', 'rsa.key')
  judge.run('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384', '-out', 'ec.key')
  let ran = 0
  for (const [what, form] of Object.entries(forms)) {
    for (const sort of ['rsa', 'ec'] as const) {
      if (form.only && form.only !== sort) continue
      const file = written(judge, `${sort}.key`, form)
      const expected = judge.run('pkey', '-in', `${sort}.key`)
      assert.equal(await readPrivateKey(file, form.encrypted ? password : undefined), expected, what)
      if (form.encrypted) await assertNeedsPassword(file, what)
      ran++
    }
  }
  assert.equal(ran, 23)
})

/** What OpenSSL makes of a key; PEM as text, DER as bytes. */
function written(judge: Openssl, key: string, { how, encrypted }: Form): string | Buffer {
  const secret = encrypted ? ['-passout', `pass:${password}`] : []
  judge.run(...how, '-in', key, '-out', 'out', ...secret)
  return how.includes('DER') ? judge.read('out') : judge.read('out').toString()
}

async function assertNeedsPassword(file: string | Buffer, what: string): Promise<void> {
  await assert.rejects(readPrivateKey(file), /is encrypted, and no password was given/, what)
  for (const wrong of ['incorrect horse', `${password} `]) {
    await assert.rejects(
      readPrivateKey(file, wrong),
      (failure) => {
        assert.ok(failure instanceof CertificateUnreadable)
        assert.match(failure.message, /password/)
        assert.ok(!failure.message.includes(wrong))
        return true
      },
      what,
    )
  }
}

test('finds the key beside certificates and parameters', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  certificateFamily(judge)
  const parameters = judge.run('ecparam', '-name', 'prime256v1')
  const text = `${judge.read('leaf.pem')}${parameters}${judge.run('ec', '-in', 'leaf.key').replace('read EC key', '')}`
  const key = await readPrivateKey(text)
  assert.equal(key, judge.run('pkey', '-in', 'leaf.key'))
  assert.equal(keyMatchesCertificate(text, key), true)
  assert.equal(keyMatchesCertificate(judge.read('two.pem').toString(), key), false)
})

test('names the algorithm of a key that is encrypted in a way that is not known', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  judge.run('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'ec.key')
  judge.run('pkcs8', '-topk8', '-scrypt', '-in', 'ec.key', '-out', 'out', '-passout', 'pass:x')
  await assert.rejects(
    readPrivateKey(judge.read('out').toString(), 'x'),
    /algorithm that is not known here \(1\.3\.6\.1\.4\.1\.11591\.4\.11\)/,
  )
})

test('does not hash a password for hours', async (t) => {
  const judge = openssl(t)
  if (!judge) return
  judge.run('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'ec.key')
  judge.run('pkcs8', '-topk8', '-iter', '2000001', '-in', 'ec.key', '-out', 'out', '-passout', 'pass:x')
  const pem = judge.read('out').toString()
  await assert.rejects(readPrivateKey(pem, 'x'), /hashes the password more than 2000000 times/)
  await assert.rejects(
    readPrivateKey(encryptedAgain(pem, 'x'), 'x'),
    /password does not open the private key/,
  )
})

/** A key that is encrypted already, encrypted once more the old way; OpenSSL opens both. */
function encryptedAgain(pem: string, password: string): string {
  const salt = Buffer.alloc(8, 1)
  const hash = (before: Buffer) => createHash('md5').update(before).update(password).update(salt).digest()
  const first = hash(Buffer.alloc(0))
  const cipher = createCipheriv('aes-256-cbc', Buffer.concat([first, hash(first)]), Buffer.alloc(16, 1))
  const [block] = pemBlocks(pem)
  assert.ok(block)
  const der = Buffer.concat([cipher.update(block.der), cipher.final()])
  return toPem({ ...block, dekInfo: `AES-256-CBC,${'01'.repeat(16)}`, der })
}
