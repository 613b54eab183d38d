import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStorableText } from '@palisade/platform'
import fc from 'fast-check'
import { singleLine } from './single-line.ts'

test('whatever an agent says, the store can keep it and the log shows it in one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 20 }), (text, lengthMax) => {
      const line = singleLine(text, lengthMax)
      assert.ok(isStorableText(line) && line.length <= lengthMax && !/\p{Cc}/u.test(line))
    }),
  )
  assert.equal(singleLine('a\r\nb\0c', 10), 'a b c')
})
