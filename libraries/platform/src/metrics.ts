import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@palisade/log'
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
  /**
   * What counts an event; its labels are given with each.
   *
   * @param expected labels that are shown as 0 from the beginning: Prometheus sees no increase in what begins with 1
   */
  counter<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    expected?: readonly Readonly<Record<Label, string>>[],
  ): (values: Readonly<Record<Label, string>>) => void
  /**
   * Has a figure read at each scrape, one for each combination of labels that there is then; it is a counter where the name ends
   * with `_total`, and has labels. What cannot be read, or not soon, is left out of the scrape, and the log says why; a gauge
   * without labels is NaN then, which no threshold is above or below.
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

/** What takes longer to be read is left out, so that a database that is away keeps nobody from the other figures. */
const readMaxMs = 4_000

/**
 * The process's own figures come from prom-client. Requests are counted by ourselves: its histogram took longer
 * than most of what a small request does.
 *
 * @param options.log is told of figures that cannot be read
 * @param options.readMaxMs how long a figure may take to be read, in milliseconds
 */
export function createMetrics(options: { log?: Log; readMaxMs?: number } = {}): RequestMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new DurationHistogram(
    'palisade_http_request_duration_seconds',
    'Time from the first byte of a request to the end of its reply',
  )
  const readInTime = async <Read>(
    name: string,
    read: () => Iterable<Read> | Promise<Iterable<Read>>,
  ): Promise<readonly Read[]> => {
    const waiting = new AbortController()
    try {
      const late = pause(options.readMaxMs ?? readMaxMs, undefined, { signal: waiting.signal, ref: false })
      const figures = await Promise.race([read(), late.catch(() => undefined)])
      if (figures === undefined) throw new Error('it takes too long')
      return [...figures]
    } catch (err) {
      options.log?.error({ err, metric: name }, 'a figure could not be read for /metrics')
      return []
    } finally {
      waiting.abort()
    }
  }
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
    counter: (name, help, labels, expected = []) => {
      const counter = new Counter({ name, help, labelNames: [...labels], registers: [registry] })
      for (const values of expected) counter.inc(values, 0)
      return (values) => counter.inc(values)
    },
    observed: (name, help, labels, read) => {
      const description = { name, help, labelNames: [...labels], registers: [registry] }
      if (name.endsWith('_total')) {
        const counter = new Counter({
          ...description,
          collect: async () => {
            const figures = await readInTime(name, read)
            counter.reset()
            for (const { labels: values, value } of figures) counter.inc(values, value)
          },
        })
        return
      }
      const gauge = new Gauge({
        ...description,
        collect: async () => {
          const figures = await readInTime(name, read)
          gauge.reset()
          if (labels.length === 0 && figures.length === 0) gauge.set(Number.NaN)
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
