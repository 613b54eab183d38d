import { collectDefaultMetrics, Registry } from 'prom-client'
import { DurationHistogram, observe, type Series } from './duration-histogram.ts'

/** Counts what the listeners served, and shows it in the text format that Prometheus reads. */
export interface RequestMetrics {
  /** What counts the requests of one service. */
  of(service: string): (method: string, status: number, seconds: number) => void
  /** The content type and text of one scrape. */
  text(): Promise<{ contentType: string; body: string }>
}

/**
 * The process's own figures come from prom-client. Requests are counted by ourselves: its histogram took longer
 * than most of what a small request does.
 */
export function createMetrics(): RequestMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new DurationHistogram(
    'palisade_http_request_duration_seconds',
    'Time from the first byte of a request to the end of its reply',
  )
  return {
    of: (service) => {
      const byStatus = new Map<number, Map<string, Series>>()
      const find = (method: string, status: number): Series => {
        const byMethod = byStatus.get(status) ?? new Map<string, Series>()
        byStatus.set(status, byMethod)
        const series = durations.series(`service="${service}",method="${method}",status="${status}"`)
        byMethod.set(method, series)
        return series
      }
      return (method, status, seconds) =>
        observe(byStatus.get(status)?.get(method) ?? find(method, status), seconds)
    },
    text: async () => ({
      contentType: registry.contentType,
      body: `${await registry.metrics()}\n${durations.text()}`,
    }),
  }
}
