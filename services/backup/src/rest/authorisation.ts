import {
  AccountAuthorisation,
  type AccountPath,
  type ClientCredentials,
  type OperatorAuthority,
} from '@palisade/platform'
import type { FastifyRequest } from 'fastify'
import type { Computer, Computers } from '../computers/computers.ts'
import type { Scope } from '../scopes.ts'

/** The addresses below an account, as Fastify gives them. */
export interface AccountParams extends AccountPath {
  computer_id?: string
}

/**
 * Decides who may ask what. A foreign account and one that does not exist look the same; so do foreign and missing
 * computers.
 */
export class Authorisation extends AccountAuthorisation<Scope, AccountParams, Computer> {
  constructor({
    credentials,
    operators,
    computers,
  }: {
    credentials: ClientCredentials
    operators: OperatorAuthority
    computers: Computers
  }) {
    super({
      service: 'backup',
      credentials,
      operators,
      schemes: ['bearer', 'oauth'],
      noun: 'computer',
      accountExists: (accountId) => computers.accountExists(accountId),
      nameIn: ({ computer_id: computerId }) => computerId,
      find: (accountId, computerId) => computers.find({ accountId, computerId }),
    })
  }

  /** The computer that a request which was let through is about. */
  computerOf(request: FastifyRequest): Computer {
    return this.subjectOf(request)
  }
}
