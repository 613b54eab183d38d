import type { LogDestination } from '@palisade/log'

/** Lines of the log that a server keeps for a support bundle, in bytes; some hours of a quiet server. */
const bytesMax = 1024 * 1024

/** The newest lines of a log, in memory: what a server has written last, wherever its output goes. */
export class RecentLines {
  readonly #lines: string[] = []
  #bytes = 0

  /** @returns takes lines as `destination` does, and has them there as well */
  beside(destination: LogDestination): LogDestination {
    return {
      write: (line) => {
        this.#add(line)
        destination.write(line)
      },
    }
  }

  /** The oldest first, each with its end of line. */
  get text(): string {
    return this.#lines.join('')
  }

  #add(line: string): void {
    this.#lines.push(line)
    this.#bytes += line.length
    if (this.#bytes <= bytesMax) return
    // Many at a time, since each removal moves what is left.
    let removed = 0
    while (this.#bytes > bytesMax * 0.9) this.#bytes -= this.#lines[removed++]?.length ?? 0
    this.#lines.splice(0, removed)
  }
}
