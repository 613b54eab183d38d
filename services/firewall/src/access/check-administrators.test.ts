import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAdministrators } from './check-administrators.ts'

const named = (username: string) => ({ username, password: 'a secret', role: 'admin' })

test('takes administrators with names of their own', () => {
  assert.doesNotThrow(() => checkAdministrators([named('admin'), named('Admin'), named('ädmin')]))
})

test('refuses a username that is given twice or cannot be stored, naming the place and no password', () => {
  assert.throws(() => checkAdministrators([named('admin'), named('a\0b'), named('admin')]), {
    message:
      'The configuration of the firewall is not valid:\n' +
      '  firewall.administrators.2 repeats a username\n' +
      '  firewall.administrators.1 has a username with characters that no store keeps',
  })
})
