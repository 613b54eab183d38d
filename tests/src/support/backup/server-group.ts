import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type PostgresServer, startPostgres } from '@palisade/platform/testing'
import { type Machine, newFolder, provisioned, Server } from '../programs/server.ts'
import { type RunningS3, startS3 } from './s3.ts'

/** Where the others reach a server. */
type Scheme = 'http' | 'https'

/** What servers of one installation share: a PostgreSQL, a bucket with the vault, and their keys. */
export class ServerGroup {
  readonly #postgres: PostgresServer
  readonly storage: RunningS3
  readonly database: string
  /** Begins the names of the vault's objects. */
  readonly #prefix: string
  readonly #backup: typeof provisioned.backup

  private constructor(
    postgres: PostgresServer,
    storage: RunningS3,
    database: string,
    prefix: string,
    backup = provisioned.backup,
  ) {
    this.#postgres = postgres
    this.storage = storage
    this.database = database
    this.#prefix = prefix
    this.#backup = backup
  }

  /**
   * Starts the PostgreSQL and the storage; `stop` ends them.
   *
   * @param host an address of this machine where they listen
   */
  static async start(host?: string): Promise<ServerGroup> {
    const postgres = await startPostgres(host)
    assert.ok(postgres, 'PostgreSQL is not installed: apt-get install postgresql')
    return new ServerGroup(postgres, await startS3(host), await postgres.newDatabase(), 'palisade/')
  }

  /**
   * Another installation in the same PostgreSQL and storage.
   *
   * @param through makes a way to a database, by which all servers of the installation reach it
   * @param backup what else its configuration says of backups
   */
  async another(
    prefix: string,
    through: (database: string) => string | Promise<string> = (database) => database,
    backup = provisioned.backup,
  ): Promise<ServerGroup> {
    const database = await through(await this.#postgres.newDatabase())
    return new ServerGroup(this.#postgres, this.storage, database, prefix, backup)
  }

  /** Starts the first server, which makes the keys. */
  async first(scheme: Scheme, machine?: Machine): Promise<Server> {
    return Server.start(newFolder(), await this.#configuration(scheme, machine?.host), machine)
  }

  /** Starts one more, with the keys of the first. */
  async join(first: Server, scheme: Scheme, machine?: Machine): Promise<Server> {
    const folder = folderLike(first, ['secret.key', 'vault.key'])
    return Server.start(folder, await this.#configuration(scheme, machine?.host), machine)
  }

  /**
   * Writes the configuration of one more that lacks something.
   *
   * @param keys the keys of the first that it has
   * @param prefix where it looks for the vault
   * @returns its file
   */
  async lacking(first: Server, keys: readonly string[], prefix = this.#prefix): Promise<string> {
    const folder = folderLike(first, keys)
    const file = join(folder, 'palisade.json')
    const content = {
      dataDirectory: join(folder, 'data'),
      ...(await this.#configuration('http', undefined, prefix)),
    }
    writeFileSync(file, JSON.stringify(content), { mode: 0o600 })
    return file
  }

  async stop(): Promise<void> {
    await this.storage.stop()
    await this.#postgres.stop()
  }

  async #configuration(scheme: Scheme, host = '127.0.0.1', prefix = this.#prefix) {
    const listen = { host, http: await freePort(), https: await freePort() }
    return {
      ...provisioned,
      database: this.database,
      services: { listen, trustedProxies: [host] },
      backup: {
        ...this.#backup,
        advertiseAddress: `${scheme}://${host}:${listen[scheme]}`,
        vault: { s3: { ...this.storage.bucket, prefix } },
      },
    }
  }
}

/** Whether a server has the vault. */
export async function isActive(server: Server): Promise<boolean> {
  return /^palisade_backup_active 1$/m.test(await (await fetch(`${server.services}/metrics`)).text())
}

function folderLike(first: Server, keys: readonly string[]): string {
  const folder = newFolder()
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  for (const name of keys) copyFileSync(join(first.dataDirectory, name), join(folder, 'data', name))
  return folder
}
