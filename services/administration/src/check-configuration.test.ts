import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Grant } from './access/grants.ts'
import { problemsOfAdministration } from './check-configuration.ts'

test('refuses operators who are named twice and grants that make no sense, naming the place and no password', () => {
  const operator = (username: string, grants: Grant[]) => ({ username, password: 'a long secret', grants })
  const problems = problemsOfAdministration({
    attentionSeconds: 30,
    notifications: { channels: [], routes: [] },
    sessionHours: 12,
    sessionIdleMinutes: 120,
    operators: [
      operator('first', [{ role: 'owner' }, { role: 'owner', service: 'email' }]),
      operator('first', [{ role: 'auditor', service: 'backup', account: 'acme' }]),
      operator('second', [{ role: 'operator', account: 'acme' }]),
    ],
  })
  assert.deepEqual(
    problems.map(({ message }) => message),
    [
      'administration.operators.1 repeats a username',
      'administration.operators.0.grants.1 cannot be: An owner owns all of Palisade: leave service out',
      'administration.operators.2.grants.0 cannot be: A grant for an account has to name its service',
    ],
  )
})
