import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  AgingClock,
  type AgingState,
  type Clock,
  LazyValidator,
  type Log,
  type ServiceWarning,
  systemClock,
} from '@palisade/platform'
import { systemCode } from '@palisade/private-files'
import { Type } from 'typebox'

const form = new LazyValidator(
  Type.Object({ seenMs: Type.Number(), aheadMs: Type.Number(), doubtedMs: Type.Number({ minimum: 0 }) }),
)

/** How often it is written down: as soon a data directory that takes nothing is told of. */
const writtenEveryMs = 30_000
/** A leap that operators are told of: nothing that is kept for long is deleted earlier for a shorter one. */
const toldMinMs = 7 * 86_400_000

/** The aging clock, and what there is to say of it and of the folder with its record. */
export interface RecordedClock {
  readonly clock: Clock
  warnings(): readonly ServiceWarning[]
  close(): void
}

/**
 * Opens the clock by which what is old is deleted. What it knows is in `clock.json` in the data directory, so that a machine that starts with
 * a wrong clock deletes nothing by it. What cannot be written there makes the next start doubt the clock for longer, and does no harm;
 * it tells operators of a disk that is full or read-only, though, before somebody's change fails.
 */
export function openAgingClock(dataDirectory: string, log: Log): RecordedClock {
  const file = join(dataDirectory, 'clock.json')
  const clock = new AgingClock({
    clock: systemClock,
    last: readState(file, log),
    onLeap: (aheadMs) =>
      log.warn(
        { aheadSeconds: Math.round(aheadMs / 1000) },
        'the clock was set ahead: for a day nothing is deleted for its age by it',
      ),
  })
  let fault: unknown
  const write = () => {
    const before = fault
    fault = faultOfWriting(file, clock.state)
    if (fault !== undefined && before === undefined)
      log.error({ err: fault, file }, 'the data directory cannot be written')
    if (fault === undefined && before !== undefined)
      log.info({ file }, 'the data directory can be written again')
  }
  write()
  const writing = setInterval(write, writtenEveryMs).unref()
  return {
    clock,
    warnings: () => [...warningsOfFolder(dataDirectory, fault), ...warningsOfClock(clock)],
    close: () => {
      clearInterval(writing)
      write()
    },
  }
}

function warningsOfFolder(folder: string, fault: unknown): ServiceWarning[] {
  if (fault === undefined) return []
  const why = fault instanceof Error ? fault.message : String(fault)
  return [
    { condition: 'data-not-writable', message: `The data directory ${folder} cannot be written: ${why}.` },
  ]
}

function warningsOfClock(clock: AgingClock): ServiceWarning[] {
  const { seenMs, doubtedMs } = clock.state
  const { aheadMs } = clock
  if (aheadMs < toldMinMs) return []
  const days = Math.round(aheadMs / 86_400_000)
  const until = new Date(seenMs + doubtedMs).toISOString()
  return [
    {
      condition: 'clock-set-ahead',
      message: `The clock of this machine is ${days} days ahead of what the server has counted: it was set, or the server was off for so long. Until ${until} nothing is deleted for its age by it.`,
    },
  ]
}

function readState(file: string, log: Log): AgingState | undefined {
  try {
    const state: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (form.Check(state)) return state
    log.warn({ file }, 'the record of the clock is not one, and is written anew')
  } catch (err) {
    if (systemCode(err) !== 'ENOENT') log.warn({ err, file }, 'the record of the clock cannot be read')
  }
  return undefined
}

/** @returns why it could not be written; undefined where it was */
function faultOfWriting(file: string, state: AgingState): unknown {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
    return undefined
  } catch (error) {
    return error
  }
}
