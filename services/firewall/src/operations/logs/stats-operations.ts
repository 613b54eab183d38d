import { isStorableText, RequestRefused } from '@palisade/platform'
import { forbidden } from '../../access/forbidden.ts'
import type { Permissions } from '../../access/permissions.ts'
import { readOnlyFields } from '../../logs/field-sets.ts'
import {
  figuresOf,
  type Statistics,
  type StatisticsName,
  type StatisticsRange,
  statistics,
  statisticsNames,
} from '../../logs/stats/statistics.ts'
import { countedMinutesMax } from '../../logs/stats/stored-counters.ts'
import { tokenOf } from '../../rest/admission.ts'
import { type Query, readFields, refuseOtherParameters } from '../../rest/query.ts'
import { sendMembers } from '../../rest/replies.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { type LimitDependencies, reachedServices } from './entry-limits.ts'

/** What statistics are answered with. */
export interface StatisticsDependencies extends LimitDependencies {
  readonly statistics: Statistics
}

/** `GET stats/{name}` for each of the statistics, of the services that the administrator reaches. */
export function statsOperations(deps: StatisticsDependencies): readonly SpecialOperation[] {
  return statisticsNames.map((name) => ({
    method: 'GET',
    path: `stats/${name}`,
    mayBeDone: (permissions) =>
      permissions.mayPerform('view-traffic-logs') && (name !== 'system-stats' || permissions.seesWholeSystem),
    handle: async (call) => {
      const figures = await read(deps, name, call)
      const title = JSON.stringify(statistics[name].title)
      const members = `"object":${title},"data":{${title}:${JSON.stringify(figures)}}`
      return sendMembers(call.reply, tokenOf(call.request), members)
    },
  }))
}

async function read(
  deps: StatisticsDependencies,
  name: StatisticsName,
  { request: { query }, author }: Call,
): Promise<Record<string, string>> {
  const isSystem = name === 'system-stats'
  refuseOtherParameters(query, isSystem ? ['parameters'] : ['parameters', 'service', 'minutes'])
  const shown = readFields([readOnlyFields(statistics[name].title, figuresOf(name))], query)
  const figures = isSystem
    ? await deps.statistics.ofSystem()
    : await deps.statistics.ofTraffic(name, readRange(deps, query, deps.roles.permissionsOf(author)))
  return Object.fromEntries(
    Object.entries(figures).filter(([figure]) => shown === undefined || shown.has(figure)),
  )
}

/** @throws RequestRefused forbidden for a service that the permissions do not reach, whether it is there or not */
function readRange(
  deps: LimitDependencies,
  { service, minutes }: Query,
  permissions: Permissions,
): StatisticsRange {
  const named = service === undefined ? undefined : readService(service)
  const isReached = reachedServices(deps, permissions)
  const reachesAll = permissions.readsEveryService
  if (named !== undefined && !reachesAll && !isReached(named)) {
    throw forbidden(`service ${JSON.stringify(named)}`, 'read')
  }
  const all = () => {
    const names = deps.configuration.objects('service').map(({ name }) => name)
    return [...new Set([...names, ...permissions.namesIn('services')])].filter(isReached)
  }
  const services = named !== undefined ? [named] : reachesAll ? undefined : all()
  return {
    ...(services === undefined ? {} : { services }),
    ...(minutes === undefined ? {} : { minutes: readMinutes(minutes) }),
  }
}

/** The service that a request names. @throws RequestRefused bad-request for what can be no name of one */
export function readService(value: unknown): string {
  if (typeof value === 'string' && value !== '' && isStorableText(value)) return value
  throw new RequestRefused('bad-request', 'The parameter service must be the name of one service.', {
    field: 'service',
  })
}

function readMinutes(value: unknown): number {
  const minutes = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (minutes >= 1 && minutes <= countedMinutesMax) return minutes
  throw new RequestRefused(
    'bad-request',
    `The parameter minutes must be one integer from 1 to ${countedMinutesMax}.`,
    { field: 'minutes' },
  )
}
