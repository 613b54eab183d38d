import type { TransactionTables } from '@palisade/platform'
import type { RouteConfiguration } from '../notification-configuration.ts'
import type { AdministrationTables } from '../tables.ts'

/** All routes, as the store has them now, each with those of its channels that are there. */
export async function routesOf({ tables }: Pick<TransactionTables, 'tables'>): Promise<RouteConfiguration[]> {
  const db = tables<AdministrationTables>()
  const rows = await db.selectFrom('admin_route').select('definition').execute()
  const channels = await db
    .selectFrom('admin_channel')
    .select('name')
    .where('settings', 'is not', null)
    .execute()
  const names = new Set(channels.map(({ name }) => name))
  return rows.map(({ definition }) => {
    const route = readRoute(definition)
    // A file that is changed may take away a channel that a route of run time names.
    return { ...route, channels: route.channels.filter((name) => names.has(name)) }
  })
}

/** A route as it lies in a column. */
export function readRoute(definition: string): RouteConfiguration {
  return JSON.parse(definition)
}

/**
 * Brings the routes that a file manages to what it says; those that it does not have any more are deleted.
 *
 * @param file as messages call it; null where the configuration comes from no file
 * @param now in milliseconds since 1970
 */
export async function provisionRoutes(
  { tables }: TransactionTables,
  routes: readonly RouteConfiguration[],
  file: string | null,
  now: number,
): Promise<void> {
  const db = tables<AdministrationTables>()
  await db.deleteFrom('admin_route').where('id', 'like', 'file-%').execute()
  for (const [index, route] of routes.entries()) {
    const row = {
      id: `file-${index + 1}`,
      definition: JSON.stringify(route),
      created_at: now,
      managed_by: file,
    }
    await db.insertInto('admin_route').values(row).execute()
  }
}
