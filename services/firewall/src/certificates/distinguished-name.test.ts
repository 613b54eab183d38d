import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonNameOf, nameInOneLine } from './distinguished-name.ts'
import { makeSelfSigned, readCertificate } from './index.ts'

test('a common name comes back as it was given', async () => {
  for (const commonName of ['a, b', 'a + b', '"a" \\ <b>;', ' #a ', 'Größe 世界', 'a\tb', '\\0A', 'CN=x']) {
    const { certificatePem } = await makeSelfSigned({
      commonName,
      organizationName: 'CN=other + CN=third',
      key: { type: 'ECDSA', curve: 'secp256r1' },
      notBefore: new Date(),
      validityDays: 1,
    })
    assert.equal(readCertificate(certificatePem).commonName, commonName)
  }
})

test('the most specific common name counts, also beside another part', () => {
  assert.equal(commonNameOf('CN=a\nO=b\nCN=c'), 'c')
  assert.equal(commonNameOf('O=b\nOU=x + CN=d'), 'd')
  assert.equal(commonNameOf('O=b'), undefined)
  assert.equal(commonNameOf(undefined), undefined)
  assert.equal(nameInOneLine('C=US\nO=b\\, c'), 'C=US, O=b\\, c')
  assert.equal(nameInOneLine(undefined), '')
})
