import { type Clock, RequestRefused } from '@palisade/platform'
import { type CounterName, counterNames } from '@palisade/proxy-protocol'
import { forbidden } from '../../access/forbidden.ts'
import type { TrafficCounters } from '../../logs/stats/counters.ts'
import { countedHoursMax, countedMinutesMax } from '../../logs/stats/stored-counters.ts'
import { type HistoryRange, trafficHistory } from '../../logs/stats/traffic-history.ts'
import { jsonReply, replySchema } from '../../openapi/bodies.ts'
import { type Query, refuseOtherParameters } from '../../rest/query.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { answer } from '../body.ts'
import { type LimitDependencies, reachedServices } from './entry-limits.ts'
import { readService } from './stats-operations.ts'

const title = 'Traffic History'

/** What is counted unless the request names something else. */
const usualCounters: readonly CounterName[] = ['requests', 'attacks']
const stepMinutesDefault = 1
const stepsDefault = 60
const stepsMax = 1_000
/** Of one step: a day. */
const stepMinutesMax = 24 * 60
/** How many rows of the store one reply looks up at most: less than half a second. */
const lookupsMax = 400_000

const text = { type: 'string' } as const

/** `GET stats/history`: what traffic counted, step by step, of the services that the administrator reaches. Our own, beside the documented API. */
export function historyOperation(
  deps: LimitDependencies & { readonly counters: TrafficCounters; readonly clock: Clock },
): SpecialOperation {
  return {
    method: 'GET',
    path: 'stats/history',
    mayBeDone: (permissions) => permissions.mayPerform('view-traffic-logs'),
    description: {
      operationId: 'getTrafficHistory',
      summary: 'What the traffic counted, step by step',
      tags: ['Statistics'],
      parameters: [
        { name: 'service', in: 'query', description: 'One service; all when left out.', schema: text },
        {
          name: 'counters',
          in: 'query',
          description: `Names of counters as the statistics have them, with commas between them; ${usualCounters.join(',')} when left out.`,
          schema: text,
        },
        {
          name: 'step-minutes',
          in: 'query',
          description: `Minutes of a step; ${stepMinutesDefault} when left out. Steps of whole hours go back ${countedHoursMax} hours, others ${countedMinutesMax} minutes.`,
          schema: { type: 'integer', minimum: 1, maximum: stepMinutesMax },
        },
        {
          name: 'steps',
          in: 'query',
          description: `How many steps, the one that runs now being the last; ${stepsDefault} when left out.`,
          schema: { type: 'integer', minimum: 1, maximum: stepsMax },
        },
      ],
      responses: { 200: jsonReply('The history.', historyReply) },
    },
    handle: async (call) => {
      const range = readRange(deps, call)
      const { times, services } = await trafficHistory(deps, range)
      const data = {
        'step-minutes': range.stepMinutes,
        times: times.map((time) => new Date(time).toISOString()),
        services,
      }
      return answer(call, { object: title, data })
    },
  }
}

const historyReply = replySchema(
  'TrafficHistoryReply',
  {
    object: { type: 'string', const: title },
    data: {
      type: 'object',
      properties: {
        'step-minutes': { type: 'integer' },
        times: { type: 'array', items: text, description: 'When each step began, ascending.' },
        services: {
          type: 'object',
          description:
            'By service and by counter, a value for each step. What counted nothing at all is left out.',
          additionalProperties: {
            type: 'object',
            additionalProperties: { type: 'array', items: { type: 'number' } },
          },
        },
      },
      required: ['step-minutes', 'times', 'services'],
    },
  },
  ['object', 'data', 'token'],
)

function readRange(deps: LimitDependencies, { request: { query }, author }: Call): HistoryRange {
  refuseOtherParameters(query, ['service', 'counters', 'step-minutes', 'steps'])
  const stepMinutes = readInteger(query, 'step-minutes', stepMinutesDefault, stepMinutesMax)
  const steps = readInteger(query, 'steps', stepsDefault, stepsMax)
  const isOfHours = stepMinutes % 60 === 0
  const keptMinutes = isOfHours ? countedHoursMax * 60 : countedMinutesMax
  if (stepMinutes * steps > keptMinutes) {
    throw refused(
      'steps',
      `must be at most ${Math.floor(keptMinutes / stepMinutes)} for steps of ${stepMinutes} minutes`,
    )
  }
  const counters = readCounters(query.counters)
  const services = readServices(deps, query.service, author)
  const rows = ((stepMinutes * steps) / (isOfHours ? 60 : 1)) * counters.length * services.length
  if (rows > lookupsMax) {
    throw refused(
      'service',
      `is required here: ${services.length} services at once are too much for ${steps} steps of ${stepMinutes} minutes`,
    )
  }
  return { services, counters, stepMinutes, steps }
}

/** @throws RequestRefused forbidden for a service that the author does not reach, whether it is there or not */
function readServices(deps: LimitDependencies, given: unknown, author: Call['author']): readonly string[] {
  const permissions = deps.roles.permissionsOf(author)
  const isReached = permissions.readsEveryService ? () => true : reachedServices(deps, permissions)
  if (given === undefined)
    return deps.configuration
      .objects('service')
      .map(({ name }) => name)
      .filter(isReached)
  const named = readService(given)
  if (!isReached(named)) throw forbidden(`service ${JSON.stringify(named)}`, 'read')
  return [named]
}

function readCounters(given: unknown): readonly CounterName[] {
  if (given === undefined) return usualCounters
  const names = typeof given === 'string' ? given.split(',').map((name) => name.trim()) : []
  const counters = counterNames.filter((name) => names.includes(name))
  const missing = names.find((name) => !counterNames.some((one) => one === name))
  if (missing === undefined && counters.length > 0) return counters
  throw refused('counters', `names ${JSON.stringify(missing ?? given)}; expected: ${counterNames.join(', ')}`)
}

function readInteger(query: Query, name: string, usual: number, max: number): number {
  const text = query[name]
  if (text === undefined) return usual
  const value = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= max) return value
  throw refused(name, `must be one integer from 1 to ${max}`)
}

function refused(field: string, what: string): RequestRefused {
  return new RequestRefused('bad-request', `The parameter ${field} ${what}.`, { field })
}
