import { type Clock, isStorableText, type Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { Renaming } from '../../changes/change-writer.ts'
import type { LiveConfiguration } from '../../changes/live-configuration.ts'
import { ConfigurationRefused } from '../../failure.ts'
import type { CompiledCatalogue } from '../../kinds/compiled-kind.ts'
import type { FirewallTables } from '../../tables.ts'

/** An OpenAPI document that is kept. */
export interface ApiDescription {
  readonly name: string
  /** The name of the service that it is for. */
  readonly service: string
  /** Parsed JSON. */
  readonly document: unknown
  /** What was created from it; empty unless it was applied. */
  readonly objects: readonly CreatedObject[]
}

/** An object that an import created: the name of its kind, and the names along its path, outermost first. */
export type CreatedObject = readonly [kind: string, path: readonly string[]]

/** How many documents are kept. */
const descriptionsMax = 100

/** OpenAPI documents, and what was made of them: their notes follow what gets another name. */
export class ApiDescriptions {
  readonly #tables: Kysely<FirewallTables>
  readonly #clock: Clock
  readonly #catalogue: CompiledCatalogue

  constructor(deps: {
    readonly store: Store
    readonly clock: Clock
    readonly catalogue: CompiledCatalogue
    readonly configuration: LiveConfiguration
  }) {
    this.#tables = deps.store.tables<FirewallTables>()
    this.#clock = deps.clock
    this.#catalogue = deps.catalogue
    deps.configuration.onRenaming((transaction, renaming) => this.#follow(transaction, renaming))
  }

  /**
   * @param mayReach whether what is for a service of that name is there for the one who asks
   * @throws ConfigurationRefused not-found
   */
  async find(name: string, mayReach: (service: string) => boolean): Promise<ApiDescription> {
    const row = await this.#row(name)
    if (row && mayReach(row.service))
      return { ...row, document: JSON.parse(row.document), objects: JSON.parse(row.objects) }
    throw new ConfigurationRefused({ code: 'not-found', what: `OpenAPI document ${JSON.stringify(name)}` })
  }

  /**
   * Keeps a document, in the place of an earlier one of its name.
   *
   * @returns whether there was no earlier one
   * @throws ConfigurationRefused has-to-stay, when the earlier one is for another service or profiles were made of it,
   *   or when there are too many
   */
  async keep(
    { name, service, document }: Omit<ApiDescription, 'objects'>,
    uploadedBy: string,
  ): Promise<boolean> {
    const before = await this.#row(name)
    if (before && before.service !== service) {
      const reason = `The name ${JSON.stringify(name)} is that of an OpenAPI document for another service: use another name.`
      throw new ConfigurationRefused({ code: 'has-to-stay', reason })
    }
    if (before && before.objects !== '[]') {
      const reason = `The OpenAPI document ${JSON.stringify(name)} was applied: use delete_configuration first, or another name.`
      throw new ConfigurationRefused({ code: 'has-to-stay', reason })
    }
    const count = await this.#tables.selectFrom('firewall_api_description').select('name').execute()
    if (!before && count.length >= descriptionsMax) {
      const reason = `There are ${descriptionsMax} OpenAPI documents already: delete those that nobody needs.`
      throw new ConfigurationRefused({ code: 'has-to-stay', reason })
    }
    const row = {
      service,
      document: JSON.stringify(document),
      objects: '[]',
      uploaded_at: this.#clock.now(),
      uploaded_by: uploadedBy,
    }
    await this.#tables
      .insertInto('firewall_api_description')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute()
    return before === undefined
  }

  /** Notes what is being created from a document, before it is created. */
  async note(name: string, service: string, objects: readonly CreatedObject[]): Promise<void> {
    await this.#tables
      .updateTable('firewall_api_description')
      .set({ service, objects: JSON.stringify(objects) })
      .where('name', '=', name)
      .execute()
  }

  async remove(name: string): Promise<void> {
    await this.#tables.deleteFrom('firewall_api_description').where('name', '=', name).execute()
  }

  async #follow(transaction: Kysely<FirewallTables>, { kind, from, to }: Renaming): Promise<void> {
    const followed = (kindName: string, path: readonly string[]): readonly string[] => {
      const isMoved =
        this.#catalogue.get(kindName)?.lineage.includes(kind) &&
        from.every((name, depth) => path[depth] === name)
      return isMoved ? [...to, ...path.slice(from.length)] : path
    }
    const rows = await transaction
      .selectFrom('firewall_api_description')
      .select(['name', 'service', 'objects'])
      .execute()
    for (const { name, ...before } of rows) {
      const noted: readonly CreatedObject[] = JSON.parse(before.objects)
      const [service = before.service] = followed('service', [before.service])
      const objects = JSON.stringify(noted.map(([kindName, path]) => [kindName, followed(kindName, path)]))
      if (service === before.service && objects === before.objects) continue
      await transaction
        .updateTable('firewall_api_description')
        .set({ service, objects })
        .where('name', '=', name)
        .execute()
    }
  }

  #row(name: string) {
    if (!isStorableText(name)) return undefined
    return this.#tables
      .selectFrom('firewall_api_description')
      .select(['name', 'service', 'document', 'objects'])
      .where('name', '=', name)
      .executeTakeFirst()
  }
}
