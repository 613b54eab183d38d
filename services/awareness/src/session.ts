import { clientAddress } from '@palisade/platform'
import type { FastifyRequest } from 'fastify'
import type { Permission } from './configuration.ts'
import { presentedToken } from './presented-token.ts'
import { invalidToken, lacksPermission, missingToken, otherAddress } from './refusals.ts'
import type { SharedCalls } from './shared-calls.ts'
import type { Tokens } from './tokens.ts'

/** A call whose token was accepted and which was counted. */
export interface Session {
  readonly expiresAt: number
  readonly callsInLastHour: number
}

/**
 * Lets a request into a protected operation: its token must be valid and come from the address that fetched
 * it, the user's hour must not be used up, and the user needs the permission. From the moment that the user is
 * known the call is counted, whatever becomes of it.
 *
 * @throws RequestRefused bad-request, unauthenticated, too-many-requests or forbidden, in this order
 */
export async function openSession(
  request: FastifyRequest,
  permission: Permission,
  { tokens, calls }: { readonly tokens: Tokens; readonly calls: SharedCalls },
): Promise<Session> {
  const token = presentedToken(request)
  if (token === undefined) throw missingToken()
  const holder = await tokens.holderOf(token)
  if (holder === undefined) throw invalidToken()
  if (holder.address !== clientAddress(request)) throw otherAddress()
  const callsInLastHour = await calls.count(holder.username)
  if (!holder.permissions.includes(permission)) throw lacksPermission(permission)
  return { expiresAt: holder.expiresAt, callsInLastHour }
}
