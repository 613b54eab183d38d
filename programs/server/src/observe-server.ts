import { X509Certificate } from 'node:crypto'
import type { ServiceAttention } from '@palisade/administration'
import {
  type Figure,
  type JobFigures,
  type ServiceMetrics,
  type ServiceWarning,
  type Store,
  storeAnswers,
  type WatchedQueue,
} from '@palisade/platform'
import type { Tracing } from '@palisade/tracing'
import { attentionFigures } from './attention.ts'
import type { Listeners } from './listeners.ts'

/** What is observed of a server as a whole. */
interface ObservedServer {
  readonly version: string
  readonly store: Store
  readonly listeners: Pick<Listeners, 'presented'>
  /** When the first certificate of the firewall's applications ends; undefined where they have none. */
  readonly applicationsExpiry: () => Date | undefined
  readonly queues: () => readonly WatchedQueue[]
  /** Of all services. */
  readonly warnings: () => readonly (ServiceWarning & { readonly service: string })[]
  readonly monitor: { readonly seen: readonly ServiceAttention[] }
  /** Undefined where no traces are recorded. */
  readonly tracing: Tracing | undefined
}

/** Shows how a server is, at each scrape. */
export function observeServer(metrics: ServiceMetrics, server: ObservedServer): void {
  const { version, store, listeners, applicationsExpiry, queues, warnings, monitor, tracing } = server
  metrics.observed('palisade_build_info', '1, with the version of the server', ['version'], () => [
    { labels: { version }, value: 1 },
  ])
  metrics.observed<never>(
    'palisade_database_up',
    '1 when the database answers, 0 when it does not',
    [],
    async () => [{ labels: {}, value: (await storeAnswers(store)) ? 1 : 0 }],
  )
  metrics.observed(
    'palisade_database_list_reads_total',
    'Long lists that this server has read from replicas of the database, and from the primary where no replica could be used',
    ['server'],
    () =>
      (['replica', 'primary'] as const).map((server) => ({
        labels: { server },
        value: store.listReads[server],
      })),
  )
  metrics.observed(
    'palisade_certificate_expiry_timestamp_seconds',
    'When the certificate ends that a listener presents, and the first of those of applications and their servers',
    ['used_by'],
    () => {
      const ofListeners = [...listeners.presented].map(
        ([name, { cert }]) => [`${name}-listener`, new X509Certificate(cert).validToDate] as const,
      )
      return [...ofListeners, ['applications', applicationsExpiry()] as const].flatMap(([used_by, end]) =>
        end === undefined ? [] : [{ labels: { used_by }, value: end.getTime() / 1000 }],
      )
    },
  )
  observeQueues(metrics, queues)
  metrics.observed(
    'palisade_service_warnings',
    'Conditions that keep a service from doing all of its work, as /readyz tells them',
    ['service', 'condition'],
    () => warnings().map(({ service, condition }) => ({ labels: { service, condition }, value: 1 })),
  )
  metrics.observed(
    'palisade_attention',
    'Conditions that need attention, as /admin/v1/attention tells them',
    ['service', 'condition', 'severity'],
    () => attentionFigures(monitor.seen),
  )
  metrics.observed(
    'palisade_trace_spans_dropped_total',
    'Spans of traces that have not reached the collector',
    ['reason'],
    () =>
      (['queue-full', 'export-failed'] as const).map((reason) => ({
        labels: { reason },
        value: tracing?.dropped[reason] ?? 0,
      })),
  )
}

function observeQueues(metrics: ServiceMetrics, queues: ObservedServer['queues']): void {
  let reading: Promise<readonly (readonly [queue: string, figures: JobFigures])[]> | undefined
  // One scrape reads all metrics at once, and each queue once for all of them.
  const read = () => {
    reading ??= Promise.all(
      queues().map(async ({ name, runner }) => [name, await runner.figures()] as const),
    ).finally(() => {
      reading = undefined
    })
    return reading
  }
  const observe = (name: string, help: string, value: (figures: JobFigures) => number) =>
    metrics.observed(
      name,
      help,
      ['queue'],
      async (): Promise<Figure<'queue'>[]> =>
        (await read()).map(([queue, figures]) => ({ labels: { queue }, value: value(figures) })),
    )
  observe(
    'palisade_jobs_overdue_seconds',
    'How late the job is that has waited longest and that no server is at; 0 when none is due',
    ({ overdueSeconds }) => overdueSeconds,
  )
  observe('palisade_jobs_running', 'Jobs that this server is at', ({ running }) => running)
  observe(
    'palisade_jobs_failed_total',
    'Jobs that have failed on this server and are tried again',
    ({ failed }) => failed,
  )
}
