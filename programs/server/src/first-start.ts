import { rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { FirstOwner } from '@palisade/administration'
import { newSecret } from '@palisade/platform'
import type { Configuration } from './configuration/schema.ts'

/**
 * What a first start without a configuration file provisions: one administrator for each service, each with a
 * random secret that exists nowhere else.
 */
export function firstStartConfiguration(configuration: Configuration): Configuration {
  return {
    ...configuration,
    firewall: {
      ...configuration.firewall,
      administrators: [{ username: 'admin', password: newSecret(), role: 'admin' }],
    },
    awareness: {
      ...configuration.awareness,
      users: [{ username: 'api', password: newSecret(), permissions: ['campaigns', 'results'] }],
      apiKeys: [{ key: newSecret(), username: null, allowedAddresses: [] }],
    },
    backup: {
      ...configuration.backup,
      accounts: [{ id: 'main', computers: [{ id: '0001', name: hostname(), enrolmentKey: newSecret() }] }],
      apiClients: [
        {
          clientId: 'admin',
          clientSecret: newSecret(),
          accounts: ['main'],
          scopes: ['accounts_read', 'accounts_write', 'computers_read', 'computers_write'],
        },
      ],
    },
    email: {
      ...configuration.email,
      accounts: [{ id: '1', name: 'Main', region: 'US', domains: [] }],
      apiClients: [
        {
          clientId: 'admin',
          clientSecret: newSecret(),
          accounts: ['1'],
          scopes: ['ess:account:read', 'ess:account:write'],
        },
      ],
    },
  }
}

/**
 * Puts down what the first operator logs in with, where a start shows no credentials: in a file that only the server's own user reads.
 *
 * @returns the path of the file
 */
export function writeFirstOwner(dataDirectory: string, { username, password }: FirstOwner): string {
  const file = join(dataDirectory, 'first-owner.txt')
  // That of a database before is of no use any more.
  rmSync(file, { force: true })
  writeFileSync(file, `username ${username}\npassword ${password}\n`, { mode: 0o600, flag: 'wx' })
  return file
}

/** The same as text, to be shown once. */
export function describeCredentials(
  { firewall, awareness, backup, email }: Configuration,
  owner: FirstOwner | undefined,
): string {
  const rows = [
    ...(owner ? [['Palisade', `username ${owner.username}`, `password ${owner.password}`]] : []),
    ...firewall.administrators.map((who) => [
      'firewall',
      `username ${who.username}`,
      `password ${who.password}`,
    ]),
    ...awareness.users.map((who) => ['awareness', `username ${who.username}`, `password ${who.password}`]),
    ...awareness.apiKeys.map(({ key }) => ['awareness', 'any user', `api_key ${key}`]),
    ...backup.apiClients.map((who) => [
      'backup',
      `client_id ${who.clientId}`,
      `client_secret ${who.clientSecret}`,
    ]),
    ...backup.accounts.flatMap(({ id, computers }) =>
      computers.map((one) => ['backup', `computer ${id}/${one.id}`, `enrolment key ${one.enrolmentKey}`]),
    ),
    ...email.apiClients.map((who) => [
      'email',
      `client_id ${who.clientId}`,
      `client_secret ${who.clientSecret}`,
    ]),
  ]
  const lines = rows.map(
    ([service = '', who = '', secret = '']) => `  ${service.padEnd(10)} ${who.padEnd(22)} ${secret}`,
  )
  return ['First start: these credentials are shown this once. Keep them.', '', ...lines, ''].join('\n')
}
