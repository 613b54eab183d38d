import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Counts what the listeners served, and shows it in the text format that Prometheus reads. */
export interface RequestMetrics {
  observe(service: string, method: string, status: number, seconds: number): void
  /** The content type and text of one scrape. */
  text(): Promise<{ contentType: string; body: string }>
}

/** Upper bounds in seconds: from a cached read to a hashed password behind a queue. */
const durationBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]

export function createMetrics(): RequestMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'palisade_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its reply',
    labelNames: ['service', 'method', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  })
  // Looking a set of labels up costs more than counting, so each is looked up once.
  const byLabels = new Map<string, { observe(seconds: number): void }>()
  return {
    observe: (service, method, status, seconds) => {
      const key = `${service} ${method} ${status}`
      const labelled = byLabels.get(key) ?? duration.labels(service, method, String(status))
      byLabels.set(key, labelled)
      labelled.observe(seconds)
    },
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}
