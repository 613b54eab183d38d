import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Grant } from './access/grants.ts'
import { problemsOfAdministration } from './check-configuration.ts'
import type { AdministrationConfiguration } from './configuration.ts'

const configuration: AdministrationConfiguration = {
  attentionSeconds: 30,
  operators: [],
  openid: [],
  notifications: { channels: [], routes: [], forbiddenAddresses: [] },
  sessionHours: 12,
  sessionIdleMinutes: 120,
}

test('refuses operators who are named twice and grants that make no sense, naming the place and no password', () => {
  const operator = (username: string, grants: Grant[]) => ({ username, password: 'a long secret', grants })
  const problems = problemsOfAdministration({
    ...configuration,
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

test('single sign-on needs the public address, safe addresses, and providers that differ', () => {
  const provider = {
    name: 'company',
    issuer: 'https://login.example.org',
    clientId: 'palisade',
    clientSecretFile: 'secret',
    scopes: [],
    usernameClaim: 'preferred_username',
    grants: [{ claim: 'groups', value: 'admins', grants: [{ role: 'owner' as const }] }],
  }
  const loopback = { ...provider, name: 'local', issuer: 'http://127.0.0.1:9000/realms/company' }
  const publicUrl = 'https://palisade.example.org'
  const pathsOf = (given: Partial<AdministrationConfiguration>) =>
    problemsOfAdministration({ ...configuration, ...given }).map(({ path }) => path.join('.'))
  assert.deepEqual(pathsOf({ publicUrl, openid: [provider, loopback] }), [])
  assert.deepEqual(pathsOf({ publicUrl: 'http://localhost:8080/' }), [])
  assert.deepEqual(pathsOf({ openid: [provider] }), ['administration.publicUrl'])
  for (const wrong of ['http://palisade.example.org', `${publicUrl}/path`, `${publicUrl}?`, 'https://']) {
    assert.deepEqual(pathsOf({ publicUrl: wrong }), ['administration.publicUrl'], wrong)
  }
  for (const issuer of [
    'http://login.example.org',
    'https://a@login.example.org',
    'https://x?y',
    'https://',
  ]) {
    assert.deepEqual(
      pathsOf({ publicUrl, openid: [{ ...provider, issuer }] }),
      ['administration.openid.0.issuer'],
      issuer,
    )
  }
  assert.deepEqual(pathsOf({ publicUrl, openid: [provider, provider] }), [
    'administration.openid.1.name',
    'administration.openid.1.issuer',
  ])
  const odd = { claim: 'x', value: 'y', grants: [{ role: 'owner' as const, service: 'backup' as const }] }
  assert.deepEqual(pathsOf({ publicUrl, openid: [{ ...provider, grants: [odd] }] }), [
    'administration.openid.0.grants.0.grants.0',
  ])
})
