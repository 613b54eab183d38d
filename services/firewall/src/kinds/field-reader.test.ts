import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byName, isNotOff, isOn, items, number, numberOr, oneOf, textOr, texts } from './conversions.ts'
import { fieldReader, sectionReader, whenOn } from './field-reader.ts'
import type { Kind } from './kind.ts'
import type { Value } from './values.ts'

const lamp = {
  name: 'lamp',
  title: 'Lamp',
  description: 'A lamp.',
  path: 'lamps',
  fields: {
    name: { type: 'string' },
    mode: { type: 'choice', values: ['Bright', 'Dim', 'Strobe'] },
  },
  sections: {
    timer: {
      title: 'Timer',
      description: 'When it shines.',
      fields: {
        status: { type: 'on-off' },
        hours: { type: 'list', of: { type: 'string' } },
        pause: { type: 'integer' },
      },
    },
  },
} as const satisfies Kind

const object = (values: Record<string, Value>, timer: Record<string, Value> = {}) => ({
  content: { values, sections: { timer } },
})

test('reads fields under the names that proxies know them by', () => {
  const reader = sectionReader(lamp, 'timer', { shinesAt: ['hours', texts], pauseSeconds: ['pause', number] })
  assert.deepEqual(reader.of(object({}, { hours: ['1', '2'], pause: 5 })), {
    shinesAt: ['1', '2'],
    pauseSeconds: 5,
  })
  assert.deepEqual(reader.of(object({})), { shinesAt: [], pauseSeconds: 0 })
})

test('says which fields and values are enforced', () => {
  const own = fieldReader([lamp, { ...lamp, name: 'lantern' }], { mode: ['mode', oneOf('Bright', 'Dim')] })
  assert.deepEqual(
    [own.kinds, own.section, [...own.fields]],
    [['lamp', 'lantern'], undefined, [['mode', ['Bright', 'Dim']]]],
  )
  const { section, fields } = sectionReader(lamp, 'timer', { pauseSeconds: ['pause', number] })
  assert.deepEqual([section, [...fields]], ['timer', [['pause', undefined]]])
})

test('leaves out what a conversion gives nothing for', () => {
  const pause = (value: Value | undefined) => (value === undefined ? undefined : Number(value))
  const reader = sectionReader(lamp, 'timer', { pauseSeconds: ['pause', pause] })
  assert.deepEqual(Object.keys(reader.of(object({}))), [])
  assert.deepEqual(reader.of(object({}, { pause: 3 })), { pauseSeconds: 3 })
})

test('reads nothing of what is switched off', () => {
  const reader = whenOn(
    sectionReader(lamp, 'timer', { isOn: ['status', isOn], pauseSeconds: ['pause', number] }),
  )
  assert.equal(reader.of(object({}, { status: 'Off', pause: 3 })), undefined)
  assert.deepEqual(reader.of(object({}, { status: 'On', pause: 3 })), { pauseSeconds: 3 })
  assert.deepEqual([...reader.fields.keys()], ['status', 'pause'])
})

test('takes what stands in for a field that holds nothing', () => {
  const mode = byName({ Bright: 'bright', Dim: 'dim' }, 'off')
  assert.deepEqual(
    [mode('Bright'), mode('Dim'), mode('Strobe'), mode(undefined)],
    ['bright', 'dim', 'off', 'off'],
  )
  assert.deepEqual([numberOr(5)(undefined), numberOr(5)(''), numberOr(5)(0)], [5, 5, 0])
  assert.deepEqual([textOr('x')(undefined), textOr('x')(''), textOr('x')('y')], ['x', 'x', 'y'])
  assert.deepEqual([undefined, 'Yes', 'No', 'Off', 'Disable'].map(isNotOff), [
    true,
    true,
    false,
    false,
    false,
  ])
})

test('takes a text with commas for one item', () => {
  assert.deepEqual([items(undefined), items('a, b'), items(['a', ' b'])], [[], ['a, b'], ['a', ' b']])
})
