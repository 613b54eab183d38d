import { type Log, RequestRefused, TextSeal } from '@palisade/platform'
import type { Kysely } from 'kysely'
import { refuseOwnExclusion } from '../access/reaching-addresses.ts'
import type { Roles } from '../access/roles.ts'
import type { Author } from '../changes/author.ts'
import type { Behaviours } from '../changes/behaviour.ts'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { UnknownMembers } from '../changes/members.ts'
import { describe, type KeptObjects, type Plan } from '../changes/plan.ts'
import type { CompiledCatalogue } from '../kinds/compiled-kind.ts'
import { Snapshot } from '../objects/snapshot.ts'
import { Addresses } from '../rest/address.ts'
import type { FirewallTables } from '../tables.ts'
import type { Checkpoints } from './checkpoints.ts'
import { type Difference, differencesBetween } from './differences.ts'
import { summaryOf } from './differences-reply.ts'
import type { ConfigurationDocument, DocumentSeal } from './document.ts'
import { documentOf, fullDocument, partialDocument } from './export.ts'
import { InitialContents } from './initial-contents.ts'
import type { OperationList } from './operation-list/operation-list.ts'
import { operationList } from './operation-list/write-operation-list.ts'
import { type ImportOptions, type PlannedImport, planImport, statedSnapshot } from './plan-import.ts'
import { readDocument } from './read-document.ts'

/** What the configuration is exported and imported with. */
export interface TransferDependencies {
  readonly configuration: LiveConfiguration
  readonly catalogue: CompiledCatalogue
  readonly behaviours: Behaviours
  readonly roles: Roles
  readonly checkpoints: Checkpoints
  readonly unknownMembers: UnknownMembers
  /** 32 bytes that only this installation knows. */
  readonly key: Buffer
  readonly log: Log
}

/** Why the configuration is replaced, and by what. */
export interface ImportOrder extends ImportOptions {
  readonly author: Author
  /** Parsed JSON of any origin. */
  readonly document: unknown
  /** Where it comes from, for the record of changes: "the document of an import", "the checkpoint before-launch". */
  readonly origin: string
  /** What opens its sealed members, where it is not this installation's own seal. */
  readonly seal?: DocumentSeal
  /** What is done with members that a kind does not have, where it is not what requests are answered with. */
  readonly unknownMembers?: UnknownMembers
}

/** How often an import is planned anew because others changed the configuration meanwhile. */
const attemptsMax = 5

/** The configuration as JSON, out of the system and into it. */
export class Transfer {
  readonly #deps: TransferDependencies
  readonly #initial: InitialContents
  readonly #addresses: Addresses
  readonly #seal: DocumentSeal

