import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kind } from '../../kinds/kind.ts'
import { withChosenDefaults } from './with-chosen-defaults.ts'

const lamp = {
  name: 'lamp',
  title: 'Lamp',
  description: 'A lamp.',
  path: 'lamps',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    status: { type: 'on-off', default: 'Off' },
  },
  sections: {
    shade: { title: 'Shade', description: 'A shade.', fields: { size: { type: 'integer', max: 9 } } },
  },
} as const satisfies Kind

test('a chosen default becomes the default of its field', () => {
  const [kind] = withChosenDefaults([lamp], { 'lamp/shade': { size: 3 } })
  assert.equal(kind?.sections?.shade?.fields.size?.default, 3)
})

test('a chosen default for nothing, or beside one of the documentation, is refused', () => {
  assert.throws(() => withChosenDefaults([lamp], { lamb: { size: 3 } }), /lamb, which is not there/)
  assert.throws(() => withChosenDefaults([lamp], { lamp: { size: 3 } }), /lamp size, which is not there/)
  assert.throws(() => withChosenDefaults([lamp], { lamp: { status: 'On' } }), /lamp status has a default/)
})
