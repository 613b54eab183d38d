import { createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { makeFolder } from '@palisade/start-up'
import type { LogName } from '../logs/log-types.ts'
import type { ShownEntry } from './line-format.ts'

/** Lines that wait for a disk that is busy or full, at most, in bytes; more are not written. */
const waitingBytesMax = 32 * 1024 * 1024

/** Writes entries into files, one JSON object a line; a file for each log and day (UTC): `access-2026-01-31.jsonl`. */
export class JsonLines {
  readonly #folder: string
  readonly #onProblem: (reason: string) => void
  /** Whether entries are being lost, which is told once until one was written. */
  #isFailing = false
  readonly #files = new Map<LogName, { readonly day: string; readonly stream: WriteStream }>()

  /**
   * @param folder made when it is not there; named by `firewall.jsonLogsFolder`
   * @param onProblem told why entries are not written, without a full stop
   * @throws FolderFailure when it cannot be made
   */
  constructor(folder: string, onProblem: (reason: string) => void) {
    this.#folder = makeFolder(folder, 'firewall.jsonLogsFolder', 0o750)
    this.#onProblem = onProblem
  }

  write(log: LogName, entry: ShownEntry): void {
    const stream = this.#streamOf(log, new Date().toISOString().slice(0, 10))
    if (stream.writableLength >= waitingBytesMax) {
      this.#failed('the disk is too slow')
      return
    }
    stream.write(`${JSON.stringify(entry)}\n`, (error) => {
      if (!error) this.#isFailing = false
    })
  }

  async close(): Promise<void> {
    const streams = Array.from(this.#files.values(), ({ stream }) => stream.end())
    await Promise.allSettled(streams.map((stream) => finished(stream)))
  }

  #failed(reason: string): void {
    if (this.#isFailing) return
    this.#isFailing = true
    this.#onProblem(reason)
  }

  #streamOf(log: LogName, day: string): WriteStream {
    const open = this.#files.get(log)
    if (open?.day === day && !open.stream.destroyed) return open.stream
    open?.stream.end()
    const stream = createWriteStream(join(this.#folder, `${log}-${day}.jsonl`), { flags: 'a', mode: 0o640 })
    // A file that cannot be written is tried again with the next entry.
    stream.on('error', (error) => {
      stream.destroy()
      this.#failed(error.message)
    })
    this.#files.set(log, { day, stream })
    return stream
  }
}
