import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { describeWrongOption } from './wrong-option.ts'

const flags = ['config', 'read-data', 'backup-vault-directory', 'data-directory', 'firewall-run-proxy']

function saidOf(...args: string[]): string {
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'string' as const }]))
  try {
    parseArgs({ args, options })
  } catch (error) {
    return describeWrongOption(error, flags)
  }
  assert.fail('it was taken')
}

test('an unknown option is named in one sentence, with the one that was probably meant', () => {
  const cases = [
    ['--confg', 'config'],
    ['--dataDirectory', 'data-directory'],
    ['--read_data', 'read-data'],
    ['--backup-vault-directroy', 'backup-vault-directory'],
    ['--firewall-run-proxi=false', 'firewall-run-proxy'],
  ] as const
  for (const [given, meant] of cases) {
    const said = saidOf(given, 'x')
    assert.equal(said, `Unknown option '${given.replace(/=.*/, '')}'; did you mean --${meant}?`)
  }
})

test('an option that is like none is named alone, and other faults keep their words', () => {
  assert.equal(saidOf('--nonsense'), "Unknown option '--nonsense'")
  assert.match(saidOf('--config'), /argument missing/)
  assert.equal(describeWrongOption('other', flags), 'other')
})
