import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '@palisade/start-up'
import { parseVaultCommand } from './command-line.ts'

const wrong: [message: RegExp, ...words: string[]][] = [
  [/what to do is missing/],
  [/there is no "palisade vault destroy"/, 'destroy'],
  [/takes no --label/, 'check', '--label', 'x'],
  [/takes no --sample/, 'repair', '--sample', '5'],
  [/percentage from 1 to 100/, 'check', '--sample', '0'],
  [/percentage from 1 to 100/, 'check', '--sample', '101'],
  [/either --read-data or --sample/, 'check', '--sample', '5', '--read-data'],
  [/the id of the key is missing/, 'remove-key'],
  [/one of --new-key-file and --new-passphrase-file/, 'add-key'],
  [/one of --new-key-file/, 'change-key', '--new-key-file', 'a', '--new-passphrase-file', 'b'],
  [/there is no option --nonsense/, 'check', '--nonsense'],
  [/^there is no option --read-dta \(did you mean --read-data\?\)$/, 'check', '--read-dta'],
  [/"more" is too much/, 'check', 'more'],
]

test('says what is wrong with a command line', () => {
  for (const [message, ...words] of wrong) {
    assert.throws(
      () => parseVaultCommand(words),
      (error) => error instanceof UsageError && message.test(error.message),
      words.join(' '),
    )
  }
})

test('reads tasks, the configuration file, and members of the configuration', () => {
  const nothing = { configurationFile: undefined, members: {} }
  assert.deepEqual(parseVaultCommand(['check']), { task: { name: 'check', samplePercent: 0 }, ...nothing })
  assert.deepEqual(parseVaultCommand(['check', '--read-data']), {
    task: { name: 'check', samplePercent: 100 },
    ...nothing,
  })
  assert.deepEqual(
    parseVaultCommand(['repair', '--read-data', '--config', 'x.yaml', '--backup-vault-directory', '/v']),
    {
      task: { name: 'repair', readData: true },
      configurationFile: 'x.yaml',
      members: { 'backup-vault-directory': '/v' },
    },
  )
  assert.deepEqual(parseVaultCommand(['add-key', '--new-key-file', 'k', '--label', 'safe']), {
    task: { name: 'add-key', key: { keyFile: 'k' }, label: 'safe' },
    ...nothing,
  })
  assert.deepEqual(parseVaultCommand(['remove-key', 'abc']), {
    task: { name: 'remove-key', id: 'abc' },
    ...nothing,
  })
  assert.deepEqual(parseVaultCommand(['change-key', '--new-passphrase-file', 'p']), {
    task: { name: 'change-key', key: { passphraseFile: 'p' } },
    ...nothing,
  })
})
