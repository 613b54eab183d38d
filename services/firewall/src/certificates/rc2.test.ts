import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decryptRc2Cbc } from './rc2.ts'

/** RFC 2268, section 5: those whose keys have as many effective bits as bits. */
const vectors = [
  { key: 'ffffffffffffffff', text: 'ffffffffffffffff', encrypted: '278b27e42e2f0d49' },
  { key: '3000000000000000', text: '1000000000000001', encrypted: '30649edf9be7d2c2' },
  { key: '88bca90e90875a7f0f79c384627bafb2', text: '0000000000000000', encrypted: '2269552ab0f85ca6' },
]

test('decrypts as RFC 2268 says', () => {
  for (const { key, text, encrypted } of vectors) {
    // The vectors have no padding: the initialisation vector is chosen so that the text becomes eight bytes of it.
    const iv = Buffer.from(text, 'hex').map((byte) => byte ^ 0x08)
    const padding = Buffer.from(encrypted, 'hex')
    assert.equal(decryptRc2Cbc(Buffer.from(key, 'hex'), Buffer.from(iv), padding).length, 0)
    const changed = Buffer.from(iv)
    changed[0] = changed.readUInt8(0) ^ 1
    assert.throws(() => decryptRc2Cbc(Buffer.from(key, 'hex'), changed, padding), /padding/)
  }
})