  constructor(deps: TransferDependencies) {
    this.#deps = deps
    this.#initial = new InitialContents(deps.catalogue)
    this.#addresses = new Addresses(deps.catalogue)
    this.#seal = new TextSeal(deps.key, 'palisade-firewall/configuration-document')
    deps.configuration.onDeletion((transaction, author, kept) => this.#keepDeleted(transaction, author, kept))
  }

  /** @param seal what hides its secrets, where it is not this installation's own seal */
  export(seal = this.#seal): Promise<ConfigurationDocument> {
    return fullDocument(this.#deps.configuration.snapshot, this.#initial, seal)
  }

  /**
   * What has changed since a checkpoint.
   *
   * @throws ConfigurationRefused not-found
   */
  async exportSince(checkpoint: string): Promise<ConfigurationDocument> {
    const { snapshot } = this.#deps.configuration
    const differences = await differencesBetween(await this.#stateOf(checkpoint), snapshot, this.#initial)
    return partialDocument(snapshot, checkpoint, differences, this.#seal)
  }

  /**
   * What differs from a fresh installation, or has changed since a checkpoint, as a list of operations.
   *
   * @throws ConfigurationRefused not-found
   */
  async exportOperations(checkpoint: string | undefined): Promise<OperationList> {
    const { configuration, catalogue } = this.#deps
    const { snapshot } = configuration
    const from = checkpoint === undefined ? Snapshot.factory(catalogue) : await this.#stateOf(checkpoint)
    const differences = await differencesBetween(from, snapshot, this.#initial)
    const origin =
      checkpoint === undefined ? { scope: 'full' as const } : { scope: 'partial' as const, since: checkpoint }
    return operationList(snapshot, differences, { ...this.#deps, initial: this.#initial }, origin)
  }

  /**
   * What has changed from one checkpoint to another, or to now.
   *
   * @throws ConfigurationRefused not-found
   */
  async differences(checkpoint: string, other: string | undefined): Promise<Difference[]> {
    const from = await this.#stateOf(checkpoint)
    const to = other === undefined ? this.#deps.configuration.snapshot : await this.#stateOf(other)
    return differencesBetween(from, to, this.#initial)
  }

  /**
   * Finds out what an import would do; nothing is changed.
   *
   * @throws ConfigurationRefused not-acceptable, with every fault; RequestRefused forbidden
   */
  plan(order: ImportOrder): Promise<PlannedImport> {
    const { configuration, roles } = this.#deps
    const { seal = this.#seal, unknownMembers = this.#deps.unknownMembers } = order
    const planning = {
      ...this.#deps,
      initial: this.#initial,
      addresses: this.#addresses,
      seal,
      unknownMembers,
    }
    const permissions = roles.permissionsOf(order.author)
    return planImport(configuration.snapshot, order.document, planning, permissions, order)
  }

  /**
   * Carries an import out, in one transaction and with one entry in the record of changes, after the state before
   * it was kept as a checkpoint.
   *
   * @throws ConfigurationRefused not-acceptable, with every fault, and nothing is changed then; RequestRefused
   *   forbidden, or conflict when others keep changing the configuration
   */
  async carryOut(order: ImportOrder): Promise<PlannedImport> {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const planned = await this.plan(order)
      if (planned.writes.length === 0) return planned
      await this.#keep(planned.base, order)
      if (await this.#make(planned, order)) return planned
    }
    throw new RequestRefused('conflict', 'The configuration is being changed by others: try again.')
  }

  /** @returns whether the configuration was still the one that was planned on; otherwise nothing was changed */
  async #make(
    { base, differences, writes }: PlannedImport,
    { author, origin }: ImportOrder,
  ): Promise<boolean> {
    const system = this.#deps.configuration.system()
    const before = `version ${base.version}`
    const after = `${origin}: ${summaryOf(differences)}`
    const plan: Plan = {
      action: 'import',
      object: system,
      writes,
      changes: [{ section: undefined, member: 'configuration', before, after }],
    }
    try {
      await this.#deps.configuration.change(author, (newest) => {
        if (newest !== base) throw new Overtaken()
        refuseOwnExclusion(base, writes, author.address)
        return plan
      })
      return true
    } catch (error) {
      if (error instanceof Overtaken) return false
      throw error
    }
  }

  async #keep(base: Snapshot, { author, origin }: ImportOrder): Promise<void> {
    const document = await fullDocument(base, this.#initial, this.#seal)
    const comment = `Before ${origin}`
    await this.#deps.checkpoints.keepAutomatically({ comment, createdBy: author.username }, document)
  }

  async #keepDeleted(
    transaction: Kysely<FirewallTables>,
    author: Author,
    { checkpoint, objects }: KeptObjects,
  ): Promise<void> {
    const [outermost] = objects
    if (outermost === undefined) return
    const document = await documentOf(this.#deps.configuration.snapshot, objects, this.#seal)
    const inside = objects.length === 1 ? '' : `, and ${objects.length - 1} inside`
    const comment = `What was deleted: ${describe(outermost)}${inside}`
    const details = { name: checkpoint, comment, createdBy: author.username }
    await this.#deps.checkpoints.keepDeleted(transaction, details, document)
  }

  /** The configuration as it was at a checkpoint; secrets that cannot be opened are as they are now. */
  async #stateOf(checkpoint: string): Promise<Snapshot> {
    const { snapshot } = this.#deps.configuration
    const document = await this.#deps.checkpoints.document(checkpoint)
    const read = await readDocument(document, { ...this.#deps, seal: this.#seal }, snapshot)
    return statedSnapshot(snapshot, read, this.#deps.catalogue)
  }
}

/** Somebody changed the configuration between planning and making. */
class Overtaken extends Error {}
