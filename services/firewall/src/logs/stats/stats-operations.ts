import { isStorableText, RequestRefused } from '@palisade/platform'
import type { SpecialOperation } from '../../operations/operation.ts'
import { tokenOf } from '../../rest/admission.ts'
import { type Query, readFields, refuseOtherParameters } from '../../rest/query.ts'
import { sendMembers } from '../../rest/replies.ts'
import { readOnlyFields } from '../field-sets.ts'
import {
  figuresOf,
  type Statistics,
  type StatisticsName,
  type StatisticsRange,
  statistics,
  statisticsNames,
} from './statistics.ts'
import { countedMinutesMax } from './stored-counters.ts'

/** `GET stats/{name}` for each of the statistics. */
export function statsOperations(deps: { readonly statistics: Statistics }): readonly SpecialOperation[] {
  return statisticsNames.map((name) => ({
    method: 'GET',
    path: `stats/${name}`,
    mayBeDone: (permissions) => permissions.mayPerform('view-traffic-logs'),
    handle: async ({ request, reply }) => {
      const figures = await read(deps.statistics, name, request.query)
      const title = JSON.stringify(statistics[name].title)
      const members = `"object":${title},"data":{${title}:${JSON.stringify(figures)}}`
      return sendMembers(reply, tokenOf(request), members)
    },
  }))
}

async function read(source: Statistics, name: StatisticsName, query: Query): Promise<Record<string, string>> {
  const isSystem = name === 'system-stats'
  refuseOtherParameters(query, isSystem ? ['parameters'] : ['parameters', 'service', 'minutes'])
  const shown = readFields([readOnlyFields(statistics[name].title, figuresOf(name))], query)
  const figures = isSystem ? await source.ofSystem() : await source.ofTraffic(name, readRange(query))
  return Object.fromEntries(
    Object.entries(figures).filter(([figure]) => shown === undefined || shown.has(figure)),
  )
}

function readRange({ service, minutes }: Query): StatisticsRange {
  return {
    ...(service === undefined ? {} : { service: readService(service) }),
    ...(minutes === undefined ? {} : { minutes: readMinutes(minutes) }),
  }
}

function readService(given: unknown): string {
  if (typeof given === 'string' && given !== '' && isStorableText(given)) return given
  throw new RequestRefused('bad-request', 'The parameter service must be the name of one service.', {
    field: 'service',
  })
}

function readMinutes(given: unknown): number {
  const minutes = typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN
  if (minutes >= 1 && minutes <= countedMinutesMax) return minutes
  throw new RequestRefused(
    'bad-request',
    `The parameter minutes must be one integer from 1 to ${countedMinutesMax}.`,
    { field: 'minutes' },
  )
}
