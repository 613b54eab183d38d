import { setTimeout as pause } from 'node:timers/promises'
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'
import type { Log } from '@palisade/log'

/** Why a span has not reached the collector. */
export type DropReason = 'queue-full' | 'export-failed'

/** Some two megabytes. */
const waitingMax = 2_048
const batchSize = 512
/** How long a span waits for others to be sent with, in milliseconds. */
const batchEveryMs = 1_000
/** A batch is given up after this long, whatever its exporter does, in milliseconds. */
const batchMaxMs = 10_000

/** Spans on their way to a collector: as many as there is room for, in batches, and none that anybody waits for. */
export class ExportQueue implements SpanProcessor {
  readonly dropped: Record<DropReason, number> = { 'queue-full': 0, 'export-failed': 0 }
  readonly #batches: BatchSpanProcessor
  readonly #log: Log
  /** Those that no batch has taken. */
  #waiting = 0
  #isAway = false
  #isClosed = false

  constructor(exporter: SpanExporter, log: Log) {
    this.#log = log
    this.#batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) => {
          this.#waiting -= spans.length
          exporter.export(spans, (result) => {
            this.#note(
              spans.length,
              result.error ?? (result.code === 0 ? undefined : new Error('it was refused')),
            )
            done(result)
          })
        },
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: waitingMax,
      maxExportBatchSize: batchSize,
      scheduledDelayMillis: batchEveryMs,
      exportTimeoutMillis: batchMaxMs,
    })
  }

  onStart(): void {
    // Nothing is sent of what has not ended.
  }

  onEnd(span: ReadableSpan): void {
    if (this.#isClosed) return
    if (this.#waiting >= waitingMax) {
      this.dropped['queue-full']++
      return
    }
    this.#waiting++
    this.#batches.onEnd(span)
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush()
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown()
  }

  /** Sends what is left, for so long in milliseconds at most. */
  async close(maxMs: number): Promise<void> {
    this.#isClosed = true
    const shutdown = this.shutdown().catch(() => undefined)
    await Promise.race([shutdown, pause(maxMs, undefined, { ref: false })])
  }

  /** That spans do not get through is told once, until they do again. */
  #note(count: number, error: Error | undefined): void {
    if (error !== undefined) {
      this.dropped['export-failed'] += count
      if (!this.#isAway && !this.#isClosed) {
        this.#log.warn(
          { reason: reasonOf(error) },
          'the collector of traces does not take them; the work goes on without',
        )
      }
    } else if (this.#isAway) this.#log.info('the collector of traces takes them again')
    this.#isAway = error !== undefined
  }
}

/** What the exporter says may be what the collector has answered, of any length. */
function reasonOf(error: Error): string {
  const code = 'code' in error ? ` (${String(error.code)})` : ''
  return `${error.message.slice(0, 200)}${code}`
}
