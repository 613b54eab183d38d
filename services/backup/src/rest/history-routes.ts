import type { Store } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { type HistoryEntry, taskHistory } from '../tasks/task-history.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import * as examples from './examples.ts'
import { HistoryParameters, readHistoryPage } from './history-query.ts'
import { AccountPath, ComputerPath } from './schemas.ts'

const HistoryItem = Type.Object(
  {
    action_id: Type.String(),
    username: Type.String({ description: 'the account' }),
    computer_id: Type.String(),
    type: Type.Enum(['BACKUP', 'RESTORE']),
    backupset_name: Type.String(),
    plugin: Type.Literal('IMAGE'),
    status: Type.Enum(['RUNNING', 'SUCCESS', 'CANCELING', 'CANCELED', 'ERROR']),
    local_start: Type.String({ format: 'date-time' }),
    local_end: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    total_files: Type.Integer({ description: 'volumes' }),
    processed_files: Type.Integer(),
    bytes: Type.Integer(),
    condition_status: Type.Enum(['COMPLETED', 'RUNNING', 'FAILURE']),
    condition_types: Type.Array(Type.Enum(['COMPLETED', 'RUNNING', 'CANCELED', 'ERRORS'])),
    errors: Type.Integer(),
    warnings: Type.Integer({ description: 'always 0: a backup or restore succeeds or does not' }),
  },
  { title: 'HistoryItem' },
)

const History = Type.Object(
  {
    page: Type.Integer(),
    page_size: Type.Integer(),
    count: Type.Integer({ description: 'on all pages' }),
    links: Type.Array(Type.Object({ rel: Type.String(), href: Type.String() })),
    list: Type.Array(HistoryItem),
  },
  { title: 'ActionHistory', examples: [examples.history] },
)

interface HistoryRoute {
  Params: AccountParams
  Querystring: Record<string, unknown>
}

/** Backups and restores in the form of the API's first version (reference, section 2.6). */
export function historyRoutes(deps: { readonly authorisation: Authorisation; readonly store: Store }) {
  const { authorisation, store } = deps

  async function historyOf(
    { account_id: accountId, computer_id: computerId }: AccountParams,
    url: string,
    input: Record<string, unknown>,
  ) {
    const { page, pageSize, query } = readHistoryPage(input)
    const whose = computerId === undefined ? { accountId } : { accountId, computerId }
    const range = { offset: (page - 1) * pageSize, limit: pageSize }
    const { count, entries } = await taskHistory(store, whose, query, range)
    const links = linksOf(url, page, Math.max(1, Math.ceil(count / pageSize)))
    return { page, page_size: pageSize, count, links, list: entries.map(itemOf) }
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<HistoryRoute>(
      '/v1/accounts/:account_id/computers/:computer_id/action_history',
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'listComputerHistory',
          summary: 'List the backups and restores of a computer, by pages',
          tags: ['History'],
          params: ComputerPath,
          querystring: HistoryParameters,
          response: { 200: History },
        },
      },
      (request) => historyOf(request.params, request.url, request.query),
    )

    scope.get<HistoryRoute>(
      '/v1/accounts/:account_id/action_history',
      {
        onRequest: authorisation.require('accounts_read'),
        schema: {
          operationId: 'listAccountHistory',
          summary: 'List the backups and restores of all computers of an account, by pages',
          tags: ['History'],
          params: AccountPath,
          querystring: HistoryParameters,
          response: { 200: History },
        },
      },
      (request) => historyOf(request.params, request.url, request.query),
    )
  }
}

/** The same address with other pages; `previous` and `next` where there are such pages. */
function linksOf(url: string, page: number, pages: number) {
  const [path = '', query = ''] = url.split('?')
  const hrefOf = (number: number) => {
    const parameters = new URLSearchParams(query)
    parameters.set('page', String(number))
    return `${path}?${parameters}`
  }
  return [
    { rel: 'first', href: hrefOf(1) },
    ...(page > 1 ? [{ rel: 'previous', href: hrefOf(page - 1) }] : []),
    ...(page < pages ? [{ rel: 'next', href: hrefOf(page + 1) }] : []),
    { rel: 'last', href: hrefOf(pages) },
  ]
}

const conditions = {
  RUNNING: ['RUNNING', 'RUNNING'],
  CANCELING: ['RUNNING', 'RUNNING'],
  SUCCESS: ['COMPLETED', 'COMPLETED'],
  CANCELED: ['FAILURE', 'CANCELED'],
  ERROR: ['FAILURE', 'ERRORS'],
} as const

function itemOf({ accountId, computerId, setName, task }: HistoryEntry): Static<typeof HistoryItem> {
  const [condition, conditionType] = conditions[task.state]
  const volumes = task.kind === 'backup' ? 1 : task.request.revisions.length
  return {
    action_id: task.id,
    username: accountId,
    computer_id: computerId,
    type: task.kind === 'backup' ? 'BACKUP' : 'RESTORE',
    backupset_name: setName ?? '',
    plugin: 'IMAGE',
    status: task.state,
    local_start: new Date(task.startedAt).toISOString(),
    local_end: task.endedAt === null ? null : new Date(task.endedAt).toISOString(),
    total_files: volumes,
    processed_files: task.state === 'SUCCESS' ? volumes : 0,
    bytes: task.bytesDone,
    condition_status: condition,
    condition_types: [conditionType],
    errors: task.state === 'ERROR' ? 1 : 0,
    warnings: 0,
  }
}
