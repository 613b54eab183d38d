import type { Log } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { Computers } from '../computers/computers.ts'
import type { Damage } from '../revisions/damage.ts'
import type { BackupTables } from '../tables.ts'
import type { AgentAuthentication } from './agent-authentication.ts'
import type { AgentLinks } from './agent-links.ts'

/** Takes from agents what they are let in by: first in the store, then what is under way with it. */
export class AgentAccess {
  readonly #computers: Computers
  readonly #authentication: AgentAuthentication
  readonly #links: AgentLinks
  readonly #damage: Damage
  readonly #log: Log

  constructor(deps: {
    computers: Computers
    authentication: AgentAuthentication
    links: AgentLinks
    damage: Damage
    log: Log
  }) {
    this.#computers = deps.computers
    this.#authentication = deps.authentication
    this.#links = deps.links
    this.#damage = deps.damage
    this.#log = deps.log
  }

  /**
   * Ends the credential of a computer's agent and the enrolment key in the store, and has everything of the computer verified: the
   * credential may have been in other hands. To be followed by {@link revoked}.
   *
   * @param tables of a transaction
   */
  async revoke(computer: ComputerId, tables: Kysely<BackupTables>): Promise<void> {
    await this.#computers.revoke(computer, tables)
    await this.#damage.verifyAll(computer, tables)
  }

  /** A revocation is in the store. */
  revoked(computer: ComputerId): void {
    this.shutOut(computer, 'the credential was revoked')
    this.#log.warn(
      { computer: domainOf(computer) },
      'the credential of an agent was revoked: all backups of this computer are verified now',
    )
  }

  /** The store lets the computer's agent in no more: ends its link and its requests. */
  shutOut(computer: ComputerId, reason: string): void {
    this.#authentication.credentialEnded(computer)
    this.#links.cut(computer, reason)
  }
}
