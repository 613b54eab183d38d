import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { whyNotListening } from '@palisade/start-up'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { LogFigures } from '../management/log-collector.ts'
import type { WorkerEnds } from './fleet.ts'
import { durationBoundsSeconds, type ServiceFigures, type WorkerFigures } from './messages.ts'

/** Figures by the places of workers. */
type Figures = ReadonlyMap<number, WorkerFigures>

/** What is shown, as it is at the moment. */
interface Shown {
  readonly figures: Figures
  readonly ends: Readonly<WorkerEnds>
}

/** The proxy itself, and its management. */
interface ShownProxy {
  readonly version: string
  readonly management: { readonly isUp: boolean }
}

/** Where is known what became of log entries. */
interface Collected {
  readonly logFigures: LogFigures
}

/**
 * Shows figures to Prometheus at `/metrics`, to whoever can reach the address.
 *
 * @throws Error that says why the address cannot be opened
 */
export async function openMetrics(
  at: { readonly host: string; readonly port: number },
  shown: Shown,
  collected: Collected,
  proxy: ShownProxy,
): Promise<Server> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'palisade_proxy_primary_' })
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end()
      return
    }
    const own = await registry.metrics()
    response
      .writeHead(200, { 'content-type': registry.contentType })
      .end(`${own}\n${textOfProxy(proxy)}${textOf(shown)}${textOfLogs(collected.logFigures)}`)
  })
  server.listen(at.port, at.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new Error(
      `metrics names ${at.host}, port ${at.port}, which cannot be opened: ${whyNotListening(error)}`,
    )
  }
  return server
}

function textOfProxy({ version, management }: ShownProxy): string {
  return [
    ...heading('build_info', 'gauge', '1, with the version of the proxy'),
    `palisade_proxy_build_info{version="${escaped(version)}"} 1`,
    ...heading(
      'management_up',
      'gauge',
      '1 when the management answered the last request, 0 when it is away or does not know the key',
    ),
    `palisade_proxy_management_up ${management.isUp ? 1 : 0}`,
    '',
  ].join('\n')
}

/** Figures in Prometheus' text format, version 0.0.4. */
export function textOf({ figures, ends }: Shown): string {
  return [
    ...ofServices(figures, 'requests_total', 'counter', 'Requests by the kind of their answer', (service) =>
      Object.entries(service.requests).map(([status, count]) => [`,status="${status}"`, count]),
    ),
    ...ofServices(
      figures,
      'blocked_total',
      'counter',
      'Requests that were refused for what was found',
      (service) => [['', service.blocked]],
    ),
    ...ofServices(figures, 'received_bytes_total', 'counter', 'Bytes that clients sent', (service) => [
      ['', service.bytesReceived],
    ]),
    ...ofServices(figures, 'sent_bytes_total', 'counter', 'Bytes of bodies that clients got', (service) => [
      ['', service.bytesSent],
    ]),
    ...ofServices(
      figures,
      'upstream_failures_total',
      'counter',
      'Requests that no server answered',
      (service) => [['', service.upstreamFailures]],
    ),
    ...ofServices(figures, 'requests_under_way', 'gauge', 'Requests that are not answered yet', (service) => [
      ['', service.underWay],
    ]),
    ...ofServices(figures, 'connections', 'gauge', 'Open connections of clients', (service) => [
      ['', service.connections],
    ]),
    ...durations(figures),
    ...ofWorkers(
      figures,
      'event_loop_delay_seconds',
      'gauge',
      'How late timers ran in the last second',
      (worker) =>
        Object.entries(worker.eventLoopDelaySeconds).map(([of, seconds]) => [`,of="${of}"`, seconds]),
    ),
    ...ofWorkers(figures, 'worker_memory_bytes', 'gauge', 'Resident memory', (worker) => [
      ['', worker.residentMemoryBytes],
    ]),
    ...ofWorkers(
      figures,
      'worker_cpu_seconds_total',
      'counter',
      'CPU time since the worker began',
      (worker) => [['', worker.cpuSeconds]],
    ),
    ...heading('workers_ended_total', 'counter', 'Workers that ended without being asked to'),
    `palisade_proxy_workers_ended_total ${ends.ended}`,
    ...heading('workers_hung_total', 'counter', 'Workers that were killed because they hung'),
    `palisade_proxy_workers_hung_total ${ends.hung}`,
    '',
  ].join('\n')
}

function textOfLogs({ lost, merged }: LogFigures): string {
  return [
    ...heading('log_entries_lost_total', 'counter', 'Log entries that the management did not get, by why'),
    ...Object.entries(lost).map(
      ([cause, count]) => `palisade_proxy_log_entries_lost_total{cause="${cause}"} ${count}`,
    ),
    ...heading(
      'log_entries_merged_total',
      'counter',
      'Entries of the web firewall log that another one tells',
    ),
    `palisade_proxy_log_entries_merged_total ${merged}`,
    '',
  ].join('\n')
}

/** Values with what their labels have more than service and worker. */
type Values = readonly (readonly [labels: string, value: number])[]

function ofServices(
  figures: Figures,
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  valuesOf: (service: ServiceFigures) => Values,
): string[] {
  const lines = heading(name, type, help)
  for (const [worker, { services }] of figures) {
    for (const [service, values] of Object.entries(services)) {
      for (const [labels, value] of valuesOf(values)) {
        lines.push(
          `palisade_proxy_${name}{service="${escaped(service)}",worker="${worker}"${labels}} ${value}`,
        )
      }
    }
  }
  return lines
}

function ofWorkers(
  figures: Figures,
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  valuesOf: (worker: WorkerFigures) => Values,
): string[] {
  const lines = heading(name, type, help)
  for (const [worker, values] of figures) {
    for (const [labels, value] of valuesOf(values))
      lines.push(`palisade_proxy_${name}{worker="${worker}"${labels}} ${value}`)
  }
  return lines
}

function durations(figures: Figures): string[] {
  const name = 'palisade_proxy_request_duration_seconds'
  const lines = heading(
    'request_duration_seconds',
    'histogram',
    'Time from a request to the end of its answer',
  )
  for (const [worker, { services }] of figures) {
    for (const [service, { durations: counts, durationSumSeconds }] of Object.entries(services)) {
      const labels = `service="${escaped(service)}",worker="${worker}"`
      let total = 0
      for (const [index, count] of counts.entries()) {
        total += count
        lines.push(`${name}_bucket{${labels},le="${durationBoundsSeconds[index] ?? '+Inf'}"} ${total}`)
      }
      lines.push(`${name}_sum{${labels}} ${durationSumSeconds}`, `${name}_count{${labels}} ${total}`)
    }
  }
  return lines
}

function heading(name: string, type: string, help: string): string[] {
  return [`# HELP palisade_proxy_${name} ${help}`, `# TYPE palisade_proxy_${name} ${type}`]
}

function escaped(label: string): string {
  return label.replaceAll(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
}
