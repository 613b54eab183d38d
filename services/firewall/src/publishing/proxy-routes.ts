import type { Socket } from 'node:net'
import { type Clock, clientAddress, markAuthenticated, RequestRefused } from '@palisade/platform'
import {
  differenceBetween,
  type LoggedEntry,
  originHeaders,
  type ProxyCounts,
  type ProxyLearnt,
  type ProxyLogs,
  type ProxyReport,
  type ProxyReportDifference,
  type ProxyStoredRequests,
  proxyAddresses,
  reportIdHeader,
  type SharedMemoryMessage,
  snapshotFormat,
  snapshotWaitMs,
  type TrialResult,
} from '@palisade/proxy-protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notAcceptable } from '../failure.ts'
import type { LearntUrls } from '../learning/learnt-urls.ts'
import type { LogStore } from '../logs/log-store.ts'
import type { TrafficCounters } from '../logs/stats/counters.ts'
import type { StoredRequests } from '../stored-traffic/stored-requests.ts'
import type { Trials } from '../stored-traffic/trials.ts'
import { isCredential } from './credential.ts'
import {
  countsSchema,
  learntSchema,
  logsSchema,
  reportDifferenceSchema,
  reportSchema,
  sharedMemorySchema,
  storedRequestsSchema,
  trialResultSchema,
} from './messages.ts'
import type { Publisher } from './publisher.ts'
import type { SharedMemory } from './shared-memory.ts'

/** Room for the largest message: hundreds of entries with long addresses in them. */
const bodySizeMax = 8 * 1024 * 1024

/** What proxies ask for and tell. Not part of the API: nothing here is described to its clients. */
export function proxyRoutes(deps: {
  readonly publisher: Publisher
  /** @returns what the report is called in the difference that may follow it; undefined where the one before a difference is not known */
  readonly onReport: (told: ProxyReport | ProxyReportDifference) => string | undefined
  readonly logs: LogStore
  readonly counters: TrafficCounters
  readonly learnt: LearntUrls
  readonly storedRequests: StoredRequests
  readonly trials: Trials
  readonly sharedMemory: SharedMemory
  readonly credential: string
  readonly clock: Clock
  readonly hasService: (name: string) => boolean
  /** What the service with this name is called in logs; empty where there is none. */
  readonly applicationIdOf: (serviceName: string) => string
}) {
  const { storedRequests, trials, sharedMemory } = deps
  const { publisher, onReport, logs, counters, learnt, credential, clock, hasService, applicationIdOf } = deps
  // What is of a time to come would be kept when everything else has become too old or too much, and be shown first for ever.
  const notLater = (time: number) => Math.min(time, clock.now())
  const ofNow = <Entry extends { readonly time: number }>(entry: Entry): Entry => ({
    ...entry,
    time: notLater(entry.time),
  })
  /** Proxies are not told how services are called beside their names. */
  const withApplication = (entry: LoggedEntry): LoggedEntry => {
    const id = applicationIdOf(String(entry['service-name'] ?? ''))
    return id === '' ? entry : { ...entry, 'service-app-id': id }
  }
  const logged = (entry: LoggedEntry) => withApplication(ofNow(entry))
  const onRequest = async (request: FastifyRequest) => admit(request, credential)
  const hidden = { hide: true }

  return async (scope: FastifyInstance): Promise<void> => {
    scope.addHook('preClose', async () => {
      publisher.close()
      sharedMemory.close()
    })

    scope.get<{ Querystring: { except?: string; format?: string; differences?: string } }>(
      proxyAddresses.snapshot,
      { onRequest, schema: hidden },
      async (request, reply) => {
        refuseOlderFormat(request.query.format)
        const than = String(request.query.except ?? '')
        const snapshot = await publisher.other(than, waiting(reply))
        if (snapshot === undefined) return reply.code(204).send()
        const base = request.query.differences === '1' ? publisher.recent(than) : undefined
        const document = base === undefined ? snapshot : differenceBetween(base, snapshot)
        nameOrigin(reply, publisher)
        return reply
          .header('cache-control', 'no-store')
          .type('application/json')
          .send(JSON.stringify(document))
      },
    )

    scope.post<{ Body: ProxyReport }>(
      proxyAddresses.report,
      { onRequest, bodyLimit: bodySizeMax, schema: { ...hidden, body: reportSchema } },
      async (request, reply) => {
        return reply.header(reportIdHeader, onReport(request.body)).code(204).send()
      },
    )

    scope.post<{ Body: ProxyReportDifference }>(
      proxyAddresses.reportDifference,
      { onRequest, bodyLimit: bodySizeMax, schema: { ...hidden, body: reportDifferenceSchema } },
      async (request, reply) => {
        const id = onReport(request.body)
        if (id === undefined) {
          throw new RequestRefused('conflict', 'The report before is not known here: send a whole one.')
        }
        return reply.header(reportIdHeader, id).code(204).send()
      },
    )

    scope.post<{ Body: ProxyCounts }>(
      proxyAddresses.counts,
      { onRequest, bodyLimit: bodySizeMax, schema: { ...hidden, body: countsSchema } },
      async (request, reply) => {
        const counted = request.body.counted
          .filter(({ service }) => hasService(service))
          .map((counts) => ({ ...counts, time: notLater(counts.time) }))
        await counters.add(counted, request.body)
        return reply.code(204).send()
      },
    )

    scope.post<{ Body: ProxyLearnt }>(
      proxyAddresses.learnt,
      { onRequest, bodyLimit: bodySizeMax, schema: { ...hidden, body: learntSchema } },
      async (request, reply) => {
        const urls = request.body.urls
          .filter(({ service }) => hasService(service))
          .map((url) => ({ ...url, firstAt: notLater(url.firstAt), lastAt: notLater(url.lastAt) }))
        await learnt.take(urls)
        return reply.code(204).send()
      },
    )

    scope.post<{ Body: ProxyStoredRequests }>(
      proxyAddresses.storedRequests,
      { onRequest, bodyLimit: bodySizeMax, schema: { ...hidden, body: storedRequestsSchema } },
      async (request, reply) => {
        await storedRequests.take(request.body.requests.map(ofNow))
        return reply.code(204).send()
      },
    )

    scope.post<{ Body: SharedMemoryMessage }>(
      proxyAddresses.sharedMemory,
      { onRequest, bodyLimit: bodySizeMax, schema: { ...hidden, body: sharedMemorySchema } },
      async (request, reply) => {
        await sharedMemory.take(request.body)
        return reply.code(204).send()
      },
    )

    scope.get<{ Querystring: { after?: string; sender?: string } }>(
      proxyAddresses.sharedMemory,
      { onRequest, schema: hidden },
      async (request, reply) => {
        const { after = '', sender = '' } = request.query
        const news = await sharedMemory.after(String(after), String(sender), waiting(reply))
        if (news === undefined) return reply.code(204).send()
        return reply.header('cache-control', 'no-store').type('application/json').send(JSON.stringify(news))
      },
    )

    scope.get<{ Querystring: { 'rule-sets'?: string } }>(
      proxyAddresses.trial,
      { onRequest, schema: hidden },
      async (request, reply) => {
        const ruleSets = String(request.query['rule-sets'] ?? '').split(',')
        const trial = await trials.next(ruleSets, waiting(reply))
        if (trial === undefined) return reply.code(204).send()
        return reply.header('cache-control', 'no-store').type('application/json').send(JSON.stringify(trial))
      },
    )

    scope.post<{ Body: TrialResult }>(
      proxyAddresses.trialResult,
      { onRequest, bodyLimit: bodySizeMax, schema: { ...hidden, body: trialResultSchema } },
      async (request, reply) => {
        await trials.answer(request.body)
        return reply.code(204).send()
      },
    )

    scope.post<{ Body: ProxyLogs }>(
      proxyAddresses.logs,
      { onRequest, bodyLimit: bodySizeMax, schema: { ...hidden, body: logsSchema } },
      async (request, reply) => {
        const { access, webFirewall } = request.body
        await logs.append('access', access.map(logged))
        await logs.append('web-firewall', webFirewall.map(logged))
        return reply.code(204).send()
      },
    )
  }
}

