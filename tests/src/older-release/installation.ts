import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Program } from '../support/programs/program.ts'
import { provisioned } from '../support/programs/server.ts'

/*
 * The installation of `older-release.tar.gz`: what make.ts has an older release leave, and what older-release.oracle.test.ts finds with this
 * one. The archive has a folder for each database:
 *
 *     sqlite/      disk.raw, agent/ (the agent's state), data/ (the server's data directory)
 *     postgresql/  the same, and database.sql
 *     traces.json  what Traces says, of both
 */

/** The folder with the archive. */
export const place = import.meta.dirname

/** The archive of what the release has left. */
export const archive = join(place, 'older-release.tar.gz')

/** The databases with which it was made. */
export const databases = ['sqlite', 'postgresql'] as const

/** What was made there, by the names of databases. */
export type Traces = Readonly<
  Record<
    (typeof databases)[number],
    {
      /** The revision of disk.raw. */
      readonly revision: number
      /** An API token of ada. */
      readonly token: string
    }
  >
>

/** An operator who was made at run time. */
export const ada = { username: 'ada', password: 'Notes on the engine' }

/** A service of the firewall, without servers. */
export const service = { name: 'shop', 'ip-address': '127.0.0.1', port: 8099, type: 'HTTP' }

/** An account that was made at run time. */
export const account = 'branch'

/** A server and an agent that run in a folder of the archive. */
export interface Running {
  /** {scheme}://{host}:{port} of the firewall's management, and of the services. */
  readonly firewall: string
  readonly services: string
  readonly dataDirectory: string
}

/**
 * Starts a server and an agent, which may read and write the folder, has them used, and ends them.
 *
 * @param command what starts `palisade`
 * @param database a connection URL; the embedded one when left out
 */
export async function whileRunning<Result>(
  folder: string,
  command: readonly [string, ...string[]],
  database: string | undefined,
  use: (running: Running) => Promise<Result>,
): Promise<Result> {
  const dataDirectory = join(folder, 'data')
  const configuration = { ...provisioned, dataDirectory, ...(database === undefined ? {} : { database }) }
  writeFileSync(join(folder, 'palisade.json'), JSON.stringify(configuration), { mode: 0o600 })
  writeFileSync(join(folder, 'enrolment.key'), 'enrol-me', { mode: 0o600 })
  const server = new Program(['serve', '--config', 'palisade.json'], {}, folder, command)
  const [line] = await server.line(/^\{.*"msg":"ready"\}$/)
  const { ports } = JSON.parse(line)
  const services = `http://127.0.0.1:${ports.services.http}`
  const agent = new Program(
    [
      ...['agent', '--server', `${services}/backup`, '--account', 'acme', '--computer', '0001'],
      ...['--key-file', 'enrolment.key', '--state', 'agent'],
      ...['--include', `${folder}/*`, '--restore-to', folder],
    ],
    {},
    folder,
    command,
  )
  await agent.line(/"msg":"connected/)
  const result = await use({
    services,
    firewall: `http://127.0.0.1:${ports.firewall.http}`,
    dataDirectory,
  })
  await agent.stop()
  await server.stop()
  return result
}
