const reset = '\u001b[0m'
const dim = '\u001b[2m'

/** The words and colours of levels, by their numbers. */
const levels: Readonly<Record<number, { readonly word: string; readonly colour: string }>> = {
  10: { word: 'TRACE', colour: dim },
  20: { word: 'DEBUG', colour: '\u001b[34m' },
  30: { word: 'INFO', colour: '\u001b[32m' },
  40: { word: 'WARN', colour: '\u001b[33m' },
  50: { word: 'ERROR', colour: '\u001b[31m' },
  60: { word: 'FATAL', colour: '\u001b[1;31m' },
}

/** What is the same in every line of a program. */
const leftOut = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err'])

/**
 * A line for people: when, how severe, what, and the members, then the stack of an error in lines of its own.
 *
 *     2030-01-31 23:59:59.123 WARN  the management is away  reason="connect ECONNREFUSED"
 *
 * @param line of a log in JSON, with its line break
 */
export function textLine(line: string, isColoured: boolean): string {
  const { level, time, msg = '', err, ...members }: Record<string, unknown> = JSON.parse(line)
  const { word, colour } = levels[Number(level)] ?? { word: String(level), colour: '' }
  const paint = (text: string, how: string) => (isColoured ? `${how}${text}${reset}` : text)
  const memberTexts = Object.entries(members)
    .filter(([name]) => !leftOut.has(name))
    .map(([name, value]) => ` ${paint(`${printable(name)}=`, dim)}${printableValue(value)}`)
  const { reason, stack } = describe(err)
  return [
    `${paint(localTime(String(time)), dim)} ${paint(word.padEnd(5), colour)} ${printable(String(msg))}`,
    memberTexts.length === 0 ? '' : ` ${memberTexts.join('')}`,
    reason === undefined
      ? ''
      : `${memberTexts.length === 0 ? ' ' : ''} ${paint('reason=', dim)}${printableValue(reason)}`,
    ...stack.map((frame) => `\n    ${paint(printable(frame), dim)}`),
    '\n',
  ].join('')
}

/** An error as it is in JSON: what it says, and from where it was thrown. */
function describe(error: unknown): { reason?: unknown; stack: string[] } {
  if (error === undefined) return { stack: [] }
  if (typeof error !== 'object' || error === null || !('message' in error))
    return { reason: error, stack: [] }
  const { message, stack } = error as { message: unknown; stack?: unknown }
  const frames = typeof stack === 'string' ? stack.split('\n') : []
  return {
    reason: message,
    stack: frames.map((frame) => frame.trim()).filter((frame) => /^(at|caused by)\b/.test(frame)),
  }
}

/** "2030-01-31 23:59:59.123", where this process is. */
function localTime(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return printable(iso)
  const two = (number: number) => String(number).padStart(2, '0')
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  const milliseconds = String(time.getMilliseconds()).padStart(3, '0')
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${milliseconds}`
}

/** C0 and C1 control characters, DEL, separators of lines, what turns the direction of text around, and the byte-order mark. */
const controlCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu

/** The text with what a terminal could take for an order, or hide, written as an escape: `\n`, `\u001b`. */
function printable(text: string): string {
  return text.replace(controlCharacters, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1)
    return escaped === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : escaped
  })
}

/** A value as it stands behind `name=`: bare where that is clear, as JSON otherwise. */
function printableValue(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=\\]+$/.test(value)) return printable(value)
  return printable(JSON.stringify(value) ?? String(value))
}
