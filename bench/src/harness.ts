import type { Extent } from './extent.ts'

/** One of the things compared: ours or a peer. */
export interface Contender {
  readonly name: string
  /** Does the work once and says how much it measured, in the benchmark's unit. */
  run(): Promise<number>
}

export interface Comparison {
  readonly title: string
  readonly unit: string
  /** What the others are held against; its name stands among the contenders. */
  readonly peer: string
  /** Whether a larger figure is the better one. */
  readonly moreIsBetter: boolean
  readonly contenders: readonly Contender[]
}

/** Medians and spreads of one comparison. */
export interface Result {
  readonly name: string
  readonly median: number
  readonly min: number
  readonly max: number
  /** Median of the ratios to the peer, round by round, so that a machine that changes its speed does less harm. */
  readonly ratio: number
}

/** Runs all contenders in turn, in each of the rounds, after those that do not count. */
export async function compare(
  comparison: Comparison,
  { rounds, warmUpRounds }: Extent,
): Promise<readonly Result[]> {
  const figures = new Map<string, number[]>(comparison.contenders.map(({ name }) => [name, []]))
  for (let round = 1 - warmUpRounds; round <= rounds; round++) {
    for (const { name, run } of comparison.contenders) {
      const figure = await run()
      if (round > 0) figures.get(name)?.push(figure)
    }
  }
  return summarise(figures, comparison.peer)
}

/**
 * @param figures of each contender, round by round
 * @param peer whom the others are held against
 */
export function summarise(figures: ReadonlyMap<string, readonly number[]>, peer: string): readonly Result[] {
  const peerFigures = figures.get(peer) ?? []
  return [...figures].map(([name, values]) => ({
    name,
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    ratio: median(values.map((value, round) => value / (peerFigures[round] ?? Number.NaN))),
  }))
}

/** Prints one comparison as a table. */
export function print(
  { title, unit, peer, moreIsBetter }: Omit<Comparison, 'contenders'>,
  results: readonly Result[],
): void {
  const width = Math.max(...results.map(({ name }) => name.length))
  console.log(`\n${title} (${unit}, ${moreIsBetter ? 'more' : 'less'} is better)`)
  console.log(
    `  ${''.padEnd(width)} ${'median'.padStart(10)} ${'min'.padStart(10)} ${'max'.padStart(10)}   × ${peer}`,
  )
  for (const { name, median, min, max, ratio } of results) {
    const columns = [median, min, max].map((figure) => format(figure).padStart(10)).join(' ')
    console.log(`  ${name.padEnd(width)} ${columns}   ${ratio.toFixed(2)}`)
  }
}

function format(figure: number): string {
  return figure >= 100 ? figure.toFixed(0) : figure.toFixed(2)
}

/** The value in the middle; of an even number of values, between the two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** How long the work took, in seconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}
