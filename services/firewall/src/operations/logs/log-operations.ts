import { setImmediate } from 'node:timers/promises'
import { isStorableText, RequestRefused } from '@palisade/platform'
import type { FastifyReply } from 'fastify'
import type { Permissions } from '../../access/permissions.ts'
import { ConfigurationRefused } from '../../failure.ts'
import { type StoredLog, storedLogs } from '../../logs/columns.ts'
import type { Search } from '../../logs/conditions.ts'
import { fieldSetOf } from '../../logs/field-sets.ts'
import { adviceOnFilters } from '../../logs/filters/advice-on-filters.ts'
import { readFilters } from '../../logs/filters/read-filters.ts'
import { olderParametersOf, readOlderParameters } from '../../logs/filters/read-older-parameters.ts'
import type { LogStore } from '../../logs/log-store.ts'
import { type LogName, logTypes } from '../../logs/log-types.ts'
import { entryOf } from '../../logs/rows.ts'
import type { Page } from '../../logs/search.ts'
import type { LogRow } from '../../logs/tables.ts'
import { ExpressionTooSlow } from '../../logs/text-matching.ts'
import type { LogType } from '../../logs/types/log-type.ts'
import { tokenOf } from '../../rest/admission.ts'
import { type Query, readFields, readPage, refuseOtherParameters } from '../../rest/query.ts'
import { sendMembers } from '../../rest/replies.ts'
import type { Call, SpecialOperation } from '../../rest/special-operation.ts'
import { untilClosed } from '../../rest/until-closed.ts'
import { entryLimit, type LimitDependencies, mayReadLogOfSystem } from './entry-limits.ts'

/** How many entries a reply has unless asked for another number, and at most. */
export const entriesDefault = 20
/** The largest `limit` of a log. */
export const entriesMax = 10_000

/** How many entries are written out at a time, before others are served. */
const entriesAtOnce = 500

/**
 * `GET {log}` and `GET {log}/{id}` for each log, and `logs/{log}` with the parameters of older clients, which may
 * be sent by POST as well: so it stands in the API's examples. What a role does not reach is not found.
 */
export function logOperations(
  deps: LimitDependencies & { readonly logs: LogStore },
): readonly SpecialOperation[] {
  const { logs } = deps

  async function answerSearch(
    log: StoredLog,
    query: Search,
    { request, reply, author }: Call,
  ): Promise<FastifyReply> {
    const search = { ...query, limit: entryLimit(deps, author, log.name) }
    const shown = readFields([fieldSetOf(log)], request.query)
    const page = readEntriesPage(request.query)
    const rows = await logs.search(log.name, search, page, untilClosed(reply)).catch(tellSlowExpression)
    const title = `"object":${JSON.stringify(log.title)}`
    if (rows.length === 0) return sendMembers(reply, tokenOf(request), `${title}${whyEmpty(log)}`)
    return sendMembers(reply, tokenOf(request), `${title},"data":{${await entriesText(log, rows, shown)}}`)
  }

  async function answerEntry(log: StoredLog, { request, reply, names, author }: Call): Promise<FastifyReply> {
    refuseOtherParameters(request.query, ['parameters'])
    const shown = readFields([fieldSetOf(log)], request.query)
    const { id = '' } = names
    const row = isStorableText(id) ? await logs.find(log.name, id) : undefined
    const isReadable = row && (entryLimit(deps, author, log.name)?.allows(row) ?? true)
    if (!isReadable) {
      throw new ConfigurationRefused({
        code: 'not-found',
        what: `entry ${JSON.stringify(id)} in the ${log.segment}`,
      })
    }
    const members = `"object":${JSON.stringify(log.title)},"data":{${await entriesText(log, [row], shown)}}`
    return sendMembers(reply, tokenOf(request), members)
  }

  return [...storedLogs.values()].flatMap((log): SpecialOperation[] => {
    const mayBeDone = (permissions: Permissions) =>
      permissions.mayPerform(operationOf[log.name]) && mayReadLogOfSystem(permissions, log.name)
    const answerList = (call: Call) => {
      const { query } = call.request
      refuseOtherParameters(query, ['filters', 'parameters', 'limit', 'offset'], (name) =>
        adviceOnFilters(log, name, query[name]),
      )
      return answerSearch(log, readFilters(log, query.filters), call)
    }
    const answerOlderList = (call: Call) => {
      const { query } = call.request
      refuseOtherParameters(query, [...olderParametersOf(log), 'parameters', 'limit', 'offset'])
      return answerSearch(log, readOlderParameters(log, query), call)
    }
    return [
      { method: 'GET', path: log.segment, mayBeDone, handle: answerList },
      { method: 'GET', path: `${log.segment}/{id}`, mayBeDone, handle: (call) => answerEntry(log, call) },
      { method: 'GET', path: `logs/${log.segment}`, mayBeDone, handle: answerOlderList },
      { method: 'POST', path: `logs/${log.segment}`, mayBeDone, handle: answerOlderList },
    ]
  })
}

/** What an administrator's role has to allow for reading a log. */
const operationOf: Readonly<Record<LogName, string>> = {
  access: 'view-traffic-logs',
  'web-firewall': 'view-aps-logs',
  audit: 'view-audit-logs',
  'network-firewall': 'view-traffic-logs',
  system: 'get-logs',
}

/** Why there is nothing, where there never is: as the member `msg`. */
function whyEmpty({ name }: StoredLog): string {
  const { neverWritten }: LogType = logTypes[name]
  return neverWritten === undefined ? '' : `,"msg":${JSON.stringify(neverWritten)}`
}

function readEntriesPage(query: Query): Page {
  const { offset, limit = entriesDefault } = readPage(query)
  if (limit <= entriesMax) return { offset, limit }
  throw new RequestRefused('bad-request', `The parameter limit must be at most ${entriesMax}.`, {
    field: 'limit',
  })
}

/** The entries by their ids, as the members of a JSON object. */
async function entriesText(
  log: StoredLog,
  rows: readonly LogRow[],
  shown: ReadonlySet<string> | undefined,
): Promise<string> {
  const texts: string[] = []
  for (const row of rows) {
    texts.push(`${JSON.stringify(row.id)}:${JSON.stringify(entryOf(log, row, shown))}`)
    if (texts.length % entriesAtOnce === 0) await setImmediate()
  }
  return texts.join(',')
}

function tellSlowExpression(error: unknown): never {
  if (!(error instanceof ExpressionTooSlow)) throw error
  throw new RequestRefused(
    'bad-request',
    'The parameter filters has a regular expression that takes too long; use a simpler one.',
    { field: 'filters' },
  )
}
