import type { ServiceMetrics } from '@palisade/platform'

/**
 * Metrics for a service that begins more than once in the life of a process, while each name may be asked for once: counters go on where
 * they were, and figures are read from the newest.
 */
export function repeatedMetrics(metrics: ServiceMetrics): ServiceMetrics {
  const made = new Map<string, unknown>()
  const readers = new Map<string, unknown>()
  /** What is under a name was made by the same method, and is of its type. */
  const once = <Made>(name: string, make: () => Made): Made => {
    if (!made.has(name)) made.set(name, make())
    return made.get(name) as Made
  }
  return {
    counter: (name, help, labels, expected) =>
      once(name, () => metrics.counter(name, help, labels, expected)),
    gauge: (name, help) => once(name, () => metrics.gauge(name, help)),
    observed: (name, help, labels, read) => {
      readers.set(name, read)
      once(name, () => metrics.observed(name, help, labels, () => (readers.get(name) as typeof read)()))
    },
  }
}
