/** Upper bounds in seconds: from a cached read to a hashed password behind a queue. */
const bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]

/** One set of labels. Whoever observes often keeps it, since looking it up costs more than counting. */
export interface Series {
  /** How many fell under each bound and not under the one before; the last counts what was over all. */
  readonly counts: number[]
  sum: number
}

/** A histogram of durations as Prometheus has it, cheap enough to feed with every request. */
export class DurationHistogram {
  readonly #name: string
  readonly #help: string
  readonly #series = new Map<string, Series>()

  constructor(name: string, help: string) {
    this.#name = name
    this.#help = help
  }

  /** @param labels as they stand between the braces: `service="email",status="200"` */
  series(labels: string): Series {
    const series = this.#series.get(labels)
    if (series) return series
    const newSeries = { counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 }
    this.#series.set(labels, newSeries)
    return newSeries
  }

  /** All series in the text exposition format, version 0.0.4. */
  text(): string {
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`]
    for (const [labels, { counts, sum }] of this.#series) {
      let total = 0
      for (const [index, count] of counts.entries()) {
        total += count
        lines.push(`${this.#name}_bucket{le="${bounds[index] ?? '+Inf'}",${labels}} ${total}`)
      }
      lines.push(`${this.#name}_sum{${labels}} ${sum}`, `${this.#name}_count{${labels}} ${total}`)
    }
    return `${lines.join('\n')}\n`
  }
}

/** Counts one duration. */
export function observe(series: Series, seconds: number): void {
  let index = 0
  while (index < bounds.length && seconds > (bounds[index] ?? 0)) index++
  series.counts[index] = (series.counts[index] ?? 0) + 1
  series.sum += seconds
}
