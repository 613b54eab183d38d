import type { Log } from '@palisade/log'
import type { DropReason } from './export-queue.ts'
import type { TracedProgram, TracingSettings } from './settings.ts'
import { recordSpans } from './spans.ts'

/** What is left when the program ends is given up after this long. */
const lastExportMaxMs = 1_000

/** Traces that are recorded. */
export interface Tracing {
  /** Where traces go and how many of them, for the log: without secrets. */
  readonly shown: { readonly collector: string; readonly sampleRatio: number }
  /** How many spans have not reached the collector since the start. */
  readonly dropped: Readonly<Record<DropReason, number>>
  /** Records nothing more, and gives the collector a moment to take what is left. Never fails. */
  close(): Promise<void>
}

/**
 * Has this process record traces, where it is told to. What does so is loaded only then.
 *
 * A collector that is away or slow holds up nothing: spans wait in a queue that has a bound, those that have no room are counted, and the
 * log says once that they do not get through.
 *
 * @param settings undefined to record nothing, which costs nothing
 */
export async function startTracing(
  settings: TracingSettings | undefined,
  program: TracedProgram,
  log: Log,
): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined
  const { openExport } = await import('./open-export.ts')
  const { recorder, queue } = openExport(settings, program, log)
  recordSpans(recorder, settings.queries)
  // A query may be a key.
  const { origin, pathname } = new URL(settings.url)
  return {
    shown: { collector: origin + pathname, sampleRatio: settings.sampleRatio },
    dropped: queue.dropped,
    close: async () => {
      recordSpans(undefined)
      await queue.close(lastExportMaxMs)
    },
  }
}
