import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from './kind.ts'
import { applicationId, objectName, parameterNames } from './patterns.ts'
import { expectation, readValue, shownValue, unacceptable } from './values.ts'

/** What a field makes of what is given; `no` where it is refused. */
const no = unacceptable
const cases: [field: Field, given: [unknown, unknown][], expected: string][] = [
  [
    { type: 'string', lengthMax: 5 },
    [
      ['abcde', 'abcde'],
      ['abcdef', no],
      ['', undefined],
      [12, '12'],
      ['a\tb\nc', 'a\tb\nc'],
      ['a\0', no],
      ['\x7f', no],
      ['\ud83d\ude00', '\ud83d\ude00'],
      ['\ud83d', no],
      ['unacceptable', no],
      [true, no],
      [null, no],
      [['a'], no],
      [{}, no],
    ],
    'text of at most 5 characters',
  ],
  [
    { type: 'string' },
    [
      ['x'.repeat(4096), 'x'.repeat(4096)],
      ['x'.repeat(4097), no],
      ['unacceptable', 'unacceptable'],
    ],
    'text of at most 4096 characters',
  ],
  [
    { type: 'string', lengthMax: 64, pattern: objectName },
    [
      ['a', 'a'],
      ['A.b_c-9', 'A.b_c-9'],
      ['9a', no],
      ['a b', no],
      ['a\n', no],
      ['ä', no],
    ],
    'text of at most 64 characters that starts with a letter and continues with letters, digits, ".", "_" and "-"',
  ],
  [
    { type: 'string', pattern: applicationId },
    [
      ['shop*.1_a-b', 'shop*.1_a-b'],
      ['é', 'é'],
      ['a/b', no],
    ],
    'text of at most 4096 characters of letters, digits, "*", ".", "_" and "-"',
  ],
  [
    { type: 'string', lengthMin: 2, lengthMax: 1024, pattern: parameterNames },
    [
      ['card,pin', 'card,pin'],
      ['*', no],
      ['**', '**'],
      ['$a[%]#@:. b', '$a[%]#@:. b'],
      ['1a', no],
      ['a&b', no],
    ],
    'text of 2 to 1024 characters that names parameters, separated by commas, starting with a letter, "_", "$" or "*" and continuing with letters, digits and any of "_-.:,$@#*[]%"',
  ],
  [
    { type: 'integer', min: 0, max: 600 },
    [
      [0, 0],
      ['600', 600],
      ['007', 7],
      ['-0', 0],
      [-1, no],
      [601, no],
      ['1e2', no],
      [1.5, no],
      [' 1', no],
      ['', undefined],
      [Number.NaN, no],
      ['99999999999999999999', no],
    ],
    'an integer from 0 to 600',
  ],
  [
    { type: 'integer', min: 5 },
    [
      [5, 5],
      [4, no],
      [2 ** 53, no],
    ],
    'an integer of at least 5',
  ],
  [
    { type: 'integer', max: 5 },
    [
      [-5, -5],
      [6, no],
    ],
    'an integer of at most 5',
  ],
  [{ type: 'integer' }, [['-12', -12]], 'an integer'],
  [
    { type: 'choice', values: ['HTTP', 'Instant SSL'], alsoCalled: { 'Any SSL': 'Instant SSL' } },
    [
      ['http', 'HTTP'],
      ['INSTANT ssl', 'Instant SSL'],
      ['any ssl', 'Instant SSL'],
      ['constructor', no],
      ['', undefined],
      ['HTTPS', no],
    ],
    'one of HTTP, Instant SSL',
  ],
  [
    { type: 'on-off' },
    [
      ['on', 'On'],
      ['OFF', 'Off'],
      ['Yes', no],
      [true, no],
    ],
    'one of On, Off',
  ],
  [
    { type: 'yes-no' },
    [
      ['yes', 'Yes'],
      ['NO', 'No'],
      ['On', no],
    ],
    'one of Yes, No',
  ],
  [
    { type: 'ip-address' },
    [
      ['192.0.2.1', '192.0.2.1'],
      ['2001:db8::1', '2001:db8::1'],
      ['192.0.2.256', no],
      ['192.0.2', no],
      ['fe80::1%eth0', no],
      ['192.0.2.0/24', no],
    ],
    'an IP address',
  ],
  [
    { type: 'netmask' },
    [
      ['255.255.255.0', '255.255.255.0'],
      ['255.255.255.255', '255.255.255.255'],
      ['0.0.0.0', '0.0.0.0'],
      [24, '24'],
      ['128', '128'],
      ['129', no],
      ['255.0.255.0', no],
      ['255.255.255', no],
    ],
    'a netmask, such as 255.255.255.0 or 24',
  ],
  [
    { type: 'reference', to: 'vsite' },
    [
      ['default', 'default'],
      ['a\0', no],
    ],
    'the name of a vsite',
  ],
  [
    { type: 'list', of: { type: 'integer', min: 1, max: 9 } },
    [
      [
        [1, '2'],
        ['1', '2'],
      ],
      ['1, 2,3', ['1', '2', '3']],
      ['', []],
      [[], []],
      [['', 1], ['1']],
      [[10], no],
      ['1;2', no],
      [7, no],
      [{ 0: 1 }, no],
    ],
    'a list, or one text with commas, in which each item is an integer from 1 to 9',
  ],
]

for (const [field, input, expected] of cases) {
  test(`a member that must be ${expected} takes that and nothing else`, () => {
    assert.equal(expectation(field), expected)
    for (const [value, read] of input) assert.deepEqual(readValue(field, value), read, JSON.stringify(value))
  })
}

test('everything is shown as text, and nothing as an empty text or an empty list', () => {
  assert.equal(shownValue({ type: 'integer' }, 80), '80')
  assert.equal(shownValue({ type: 'integer' }, undefined), '')
  assert.equal(shownValue({ type: 'string' }, 'a'), 'a')
  assert.deepEqual(shownValue({ type: 'list', of: { type: 'string' } }, ['a']), ['a'])
  assert.deepEqual(shownValue({ type: 'list', of: { type: 'string' } }, undefined), [])
})

test('what is shown is read back as the same value', () => {
  for (const [field, input] of cases) {
    for (const [value] of input) {
      const read = readValue(field, value)
      if (read === unacceptable) continue
      const again = readValue(field, shownValue(field, read))
      assert.deepEqual(again, read)
    }
  }
})
