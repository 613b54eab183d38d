import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { featuresOf, transformations, urlDecodeUniWith } from '../index.ts'
import { readUnicodeMap } from './url.ts'

function apply(name: string, value: string): string {
  const transformation = transformations.get(name.toLowerCase())
  assert.ok(transformation, `there is no transformation ${name}`)
  return transformation.apply(value)
}

/** Name, value, result. */
const examples: readonly (readonly [string, string, string])[] = [
  ['none', ' aB%20', ' aB%20'],
  ['lowercase', 'AbC\xc9', 'abc\xc9'],
  ['uppercase', 'AbC\xe9', 'ABC\xe9'],
  ['urlDecode', 'a+b%20c%zz%4', 'a b c%zz%4'],
  ['urlDecodeUni', '%u0041%uFF21%41+%u00g0', 'AAA %u00g0'],
  ['urlEncode', 'a b*/\xe9', 'a+b*%2f%e9'],
  ['htmlEntityDecode', '&lt;&GT&amp;&quot;&nbsp;&#65;&#x42&copy;&#', '<>&"\xa0AB&copy;&#'],
  ['jsDecode', '\\x41\\u0042\\uff23\\104\\n\\q\\', 'ABCD\nq\\'],
  ['cssDecode', '\\41 \\000042\\ff23 x\\\ny\\z\\', 'AB\x43xyz'],
  ['escapeSeqDecode', '\\x41\\102\\n\\q\\', 'AB\nq\\'],
  ['base64Decode', 'QUJD*REVG', 'ABC'],
  ['base64DecodeExt', 'QU*JD\nREVG', 'ABCDEF'],
  ['base64Encode', 'ABC\xff', 'QUJD/w=='],
  ['hexDecode', '414243f', 'ABC'],
  ['hexEncode', 'A\xff', '41ff'],
  ['sqlHexDecode', 'select 0x414243 0xZ', 'select ABC 0xZ'],
  ['cmdLine', 'C^mD /c  "dIr";\t(x)', 'cmd/c dir(x)'],
  ['compressWhitespace', ' a \t\n\xa0b', ' a b'],
  ['removeWhitespace', ' a \t\n\xa0b', 'ab'],
  ['trim', '\t a b\n', 'a b'],
  ['trimLeft', '\t a b\n', 'a b\n'],
  ['trimRight', '\t a b\n', '\t a b'],
  ['removeNulls', 'a\0b', 'ab'],
  ['replaceNulls', 'a\0b', 'a b'],
  ['replaceComments', 'a/*b*/c/*d', 'a c '],
  ['removeComments', 'a/*b*/ c--d', 'a c'],
  ['removeCommentsChar', 'a/*b*/c--#<!--d-->', 'abcd'],
  ['normalisePath', '/a/./b//../c/', '/a/c/'],
  ['normalizePathWin', '\\a\\..\\b', '/b'],
  ['length', 'abc', '3'],
  ['utf8toUnicode', 'a\xc3\xa9\xe2\x82\xac', 'a%u00e9%u20ac'],
  ['parityZero7bit', '\xc1A', 'AA'],
  ['parityEven7bit', 'AC', 'A\xc3'],
  ['parityOdd7bit', 'AC', '\xc1C'],
]

test('transforms as the examples say', () => {
  for (const [name, value, result] of examples) {
    assert.equal(apply(name, value), result, `${name} of ${JSON.stringify(value)}`)
  }
})

test('digests are bytes, not digits', () => {
  assert.equal(apply('hexEncode', apply('md5', '')), 'd41d8cd98f00b204e9800998ecf8427e')
  assert.equal(apply('hexEncode', apply('sha1', 'abc')), 'a9993e364706816aba3e25717850c26c9cd0d89d')
})

test('a code page maps characters that the lower byte would get wrong', () => {
  const map = readUnicodeMap('1250  (Other)\n00a1:22\n\n20127 (US-ASCII)\n2215:2f ff0f:2f\n', 20127)
  assert.ok(map)
  assert.equal(urlDecodeUniWith(map).apply('%u2215+%uff0f%u0041%41'), '/ /AA')
  assert.equal(readUnicodeMap('1250  (Other)\n00a1:22\n', 20127), undefined)
})

/** Byte strings rich in what transformations look at. */
const bytes = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...'aAxu09%+&;#\\/.*-<!"\'^,( \t\n\0\xa0\xc3\xa9',
      '%41',
      '&lt;',
      '\\x41',
      '/../',
      '/*',
      '*/',
      '0x41',
    ),
    fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)),
  ),
  maxLength: 20,
})

test('a transformation whose mask a value does not meet leaves it as it is', () => {
  for (const { name, apply: transform, featureMask } of transformations.values()) {
    fc.assert(
      fc.property(bytes, (value) => {
        if ((featureMask & featuresOf(value)) === 0) assert.equal(transform(value), value)
      }),
      { numRuns: 400 },
    )
    assert.equal(name, name.toLowerCase())
  }
})

test('every transformation gives a byte string for every byte string', () => {
  for (const { apply: transform } of transformations.values()) {
    fc.assert(
      fc.property(bytes, (value) => {
        assert.doesNotMatch(transform(value), /[^\0-\xff]/)
      }),
    )
  }
})

test('what has been transformed once stays so, where that is so', () => {
  const names = ['lowercase', 'uppercase', 'trim', 'compressWhitespace', 'removeWhitespace', 'removeNulls']
  for (const name of [...names, 'replaceNulls', 'parityZero7bit', 'trimLeft', 'trimRight']) {
    fc.assert(
      fc.property(bytes, (value) => {
        const once = apply(name, value)
        assert.equal(apply(name, once), once)
      }),
    )
  }
})

test('decoding undoes encoding', () => {
  fc.assert(
    fc.property(bytes, (value) => {
      assert.equal(apply('urlDecode', apply('urlEncode', value)), value)
      assert.equal(apply('hexDecode', apply('hexEncode', value)), value)
      assert.equal(apply('base64Decode', apply('base64Encode', value)), value)
    }),
  )
})
