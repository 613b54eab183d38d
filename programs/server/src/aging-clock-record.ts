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

/** How often it is written down: after a kill, what was not written looks like so long a leap. */
const writtenEveryMs = 300_000
const lookedEveryMs = 30_000
/** A leap that operators are told of: nothing that is kept for long is deleted earlier for a shorter one. */
const toldMinMs = 7 * 86_400_000

/** The aging clock, and what there is to say of it. */
export interface RecordedClock {
  readonly clock: Clock
  warnings(): readonly ServiceWarning[]
  close(): void
}

/**
 * Opens the clock by which what is old is deleted. What it knows is in `clock.json` in the data directory, so that a machine that starts with
 * a wrong clock deletes nothing by it. What cannot be written there makes the next start doubt the clock for longer, and does no harm.
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
  let writtenAtMs = Number.NEGATIVE_INFINITY
  const look = () => {
    const { state } = clock
    if (performance.now() - writtenAtMs < writtenEveryMs) return
    writeState(file, state, log)
    writtenAtMs = performance.now()
  }
  look()
  const looking = setInterval(look, lookedEveryMs).unref()
  return {
    clock,
    warnings: () => warningsOf(clock),
    close: () => {
      clearInterval(looking)
      writeState(file, clock.state, log)
    },
  }
}

function warningsOf(clock: AgingClock): ServiceWarning[] {
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

function writeState(file: string, state: AgingState, log: Log): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  } catch (err) {
    log.warn({ err, file }, 'the record of the clock cannot be written')
  }
}
