import type { SystemState } from '@palisade/administration'
import type { RequestMetrics, Store } from '@palisade/platform'
import { describe } from '@palisade/start-up'
import type { ServerFiles } from '../reload/control-socket.ts'

/** Parts of a server that know how it is. */
export interface ObservedServer {
  readonly store: Store
  readonly metrics: Pick<RequestMetrics, 'text'>
  readonly system: () => Promise<SystemState>
  /** What needs attention, as the last look has seen it. */
  readonly attention: () => readonly unknown[]
  readonly ports: unknown
}

/** What somebody who helps wants to know of a server that runs. A part that fails says why, and the others are there all the same. */
export async function serverFiles(
  { store, metrics, system, attention, ports }: ObservedServer,
  log: string,
): Promise<ServerFiles> {
  const memory = process.memoryUsage()
  const parts: Readonly<Record<string, () => string | Promise<string>>> = {
    'server/system.json': async () => json({ ...(await system()), ports, memory, pid: process.pid }),
    'server/attention.json': () => json(attention()),
    'server/metrics.txt': async () => (await metrics.text()).body,
    'server/tables.json': async () => json(await tablesOf(store)),
    'server/log.jsonl': () => log,
  }
  const entries = Object.entries(parts).map(async ([name, read]) => {
    try {
      return [name, await read()] as const
    } catch (error) {
      return [name, `This could not be read: ${describe(error)}\n`] as const
    }
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** The names of all tables, and the steps that have made them as they are. */
async function tablesOf(store: Store): Promise<object> {
  const tables = store.tables<Record<string, { name: string; timestamp: string }>>()
  const names = (await tables.introspection.getTables()).map(({ name }) => name).sort()
  const migrations = names.filter((name) => name.endsWith('_migration'))
  const steps = migrations.map(async (table) => {
    const rows = await tables.selectFrom(table).select(['name', 'timestamp']).orderBy('name').execute()
    return [table, rows] as const
  })
  return { names, migrations: Object.fromEntries(await Promise.all(steps)) }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
