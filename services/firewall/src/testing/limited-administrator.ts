import assert from 'node:assert/strict'
import { type Client, logIn } from './client.ts'

/** What a role allows; what is left out it does not. */
export interface Allowed {
  readonly objects?: readonly string[]
  readonly operations?: readonly string[]
  readonly vsites?: readonly string[]
  readonly services?: readonly string[]
  readonly 'service-groups'?: readonly string[]
  readonly 'security-policies'?: readonly string[]
  readonly 'authentication-services'?: readonly string[]
}

/** Somebody who is logged in, and whose role is changed as he goes. */
export interface LimitedAdministrator extends Client {
  readonly username: string
  readonly role: string
  /** From now on his role allows this, and nothing else. */
  allow(allowed: Allowed): Promise<void>
}

/** Every object, of kinds of which roles name objects. */
export const everywhere = {
  vsites: ['_ALL_:write'],
  services: ['_ALL_:write'],
  'service-groups': ['_ALL_:write'],
  'security-policies': ['_ALL_:write'],
  'authentication-services': ['_ALL_:write'],
} as const

const nothing = {
  objects: [],
  operations: [],
  vsites: [],
  services: [],
  'service-groups': [],
  'security-policies': [],
  'authentication-services': [],
}

/** Creates an administrator with a role of his own, which allows nothing yet, and logs him in. */
export async function limitedAdministrator(
  baseUrl: string,
  admin: Client,
  username = 'limited',
): Promise<LimitedAdministrator> {
  const role = `role-of-${username}`
  const password = 'Limited but 1 secret'
  const users = { name: username, role, password, 'email-address': 'limited@example.com' }
  for (const [path, body] of [
    ['administrator-roles', { name: role, 'api-privilege': 'Yes' }],
    ['users', users],
  ] as const) {
    const { status, text } = await admin.call('POST', path, body)
    assert.equal(status, 201, text)
  }
  const client = await logIn(baseUrl, { username, password })
  const allow = async (allowed: Allowed) => {
    const body = { ...nothing, ...allowed }
    const { status, text } = await admin.call('PUT', `administrator-roles/${role}`, body)
    assert.equal(status, 200, text)
  }
  return { ...client, username, role, allow }
}
