import { type DestinationStream, destination } from 'pino'
import { textLine } from './text-line.ts'

/** How lines are written: `text` for people, `json` for programs, `auto` as text to a terminal and as JSON to everything else. */
export const logFormats = ['auto', 'json', 'text'] as const

/** JSON lines for programs, or readable lines for a terminal. */
export type LogFormat = (typeof logFormats)[number]

/** Takes lines of JSON and writes them to standard output, at once. Text is in colour on a terminal, unless NO_COLOR is set. */
export function standardOutput(format: LogFormat): DestinationStream {
  const isTerminal = process.stdout.isTTY
  const raw = destination({ fd: process.stdout.fd, sync: true })
  if (format === 'json' || (format === 'auto' && !isTerminal)) return raw
  const { NO_COLOR = '', TERM } = process.env
  const isColoured = isTerminal && NO_COLOR === '' && TERM !== 'dumb'
  return { write: (line) => void raw.write(textLine(line, isColoured)) }
}
