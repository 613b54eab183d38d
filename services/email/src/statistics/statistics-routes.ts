import { type Clock, noteChange } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Query } from '../query-parameters.ts'
import type { AccountParams, Authorisation } from '../rest/authorisation.ts'
import { DomainPath, domainPattern } from '../rest/domain-routes.ts'
import type { DomainPlace } from '../tables.ts'
import { lastBlocks } from './blocks.ts'
import type { AccountOrDomain, MailCounts } from './mail-counts.ts'
import { countsOf, MailReport, MailReportReceipt } from './mail-report.ts'
import { readStatisticsRequest, StatisticsQuery } from './statistics-query.ts'
import { StatisticsView, statisticsViewOf } from './statistics-view.ts'

/** What the routes about statistics work with. */
export interface StatisticsRouteDependencies {
  readonly authorisation: Authorisation
  readonly mailCounts: MailCounts
  readonly clock: Clock
}

interface StatisticsCall {
  Params: AccountParams
  Querystring: Query
}

/** The statistics of accounts and domains, and how whoever carries their mail reports what to count, which is ours. */
export function statisticsRoutes({ authorisation, mailCounts, clock }: StatisticsRouteDependencies) {
  async function show(place: AccountOrDomain, query: Query) {
    const range = readStatisticsRequest(query)
    const blocks = lastBlocks(range.period, range.count, clock.now())
    return statisticsViewOf(place.accountId, range, await mailCounts.sums(place, blocks))
  }

  async function report(place: DomainPlace, body: MailReport) {
    const now = clock.now()
    return { report: body.report, isNew: await mailCounts.add(place, body.report, countsOf(body, now), now) }
  }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<StatisticsCall>(
      '/beta/accounts/:account_id/ess/statistics',
      {
        onRequest: authorisation.require('ess:account:read'),
        schema: {
          operationId: 'getAccountStatistics',
          summary: "Show what became of an account's mail, by hours or days",
          tags: ['Statistics'],
          params: Type.Object({ account_id: Type.String() }),
          querystring: StatisticsQuery,
          response: { 200: StatisticsView },
        },
      },
      (request) => show({ accountId: request.params.account_id }, request.query),
    )
    scope.get<StatisticsCall>(
      `${domainPattern}/statistics`,
      {
        onRequest: authorisation.require('ess:account:read'),
        schema: {
          operationId: 'getDomainStatistics',
          summary: "Show what became of a domain's mail, by hours or days",
          tags: ['Statistics'],
          params: DomainPath,
          querystring: StatisticsQuery,
          response: { 200: StatisticsView },
        },
      },
      (request) => {
        const { domainId } = authorisation.domainOf(request)
        return show({ accountId: request.params.account_id, domainId }, request.query)
      },
    )
    scope.post<{ Params: AccountParams; Body: MailReport }>(
      `${domainPattern}/statistics`,
      {
        onRequest: authorisation.require('ess:account:write'),
        schema: {
          operationId: 'reportDomainMail',
          summary: "Report what became of a domain's mail; a report that was counted is not counted again",
          tags: ['Statistics'],
          params: DomainPath,
          body: MailReport,
          response: { 200: MailReportReceipt },
        },
      },
      async (request) => {
        const { domainId } = authorisation.domainOf(request)
        const receipt = await report({ accountId: request.params.account_id, domainId }, request.body)
        noteChange(request, { before: null, after: { ...request.body, ...receipt } })
        return receipt
      },
    )
  }
}
