import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  appendFileSync,
  chownSync,
  constants,
  existsSync,
  globSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@palisade/start-up/testing'
import pg from 'pg'
import { memoryDirectory } from './memory-directory.ts'

/** It never waits for the disk, and has few tables and a small log. */
const settings = ['fsync=off', 'shared_buffers=16MB', 'max_wal_size=64MB'].flatMap((setting) => [
  '-c',
  setting,
])

const loopback = '127.0.0.1'

export interface PostgresServer {
  /**
   * A connection URL for a new database.
   *
   * @param like the URL of one whose content it gets, to which nobody is connected; it is empty when left out
   */
  newDatabase(like?: string): Promise<string>
  /**
   * Starts a replica of it, which has every transaction before it counts as done here (synchronous replication).
   */
  startReplica(): Promise<PostgresReplica>
  /** Ends it at once, as a machine that fails does; `stop` is still to be called. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Another server, which takes no writes until it is made the primary. */
export interface PostgresReplica {
  /** Where it listens: `127.0.0.1` and a port. */
  readonly host: string
  /** Makes it the primary. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** Where Debian puts the server's programs; the newest version wins. */
function findPrograms(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin')
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .reverse()
    .find((directory) => {
      try {
        accessSync(join(directory, 'initdb'), constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** PostgreSQL refuses to run as root; there the account that Debian's package made is used. */
function serverAccount(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * Starts a PostgreSQL server of the test's own on a free loopback port, with its data in a new folder. It never
 * waits for the disk: nothing that it holds has to survive the test.
 *
 * @param host an address of this machine where it listens in the place of 127.0.0.1, and takes whoever comes
 * @returns undefined when PostgreSQL is not installed
 */
export async function startPostgres(host = loopback): Promise<PostgresServer | undefined> {
  const programs = findPrograms()
  if (programs === undefined) return undefined
  const account = serverAccount()
  const directory = newFolder()
  const data = join(directory, 'data')
  const make = () =>
    execFileSync(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'palisade', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
      { ...account, cwd: directory, stdio: 'ignore' },
    )
  fromFirstMaker(data, make)
  if (host !== loopback) appendFileSync(join(data, 'pg_hba.conf'), 'host all all all trust\n')
  const { port, kill } = await run(programs, directory, host)
  let databases = 0
  return {
    newDatabase: async (like) => {
      const name = `test_${++databases}`
      const template = like === undefined ? '' : ` TEMPLATE ${new URL(like).pathname.slice(1)}`
      await query(addressOf(port, 'postgres', host), `CREATE DATABASE ${name}${template}`)
      return addressOf(port, name, host)
    },
    startReplica: () => startReplica(programs, port),
    kill,
    stop: async () => {
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Runs a server on a folder with its data, on a free port. @returns what ends it at once, and does nothing when it has ended */
async function run(
  programs: string,
  directory: string,
  host = loopback,
): Promise<{ readonly port: number; readonly kill: () => Promise<void> }> {
  const port = await freePort()
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', join(directory, 'data'), '-h', host, '-p', String(port), '-k', directory, ...settings],
    { ...serverAccount(), cwd: directory, stdio: 'ignore' },
  )
  // A test whose hooks fail before this is stopped ends all the same, and the server with it.
  server.unref()
  const quit = () => server.kill('SIGQUIT')
  process.once('exit', quit)
  await untilReady(addressOf(port, 'postgres', host))
  const kill = async () => {
    process.off('exit', quit)
    if (server.exitCode !== null || server.signalCode !== null) return
    server.ref()
    const exited = once(server, 'exit')
    quit()
    await exited
  }
  return { port, kill }
}

async function startReplica(programs: string, primary: number): Promise<PostgresReplica> {
  const directory = newFolder()
  execFileSync(
    join(programs, 'pg_basebackup'),
    ['-h', '127.0.0.1', '-p', String(primary), '-U', 'palisade', '-D', join(directory, 'data')].concat(
      // Written so that it follows, from a checkpoint at once.
      ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
    ),
    { ...serverAccount(), cwd: directory, stdio: 'ignore' },
  )
  const { port, kill } = await run(programs, directory)
  await query(addressOf(primary, 'postgres'), "ALTER SYSTEM SET synchronous_standby_names = '*'")
  await query(addressOf(primary, 'postgres'), 'SELECT pg_reload_conf()')
  return {
    host: `127.0.0.1:${port}`,
    promote: async () => {
      await query(addressOf(port, 'postgres'), 'SELECT pg_promote()')
      // As a primary it would wait for a replica of its own.
      await query(addressOf(port, 'postgres'), "ALTER SYSTEM SET synchronous_standby_names = ''")
      await query(addressOf(port, 'postgres'), 'SELECT pg_reload_conf()')
    },
    stop: async () => {
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function newFolder(): string {
  const { uid, gid } = serverAccount()
  const directory = memoryDirectory('palisade-postgres-')
  if (uid !== undefined && gid !== undefined) chownSync(directory, uid, gid)
  return directory
}

function addressOf(port: number, database: string, host = loopback): string {
  return `postgres://palisade@${host}:${port}/${database}`
}

/**
 * Makes the folder, or copies the one that another process of the same run of tests has made: where `scripts/test.mjs`
 * names a folder that they share, the first that is made stays there.
 */
function fromFirstMaker(target: string, make: () => void): void {
  const shared = process.env.PALISADE_TESTS_SHARE
  if (shared === undefined) {
    make()
    return
  }
  const first = join(shared, 'postgres')
  if (existsSync(first)) {
    copy(first, target)
    return
  }
  make()
  const own = mkdtempSync(join(shared, 'postgres-'))
  copy(target, join(own, 'data'))
  try {
    renameSync(join(own, 'data'), first)
  } catch (error) {
    // Somebody else was first.
    if (!existsSync(first)) throw error
  }
  rmSync(own, { recursive: true })
}

/** With its owners and rights, of which PostgreSQL is particular. */
function copy(source: string, target: string): void {
  execFileSync('cp', ['-a', source, target])
}

async function query(address: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

async function untilReady(address: string): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    try {
      return await query(address, 'SELECT 1')
    } catch (error) {
      if (Date.now() > deadline) throw new Error('PostgreSQL did not start in 30 s', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
