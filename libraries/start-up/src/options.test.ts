import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOptions, UsageError } from './options.ts'

const options = {
  'log-level': { type: 'string' },
  'restore-to': { type: 'string', multiple: true },
  insecure: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

test('reads options, and words where there may be some', () => {
  const { values } = readOptions(
    ['--log-level', 'info', '--restore-to=/a', '--restore-to', '/b', '-h'],
    options,
  )
  assert.deepEqual({ ...values }, { 'log-level': 'info', 'restore-to': ['/a', '/b'], help: true })
  assert.deepEqual(readOptions(['use', '4.1.0'], options, { positionals: true }).positionals, [
    'use',
    '4.1.0',
  ])
})

test('says in one sentence what is wrong, and which option may be meant', () => {
  const cases = [
    [['--log-levl', 'info'], 'there is no option --log-levl (did you mean --log-level?)'],
    [['--log-levl=s3cret'], 'there is no option --log-levl (did you mean --log-level?)'],
    [['--log_level=x'], 'there is no option --log_level (did you mean --log-level?)'],
    [['--restoreTo', 'x'], 'there is no option --restoreTo (did you mean --restore-to?)'],
    [['--loud'], 'there is no option --loud'],
    [['-x'], 'there is no option -x'],
    [['--log-level'], 'the value of --log-level is missing'],
    [
      ['--log-level', '--insecure'],
      'the value of --log-level is missing; one that begins with a dash is written --log-level=-…',
    ],
    [['--insecure=yes'], '--insecure takes no value'],
    [['--help=yes'], '--help takes no value'],
    [['word'], '"word" is too much: there are options only'],
    [["two\n'words'"], `"two\n'words'" is too much: there are options only`],
  ] as const
  let ran = 0
  for (const [argv, message] of cases) {
    assert.throws(
      () => readOptions(argv, options),
      (error) => {
        assert.ok(error instanceof UsageError)
        assert.equal(error.message, message)
        return true
      },
    )
    ran++
  }
  assert.equal(ran, cases.length)
})
