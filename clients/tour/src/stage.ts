import { Presets, SingleBar } from 'cli-progress'

/** Shows how far a step is; does nothing until it is told a total. */
export interface Progress {
  show(bytesDone: number, bytesTotal: number, detail: string): void
}

const mebibyte = 2 ** 20

/** Runs the steps in front of the reader's eyes and remembers how long each took. */
export class Stage {
  readonly #durations: { title: string; seconds: number }[] = []

  /** Runs one step; its time counts whether or not it shows progress. */
  async step<T>(title: string, work: (progress: Progress) => Promise<T>): Promise<T> {
    console.log(`\n${this.#durations.length + 1}. ${title}`)
    const bar = new SingleBar(
      { format: '   {bar} {percentage} % | {amount}{step}', hideCursor: true },
      Presets.shades_classic,
    )
    let isShown = false
    const begun = performance.now()
    try {
      return await work({
        show: (bytesDone, bytesTotal, detail) => {
          if (!isShown) bar.start(1, 0, { amount: '', step: '' })
          isShown = true
          const total = Math.ceil(bytesTotal / mebibyte)
          const done = Math.floor(bytesDone / mebibyte)
          bar.setTotal(Math.max(total, 1))
          bar.update(done, { amount: total === 0 ? '' : `${done}/${total} MiB | `, step: detail })
        },
      })
    } finally {
      if (isShown) bar.stop()
      const seconds = (performance.now() - begun) / 1000
      this.#durations.push({ title, seconds })
      console.log(`   ${seconds.toFixed(2)} s`)
    }
  }

  summary(findings: readonly string[]): void {
    const width = Math.max(...this.#durations.map(({ title }) => title.length))
    console.log('\nWhat happened')
    for (const finding of findings) console.log(`  ${finding}`)
    console.log('\nHow long it took')
    for (const { title, seconds } of this.#durations)
      console.log(`  ${title.padEnd(width)} ${seconds.toFixed(2).padStart(7)} s`)
    console.log('\nNext: npm start')
  }

  fail(error: unknown): void {
    console.error(`\nThe tour stopped: ${error instanceof Error ? error.message : String(error)}`)
  }
}
