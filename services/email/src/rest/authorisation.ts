import {
  AccountAuthorisation,
  type AccountPath,
  type ClientCredentials,
  type OperatorAuthority,
} from '@palisade/platform'
import type { FastifyRequest } from 'fastify'
import type { Accounts, DomainRecord } from '../accounts.ts'
import type { Scope } from '../scopes.ts'

/** The addresses below an account, as Fastify gives them. */
export interface AccountParams extends AccountPath {
  /** An id, which is all digits, or else a name. */
  domain?: string
}

/** Decides who may ask what. Foreign accounts and domains look like those that do not exist. */
export class Authorisation extends AccountAuthorisation<Scope, AccountParams, DomainRecord> {
  constructor({
    credentials,
    operators,
    accounts,
  }: {
    credentials: ClientCredentials
    operators: OperatorAuthority
    accounts: Accounts
  }) {
    super({
      service: 'email',
      credentials,
      operators,
      schemes: ['bearer'],
      noun: 'domain',
      accountExists: (accountId) => accounts.exists(accountId),
      nameIn: ({ domain }) => domain,
      find: (accountId, idOrName) => accounts.domain(accountId, idOrName),
    })
  }

  /** The domain that a request which was let through is about. */
  domainOf(request: FastifyRequest): DomainRecord {
    return this.subjectOf(request)
  }
}
