import { statfs } from 'node:fs/promises'
import os from 'node:os'

/** Processor time of all processors together, in milliseconds since the machine started. */
interface ProcessorTime {
  readonly busy: number
  readonly all: number
}

/** The machine that the server runs on. Its figures are whole numbers; empty where the system does not tell. */
export class Machine {
  readonly #dataDirectory: string
  #measured: ProcessorTime = { busy: 0, all: 0 }
  #processorPercent = ''

  /** @param dataDirectory whose disk is looked at */
  constructor(dataDirectory: string) {
    this.#dataDirectory = dataDirectory
  }

  /** What the machine is doing now; the processors' load is that since the last time somebody asked. */
  async read(): Promise<Record<string, string>> {
    const [load1, load5, load15] = os.loadavg().map((load) => load.toFixed(2))
    const memoryUsed = os.totalmem() - os.freemem()
    return {
      processors: String(os.cpus().length),
      'processor-percent': this.#measureProcessors(),
      'load-1-minute': load1 ?? '',
      'load-5-minutes': load5 ?? '',
      'load-15-minutes': load15 ?? '',
      'memory-bytes': String(os.totalmem()),
      'memory-used-bytes': String(memoryUsed),
      'memory-percent': percent(memoryUsed, os.totalmem()),
      ...(await this.#readDisk()),
      'uptime-seconds': String(Math.floor(os.uptime())),
      'server-uptime-seconds': String(Math.floor(process.uptime())),
      'server-memory-bytes': String(process.memoryUsage.rss()),
    }
  }

  #measureProcessors(): string {
    const now = processorTime()
    const all = now.all - this.#measured.all
    // Two questions within one tick of the system's clock have nothing between them.
    if (all > 0) this.#processorPercent = percent(now.busy - this.#measured.busy, all)
    this.#measured = now
    return this.#processorPercent
  }

  async #readDisk(): Promise<Record<string, string>> {
    const disk = await statfs(this.#dataDirectory).catch(() => undefined)
    if (disk === undefined) return { 'disk-bytes': '', 'disk-used-bytes': '', 'disk-percent': '' }
    const used = disk.blocks - disk.bfree
    return {
      'disk-bytes': String(disk.blocks * disk.bsize),
      'disk-used-bytes': String(used * disk.bsize),
      'disk-percent': percent(used, used + disk.bavail),
    }
  }
}

/** The names of the figures that {@link Machine.read} tells, in their order. */
export const machineFigures = [
  'processors',
  'processor-percent',
  'load-1-minute',
  'load-5-minutes',
  'load-15-minutes',
  'memory-bytes',
  'memory-used-bytes',
  'memory-percent',
  'disk-bytes',
  'disk-used-bytes',
  'disk-percent',
  'uptime-seconds',
  'server-uptime-seconds',
  'server-memory-bytes',
] as const

function processorTime(): ProcessorTime {
  const times = os.cpus().map(({ times: time }) => time)
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0)
  return { all, busy: all - times.reduce((sum, { idle }) => sum + idle, 0) }
}

function percent(part: number, whole: number): string {
  return whole > 0 ? String(Math.round((100 * part) / whole)) : ''
}
