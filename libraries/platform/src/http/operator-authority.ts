import type { FastifyRequest } from 'fastify'
import type { GrantHolders, ServiceAccount } from '../administration/grant-holders.ts'
import type { ActionCaller } from '../administration/resource.ts'
import type { TransactionTables } from '../database/store.ts'
import type { Caller } from './unknown-callers.ts'

/** An operator who calls a service, and what he may do there at this moment. */
export interface CallingOperator {
  /** The operator by a session, or one of his tokens, as the audit log names them. */
  readonly caller: Caller
  /** The accounts of a service that he may read or change; undefined for all of them, and for what belongs to none. */
  accountsIn(service: string, kind: 'read' | 'write'): readonly string[] | undefined
}

/** Tells services which operator calls them. Whatever it is asked it asks the store, so that rights that are taken count at once. */
export interface OperatorAuthority {
  /**
   * The operator whose API token a request has in its Authorization header, or, where it has no such header, whose session in its cookie.
   *
   * @returns undefined for every other request, whoever else may have sent it
   * @throws RequestRefused unauthenticated for a token that looks like an operator's and is none; forbidden for a change with a cookie
   * that another site may have had the browser send
   */
  identify(request: FastifyRequest): Promise<CallingOperator | undefined>
  /**
   * Whether an operator may still read or change what belongs to a service, for what was given to him earlier and is used without his
   * credential. Asking counts as use of his session.
   *
   * @param credential of the session or API token with which he asked for it, as {@link ActionCaller} has it
   */
  mayStill(kind: 'read' | 'write', service: string, credential: string): Promise<boolean>
  /** Who has grants for an account, which end with it. */
  countGrantHolders(tables: Pick<TransactionTables, 'tables'>, account: ServiceAccount): Promise<GrantHolders>
  /**
   * Ends the grants for an account that is deleted for good, so that nobody has a right to another one that is given its id. What a
   * configuration file grants stays.
   *
   * @param tables of the transaction that deletes the account
   */
  endGrants(tables: Pick<TransactionTables, 'tables'>, account: ServiceAccount): Promise<void>
}
