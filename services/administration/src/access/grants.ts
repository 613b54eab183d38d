import { RequestRefused } from '@palisade/platform'
import { type Static, Type } from 'typebox'

/** What can be granted, from all to least: an owner may everything, an operator all but what concerns operators, an auditor read. */
export const roles = ['owner', 'operator', 'auditor'] as const

/** The services that a grant may name. A grant that names none counts for all of them, and lets read what belongs to none. */
export const services = ['firewall', 'awareness', 'backup', 'email'] as const

/** A role that somebody has: everywhere, in one service, or for one account of a service. */
export const Grant = Type.Object(
  {
    role: Type.Enum(roles),
    service: Type.Optional(Type.Enum(services)),
    account: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  },
  { additionalProperties: false, title: 'Grant' },
)

export type Grant = Static<typeof Grant>

/**
 * All grants of an operator or token, in any order. A call needs one that covers it; see {@link problemOfGrants} for what makes no sense.
 */
export const Grants = Type.Array(Grant, {
  maxItems: 1000,
  examples: [[{ role: 'operator', service: 'backup' }]],
})

/** What a call wants to do. */
export interface RequiredGrant {
  readonly kind: 'read' | 'write'
  /** One of {@link services}, or `administration`: operators, sessions, tokens and the audit log. */
  readonly service: string
  /** The account that it is about; undefined for what belongs to no account. */
  readonly account?: string | undefined
}

/** Why a list of grants makes no sense, in a sentence; undefined when it does. */
export function problemOfGrants(grants: readonly Grant[]): string | undefined {
  for (const { role, service, account } of grants) {
    if (role === 'owner' && service !== undefined) return 'An owner owns all of Palisade: leave service out.'
    if (account !== undefined && service === undefined)
      return 'A grant for an account has to name its service.'
    if (account !== undefined && service !== 'backup' && service !== 'email') {
      return 'Only backup and email have accounts.'
    }
  }
  return undefined
}

/** Whether somebody with these grants may do it. */
export function isGranted(grants: readonly Grant[], wish: RequiredGrant): boolean {
  const accounts = accountsGranted(grants, wish)
  return accounts === undefined || (wish.account !== undefined && accounts.includes(wish.account))
}

/** The accounts of a service for which somebody may do it; undefined for all of them and what belongs to none. */
export function accountsGranted(
  grants: readonly Grant[],
  { kind, service }: Pick<RequiredGrant, 'kind' | 'service'>,
): readonly string[] | undefined {
  const accounts: string[] = []
  for (const grant of grants) {
    if (grant.role === 'owner') return undefined
    const isOfService =
      grant.service === undefined
        ? service !== 'administration' || kind === 'read'
        : grant.service === service
    if (!isOfService || (kind === 'write' && grant.role !== 'operator')) continue
    if (grant.account === undefined) return undefined
    accounts.push(grant.account)
  }
  return accounts
}

/** A list of grants as it lies in a column. */
export function readGrants(column: string): Grant[] {
  return JSON.parse(column)
}

/** @throws RequestRefused for grants that make no sense */
export function refuseGrants(grants: readonly Grant[]): void {
  const problem = problemOfGrants(grants)
  if (problem !== undefined) throw new RequestRefused('bad-request', problem, { field: 'grants' })
}
