import { type Migrations, migrate, type Store } from '@palisade/platform'

interface InstallationTables {
  installation: { name: string; value: string }
}

const migrations: Migrations = {
  '0001-installation': {
    async up(db) {
      await db.schema
        .createTable('installation')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'text', (column) => column.notNull())
        .execute()
    },
  },
}

const credentialsShown = 'first-start-credentials'

/** What is remembered of the installation as a whole: whether its first credentials were shown. */
export class Installation {
  readonly #store: Store

  private constructor(store: Store) {
    this.#store = store
  }

  static async open(store: Store): Promise<Installation> {
    await migrate(store, 'installation', migrations)
    return new Installation(store)
  }

  async hasShownCredentials(): Promise<boolean> {
    const row = await this.#store
      .tables<InstallationTables>()
      .selectFrom('installation')
      .select('value')
      .where('name', '=', credentialsShown)
      .executeTakeFirst()
    return row !== undefined
  }

  async rememberCredentialsShown(): Promise<void> {
    await this.#store
      .tables<InstallationTables>()
      .insertInto('installation')
      .values({ name: credentialsShown, value: 'shown' })
      .execute()
  }
}
