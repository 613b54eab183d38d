import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOfFirewall } from './check-configuration.ts'

const administrator = (username: string) => ({ username, password: 'a secret', role: 'admin' })
const messages = (administrators: ReturnType<typeof administrator>[], forbiddenAddresses: string[] = []) =>
  problemsOfFirewall({ administrators, forbiddenAddresses }).map(({ message }) => message)

test('takes administrators with names of their own', () => {
  assert.deepEqual(messages([administrator('admin'), administrator('Admin'), administrator('ädmin')]), [])
})

test('refuses a username that is given twice or cannot be stored, naming the place and no password', () => {
  assert.deepEqual(messages([administrator('admin'), administrator('a\0b'), administrator('admin')]), [
    'firewall.administrators.2 repeats a username',
    'firewall.administrators.1 has a username with characters that no store keeps',
  ])
})

test('refuses what is no network, naming the member', () => {
  assert.deepEqual(messages([], ['10.0.0.0/8', '::1']), [])
  assert.deepEqual(messages([], ['10.0.0.0/8', 'metadata', 'fe80::/200']), [
    'firewall.forbiddenAddresses.1 must be an address, or a network such as 169.254.0.0/16',
    'firewall.forbiddenAddresses.2 must be an address, or a network such as 169.254.0.0/16',
  ])
})
