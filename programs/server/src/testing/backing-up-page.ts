import { readFileSync } from 'node:fs'
import { createLog, openStore } from '@palisade/platform'
import type { Configuration } from '../configuration/schema.ts'
import { serve } from '../serve.ts'

const page = new URL('../../../../docs/operating/backing-up-palisade.md', import.meta.url)

/** Members of a configuration on free loopback ports, as flags. */
export const freePorts = {
  'firewall-run-proxy': 'false',
  ...{ 'firewall-listen-http': '0', 'firewall-listen-https': '0' },
  ...{ 'services-listen-http': '0', 'services-listen-https': '0' },
}

/** The block of commands of the operators' page that begins with this. @throws Error when there is none */
export function commandsBeginningWith(start: string): string {
  const blocks = readFileSync(page, 'utf8').matchAll(/```sh\n([^`]*)```/g)
  for (const [, block = ''] of blocks) if (block.trimStart().startsWith(start)) return block
  throw new Error(`the page has no commands that begin with ${start}`)
}

export async function startAndEnd(configuration: Configuration): Promise<void> {
  const log = createLog('silent')
  const server = await serve(configuration, { log, provisionCredentials: false, show: () => undefined })
  await server.close()
}

/** The rows of each table, as sorted texts. */
export async function rowsOf({ database, dataDirectory }: Configuration): Promise<Record<string, string[]>> {
  const store = openStore(database, dataDirectory)
  const tables = store.tables<Record<string, Record<string, unknown>>>()
  const rows: Record<string, string[]> = {}
  for (const { name } of await tables.introspection.getTables()) {
    const found = await tables.selectFrom(name).selectAll().execute()
    rows[name] = found.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
  }
  await store.close()
  return rows
}
