import { type Clock, isDuplicate, isStorableText, type Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { deletionPrefix } from '../changes/delete.ts'
import { ConfigurationRefused, notAcceptable } from '../failure.ts'
import type { FirewallTables } from '../tables.ts'
import type { ConfigurationDocument } from './document.ts'

/** What is told of a checkpoint. */
export interface Checkpoint {
  readonly name: string
  readonly comment: string
  /** Whether the system made it before a great change. */
  readonly isAutomatic: boolean
  /** In milliseconds since 1970. */
  readonly createdAt: number
  readonly createdBy: string
  readonly configurationVersion: number
}

/** What the names of automatic checkpoints start with; others may not. */
export const automaticPrefix = 'automatic-'

/** How many checkpoints administrators may keep: each holds the whole configuration. */
const checkpointsMax = 100

/** How many automatic checkpoints are kept; the oldest go first. */
const automaticCheckpointsMax = 10

/** How many deletions are kept, beside the automatic checkpoints of whole configurations; the oldest go first. */
const deletionsMax = 100

/**
 * States of the configuration that are kept, each as a document with its secrets sealed: a full one or, of what was deleted, one of that
 * alone.
 */
export class Checkpoints {
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#tables = store.tables<FirewallTables>()
    this.#clock = clock
  }

  /** In the order of names. */
  async list(): Promise<Checkpoint[]> {
    const rows = await this.#tables.selectFrom('firewall_checkpoint').select(columns).execute()
    return rows.map(checkpointOf).sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** @throws ConfigurationRefused not-found */
  async find(name: string): Promise<Checkpoint> {
    const row = isStorableText(name)
      ? await this.#tables
          .selectFrom('firewall_checkpoint')
          .select(columns)
          .where('name', '=', name)
          .executeTakeFirst()
      : undefined
    if (!row) throw missing(name)
    return checkpointOf(row)
  }

  /**
   * The state that is kept, as a document.
   *
   * @throws ConfigurationRefused not-found
   */
  async document(name: string): Promise<unknown> {
    const row = isStorableText(name)
      ? await this.#tables
          .selectFrom('firewall_checkpoint')
          .select('document')
          .where('name', '=', name)
          .executeTakeFirst()
      : undefined
    if (!row) throw missing(name)
    return JSON.parse(row.document)
  }

  /**
   * Keeps a state for an administrator.
   *
   * @throws ConfigurationRefused not-acceptable when the name is taken, or when there are too many checkpoints
   */
  async keep(
    details: { name: string; comment: string; createdBy: string },
    document: ConfigurationDocument,
  ): Promise<void> {
    const checkpoints = (await this.list()).filter(({ isAutomatic }) => !isAutomatic)
    if (checkpoints.length >= checkpointsMax) {
      throw notAcceptable(`There are ${checkpointsMax} checkpoints already: delete those that nobody needs.`)
    }
    try {
      await this.#insert({ ...details, isAutomatic: false }, document)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      const name = JSON.stringify(details.name)
      throw notAcceptable(
        `The member name: duplicate value not allowed, there is already a checkpoint ${name}.`,
      )
    }
  }

  /** Keeps the state before a great change, once for each version, and lets go of the oldest such states. */
  async keepAutomatically(
    details: { comment: string; createdBy: string },
    document: ConfigurationDocument,
  ): Promise<void> {
    const name = `${automaticPrefix}${document['configuration-version']}`
    const automatic = (await this.list())
      .filter(({ isAutomatic, name }) => isAutomatic && !name.startsWith(deletionPrefix))
      .sort((a, b) => b.configurationVersion - a.configurationVersion)
    if (automatic.some((one) => one.name === name)) return
    await this.#insert({ ...details, name, isAutomatic: true }, document).catch((error: unknown) => {
      // Another server was faster; the state of a version is the same wherever it is kept.
      if (!isDuplicate(error)) throw error
    })
    for (const old of automatic.slice(automaticCheckpointsMax - 1)) await this.#remove(old.name)
  }

  /**
   * Keeps what is being deleted, and lets go of the oldest deletions.
   *
   * @param transaction the deletion's own
   * @param details with a name that starts with {@link deletionPrefix}
   * @param document of the objects alone
   */
  async keepDeleted(
    transaction: Kysely<FirewallTables>,
    details: { name: string; comment: string; createdBy: string },
    document: ConfigurationDocument,
  ): Promise<void> {
    const oldest = await transaction
      .selectFrom('firewall_checkpoint')
      .select('configuration_version as version')
      .where('is_automatic', '=', 1)
      .where('name', 'like', `${deletionPrefix}%`)
      .orderBy('configuration_version', 'desc')
      .offset(deletionsMax - 1)
      .limit(1)
      .executeTakeFirst()
    if (oldest) {
      await transaction
        .deleteFrom('firewall_checkpoint')
        .where('is_automatic', '=', 1)
        .where('name', 'like', `${deletionPrefix}%`)
        .where('configuration_version', '<=', oldest.version)
        .execute()
    }
    await this.#insert({ ...details, isAutomatic: true }, document, transaction)
  }

  /** @throws ConfigurationRefused not-found */
  async remove(name: string): Promise<void> {
    if (!isStorableText(name) || !(await this.#remove(name))) throw missing(name)
  }

  async #remove(name: string): Promise<boolean> {
    const { numDeletedRows } = await this.#tables
      .deleteFrom('firewall_checkpoint')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  async #insert(
    details: { name: string; comment: string; createdBy: string; isAutomatic: boolean },
    document: ConfigurationDocument,
    tables: Kysely<FirewallTables> = this.#tables,
  ): Promise<void> {
    await tables
      .insertInto('firewall_checkpoint')
      .values({
        name: details.name,
        comment: details.comment,
        is_automatic: details.isAutomatic ? 1 : 0,
        created_at: this.#clock.now(),
        created_by: details.createdBy,
        configuration_version: document['configuration-version'],
        document: JSON.stringify(document),
      })
      .execute()
  }
}

const columns = [
  'name',
  'comment',
  'is_automatic as isAutomatic',
  'created_at as createdAt',
  'created_by as createdBy',
  'configuration_version as configurationVersion',
] as const

function checkpointOf(row: Omit<Checkpoint, 'isAutomatic'> & { readonly isAutomatic: number }): Checkpoint {
  return { ...row, isAutomatic: row.isAutomatic === 1 }
}

function missing(name: string): ConfigurationRefused {
  return new ConfigurationRefused({ code: 'not-found', what: `checkpoint ${JSON.stringify(name)}` })
}
