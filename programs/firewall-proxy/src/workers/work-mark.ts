import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { mappedFile } from './mapped-file.ts'

/**
 * What a worker works on, as its primary process can read it also when the worker does nothing else any more. It is a file without a
 * name that both have open. Whole, it is
 *
 *     0   8   how often was written, a double, little-endian
 *     8   36  the id of the request, ASCII
 *     44  84  the name of its service, UTF-8, cut where it is longer, filled up with zeros
 */
const requestAt = 8
const serviceAt = 44
const sizeBytes = 128

/** Where the file has its name for a moment: in memory, so that nobody who writes waits for a disk. */
const folder = '/dev/shm'

/** By which number a worker knows the file: behind the standard streams and the channel to the primary process. */
const descriptorInWorker = 4

/** Set for a worker that has the file. */
const variable = 'PALISADE_WORK_MARK'

/** What was written last. */
export interface Work {
  /** How often was written. */
  readonly count: number
  readonly request: string
  readonly service: string
}

/** The mark as the primary process has it, which reads it. */
export class WorkMark {
  /** To be handed to the worker as its fifth descriptor, with {@link WorkMark.environment}. */
  readonly descriptor: number
  readonly environment = { [variable]: 'yes' }
  readonly #buffer = Buffer.alloc(sizeBytes)

  /** @throws Error of the system, such as ENOENT or ENOSPC */
  constructor() {
    const file = join(folder, `palisade-work-mark-${randomUUID()}`)
    this.descriptor = openSync(file, 'wx+', 0o600)
    rmSync(file)
    // The room that the worker writes to is taken now: later there may be none.
    writeSync(this.descriptor, this.#buffer, 0, sizeBytes, 0)
  }

  /** What the worker has begun last; undefined when that was nothing. */
  read(): Work | undefined {
    const buffer = this.#buffer
    readSync(this.descriptor, buffer, 0, sizeBytes, 0)
    const count = buffer.readDoubleLE(0)
    if (count === 0) return undefined
    const [service = ''] = buffer.toString('utf8', serviceAt).split('\0')
    return { count, request: buffer.toString('latin1', requestAt, serviceAt), service }
  }

  close(): void {
    closeSync(this.descriptor)
  }
}

/**
 * The mark as the worker has it, which writes it: before each piece of work on a request that may take long. Where the file cannot be
 * written as memory, each time takes a call of the system, 1 to 3 µs.
 */
export class WrittenWorkMark {
  readonly #mapped = mappedFile(descriptorInWorker, sizeBytes)
  readonly #buffer = this.#mapped ?? Buffer.alloc(sizeBytes)
  #count = 0
  /** The name that the buffer has. */
  #service = ''

  /** That of this worker; undefined where there is none. */
  static ofThisProcess(): WrittenWorkMark | undefined {
    return process.env[variable] === undefined ? undefined : new WrittenWorkMark()
  }

  /** @param request its id, 36 characters */
  write(request: string, service: string): void {
    const buffer = this.#buffer
    buffer.write(request, requestAt, 'latin1')
    if (service !== this.#service) {
      buffer.fill(0, serviceAt + buffer.write(service, serviceAt, 'utf8'))
      this.#service = service
    }
    buffer.writeDoubleLE(++this.#count, 0)
    if (this.#mapped === undefined) writeSync(descriptorInWorker, buffer, 0, sizeBytes, 0)
  }
}
