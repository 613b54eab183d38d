import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { partialNames, safeBaseName } from './file-names.ts'

test('a good name stays as it is', () => {
  for (const name of ['files01-Archive-12', 'Büro-é-3', 'a b', 'x.y']) assert.equal(safeBaseName(name), name)
})

test('a suggested name cannot lead out of the folder, hide, or be read as something else', () => {
  const names = {
    '../../etc/passwd': '_.._etc_passwd',
    '/absolute': '_absolute',
    '.hidden': 'hidden',
    'C:\\x': 'C__x',
    'a\0b\nc': 'a_b_c',
    'dots...': 'dots',
    '': 'disk',
    '...': 'disk',
  }
  for (const [suggested, expected] of Object.entries(names)) assert.equal(safeBaseName(suggested), expected)
})

test('whatever is suggested, the names are single ones that every file system takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (suggested) => {
      const name = safeBaseName(suggested)
      const [partial = ''] = partialNames('x'.repeat(64), [name])
      assert.ok(!/[\\/]/.test(partial))
      assert.ok(name.isWellFormed() && name.length > 0 && !name.startsWith('.'))
      assert.ok(!/[\p{Cc}/\\]/u.test(name))
      assert.ok(Buffer.byteLength(partial) <= 255)
    }),
  )
})

test('disks of one name have partial names of their own', () => {
  assert.deepEqual(partialNames('r1', ['a', 'b', 'a']), ['.a.r1.partial', '.b.r1.partial', '.a.r1-3.partial'])
})
