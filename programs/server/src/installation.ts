import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { keyFile, type Migrations, migrate, placeOf, type Store } from '@palisade/platform'

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

const secretKeyCheck = 'secret-key-check'
const credentialsShown = 'first-start-credentials'
const lastVersion = 'version'

const putBack =
  'put the secret.key of that installation back; see "A key is lost" in docs/operating/emergencies.md'

/** What is remembered of the installation as a whole: whether its first credentials were shown, and which version has migrated it. */
export class Installation {
  readonly #store: Store

  private constructor(store: Store) {
    this.#store = store
  }

  static async open(store: Store): Promise<Installation> {
    await migrate(store, 'installation', migrations)
    return new Installation(store)
  }

  /** What was remembered under a name; undefined when nothing was. */
  value(name: string): Promise<string | undefined> {
    return rememberedValue(this.#store, name)
  }

  /** Remembers a value under a name, in the place of what was there. */
  async remember(name: string, value: string): Promise<void> {
    await this.#store
      .tables<InstallationTables>()
      .insertInto('installation')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  }

  /**
   * The key with which everything secret in the store is sealed, and by whose digests agents enrol; a new one for a new store alone.
   *
   * @throws Error when the file is not there, or has another key than the one that the store was used with first
   */
  async secretKey(path: string): Promise<Buffer> {
    const check = await rememberedValue(this.#store, secretKeyCheck)
    if (check !== undefined && !existsSync(path)) {
      throw new Error(`${path} is missing, and the database was made with it: ${putBack}`)
    }
    const key = keyFile(path)
    const own = createHmac('sha256', key).update('the secret.key of an installation').digest('hex')
    // Of several servers that start for the first time at once, the key of one counts.
    await this.#store
      .tables<InstallationTables>()
      .insertInto('installation')
      .values({ name: secretKeyCheck, value: own })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    if ((await rememberedValue(this.#store, secretKeyCheck)) !== own)
      throw new Error(`${path} is not the key that the database was made with: ${putBack}`)
    return key
  }

  async hasShownCredentials(): Promise<boolean> {
    return (await rememberedValue(this.#store, credentialsShown)) !== undefined
  }

  async rememberCredentialsShown(): Promise<void> {
    await this.#store
      .tables<InstallationTables>()
      .insertInto('installation')
      .values({ name: credentialsShown, value: 'shown' })
      .execute()
  }

  /** Remembers which version the tables are of, once all of them are. */
  async rememberVersion(version: string): Promise<void> {
    await this.remember(lastVersion, version)
  }
}

/** Whether a server has used the store before. */
export async function hasInstallation(store: Store): Promise<boolean> {
  const tables = await store.tables<InstallationTables>().introspection.getTables()
  if (!tables.some(({ name }) => name === 'installation')) return false
  return (await rememberedValue(store, secretKeyCheck)) !== undefined
}

/** Says of which version tables are that this one cannot read, and what to do. @param version of this server */
export async function newerVersionMessage(
  store: Store,
  { database, dataDirectory }: { readonly database: string; readonly dataDirectory: string },
  version: string,
): Promise<string> {
  const newer = await rememberedValue(store, lastVersion).catch(() => undefined)
  const place = database === 'embedded' ? `the data directory ${dataDirectory}` : placeOf(database)
  const isNamed = newer !== undefined && newer !== version
  const versions = isNamed
    ? `by version ${newer}, which is newer than this one (${version})`
    : `by a newer version than this one (${version})`
  return `${place} was written ${versions}: start that version, or go back to the copy from before the upgrade as docs/operating/backing-up-palisade.md says`
}

async function rememberedValue(store: Store, name: string): Promise<string | undefined> {
  const row = await store
    .tables<InstallationTables>()
    .selectFrom('installation')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value
}
