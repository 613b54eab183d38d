import type { Actor } from '@palisade/platform'
import type { OpenSession } from '../sessions/sessions.ts'
import type { Grant, RequiredGrant } from './grants.ts'
import { accountsGranted, isGranted } from './grants.ts'

/** Who calls: an operator, by a session or by a token. */
export interface Identity {
  readonly operatorId: string
  readonly username: string
  /** What the operator may; and, of that, what the token may. */
  readonly grants: readonly (readonly Grant[])[]
  /** The session that he calls with. */
  readonly session: Pick<OpenSession, 'id' | 'csrfToken' | 'expiresAt' | 'openid'> | undefined
  /** The API token that he calls with. */
  readonly tokenId: string | undefined
  readonly actor: Actor & { readonly kind: 'operator' | 'token' }
}

/** Names what somebody calls with, and opens nothing: an id behind its kind. */
export function credentialOf({ session, tokenId }: Pick<Identity, 'session' | 'tokenId'>): string {
  return session === undefined ? `token:${tokenId}` : `session:${session.id}`
}

/** Whether the caller may do it. */
export function may({ grants }: Pick<Identity, 'grants'>, wish: RequiredGrant): boolean {
  return grants.every((list) => isGranted(list, wish))
}

/** The accounts of a service for which the caller may do it; undefined for all of them. */
export function accountsOf(
  { grants }: Identity,
  wish: Pick<RequiredGrant, 'kind' | 'service'>,
): readonly string[] | undefined {
  return grants
    .map((list) => accountsGranted(list, wish))
    .reduce((one, other) => {
      if (one === undefined || other === undefined) return one ?? other
      return one.filter((account) => other.includes(account))
    })
}
