import { type Result, summarise } from './harness.ts'
import type { Measurement } from './measure.ts'

/** The measurements of several contenders that did the same, round by round. */
export class MeasuredComparison {
  readonly #title: string
  readonly #peer: string
  readonly #measurements = new Map<string, Measurement[]>()

  /** @param peer the name of the contender that the others are held against */
  constructor(title: string, peer: string) {
    this.#title = title
    this.#peer = peer
  }

  add(name: string, measurement: Measurement): void {
    const before = this.#measurements.get(name) ?? []
    this.#measurements.set(name, [...before, measurement])
  }

  /** Medians of time and processor time, the medians of their ratios to the peer, and the highest peaks. */
  print(): void {
    const names = [...this.#measurements.keys()]
    const width = Math.max(...names.map((name) => name.length))
    const wall = this.#summary(({ wallSeconds }) => wallSeconds)
    const cpu = this.#summary(({ cpuSeconds }) => cpuSeconds)
    console.log(`\n${this.#title} (seconds, less is better; × ${this.#peer})`)
    console.log(`  ${''.padEnd(width)}     wall (min to max)      ×     cpu      ×   peak MiB`)
    for (const [index, name] of names.entries()) {
      const columns = [wallColumns(wall[index]), cpuColumns(cpu[index]), this.#peaks(name)]
      console.log(`  ${name.padEnd(width)} ${columns.join(' ')}`)
    }
  }

  #summary(figure: (measurement: Measurement) => number): readonly Result[] {
    const figures = [...this.#measurements].map(([name, all]) => [name, all.map(figure)] as const)
    return summarise(new Map(figures), this.#peer)
  }

  #peaks(name: string): string {
    const peaks = new Map<string, number>()
    for (const { peakBytes } of this.#measurements.get(name) ?? []) {
      for (const [part, bytes] of Object.entries(peakBytes)) {
        peaks.set(part, Math.max(bytes, peaks.get(part) ?? 0))
      }
    }
    return [...peaks].map(([part, bytes]) => `${part} ${(bytes / 2 ** 20).toFixed(0)}`).join(', ')
  }
}

function wallColumns(result: Result | undefined): string {
  if (result === undefined) return ''
  const { median, min, max, ratio } = result
  const spread = `(${min.toFixed(2)} to ${max.toFixed(2)})`
  return `${median.toFixed(2).padStart(8)} ${spread.padEnd(16)} ${ratio.toFixed(2).padStart(4)}`
}

function cpuColumns(result: Result | undefined): string {
  if (result === undefined) return ''
  return `${result.median.toFixed(2).padStart(7)} ${result.ratio.toFixed(2).padStart(6)}  `
}