/** Says which request a snapshot comes of. */
function nameOrigin(reply: FastifyReply, { changeOrigin }: Publisher): void {
  if (changeOrigin === undefined) return
  const { requestId, traceparent } = changeOrigin
  reply.header(originHeaders.requestId, requestId)
  if (traceparent !== undefined) reply.header(originHeaders.traceparent, traceparent)
}

/** @param format the newest that the proxy reads; older releases do not say, and read the first one */
function refuseOlderFormat(format: string | undefined): void {
  if (format === undefined || Number(format) >= snapshotFormat) return
  throw notAcceptable(
    `The proxy reads snapshots of format ${Number(format)}, and this management writes format ${snapshotFormat}: upgrade the proxy.`,
  )
}

/** Snapshots hold private keys, so they do not leave the machine in plain text. */
function admit(request: FastifyRequest, credential: string): void {
  if (!isCredential(request.headers.authorization, credential)) {
    throw new RequestRefused('unauthenticated', 'The credential of the proxies is missing or wrong.', {
      headers: { 'www-authenticate': 'Bearer realm="proxies"' },
    })
  }
  markAuthenticated(request)
  const { socket } = request.raw
  if ('encrypted' in socket || isOfThisMachine(socket)) return
  throw new RequestRefused(
    'forbidden',
    `Proxies come over HTTPS, except from the same machine; ${clientAddress(request)} is another one.`,
  )
}

function isOfThisMachine({ remoteAddress = '', localAddress }: Socket): boolean {
  return remoteAddress === localAddress || remoteAddress.replace('::ffff:', '').startsWith('127.')
}

/** Aborted when the time for an answer is over, or nobody waits for it any more. */
function waiting(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return AbortSignal.any([gone.signal, AbortSignal.timeout(snapshotWaitMs)])
}
