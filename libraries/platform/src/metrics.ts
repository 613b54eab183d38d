import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { DurationHistogram, observe, type Series } from './duration-histogram.ts'

/** A figure with its labels. */
export interface Figure<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>
  readonly value: number
}

/**
 * Metrics of a service beside those of its requests. A name is in snake case and begins with `palisade_` and the service; it
 * is asked for once in the life of the process.
 */
export interface ServiceMetrics {
  /** What counts an event; its labels are given with each. */
  counter<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (values: Readonly<Record<Label, string>>) => void
  /**
   * Has a figure read at each scrape, one for each combination of labels that there is then. What `read` throws fails the scrape.
   */
  observed<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    read: () => Iterable<Figure<Label>> | Promise<Iterable<Figure<Label>>>,
  ): void
  /** What says how something is now. */
  gauge(name: string, help: string): (value: number) => void
}

/** Counts what the listeners served, and shows it in the text format that Prometheus reads. */
export interface RequestMetrics extends ServiceMetrics {
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
    counter: (name, help, labels) => {
      const counter = new Counter({ name, help, labelNames: [...labels], registers: [registry] })
      return (values) => counter.inc(values)
    },
    observed: (name, help, labels, read) => {
      const gauge = new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        collect: async () => {
          const figures = await read()
          gauge.reset()
          for (const { labels: values, value } of figures) gauge.set(values, value)
        },
      })
    },
    gauge: (name, help) => {
      const gauge = new Gauge({ name, help, registers: [registry] })
      return (value) => gauge.set(value)
    },
    text: async () => ({
      contentType: registry.contentType,
      body: `${await registry.metrics()}\n${durations.text()}`,
    }),
  }
}
