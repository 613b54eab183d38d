import type { Answer } from '../../exchange/answer.ts'
import type { DataFindings } from './data-findings.ts'
import { ProtectedText } from './protected-text.ts'
import type { ProtectedType } from './protected-type.ts'

/** Headers about the message, the connection and caches: their dates, lengths and marks are nothing that an application gives away. */
const aboutMessages: ReadonlySet<string> = new Set([
  'accept-ranges',
  'age',
  'alt-svc',
  'cache-control',
  'connection',
  'content-digest',
  'content-encoding',
  'content-length',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'digest',
  'etag',
  'expires',
  'keep-alive',
  'last-modified',
  'repr-digest',
  'retry-after',
  'sec-websocket-accept',
  'sec-websocket-extensions',
  'sec-websocket-protocol',
  'strict-transport-security',
  'vary',
])

/**
 * Looks through headers or trailers. Of cookies, name and value are looked at; their attributes are for the browser.
 *
 * @param headers names and values in turn @returns them with what is to be cloaked overwritten, or what takes the place of the answer
 */
export function protectedHeaders(
  headers: readonly string[],
  types: readonly ProtectedType[],
  findings: DataFindings,
): string[] | Answer {
  const after: string[] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]]
    const outcome = protectedValue(name.toLowerCase(), value, (text) => protectedText(text, types, findings))
    if (typeof outcome !== 'string') return outcome
    after.push(name, outcome)
  }
  return after
}

/** A short text, all of it at once. */
export function protectedText(
  text: string,
  types: readonly ProtectedType[],
  findings: DataFindings,
): string | Answer {
  const whole = new ProtectedText(types, findings, 'header')
  const first = whole.take(text)
  if (typeof first !== 'string') return first
  const rest = whole.end()
  return typeof rest === 'string' ? first + rest : rest
}

function protectedValue(
  lowerName: string,
  value: string,
  look: (text: string) => string | Answer,
): string | Answer {
  if (aboutMessages.has(lowerName)) return value
  if (lowerName !== 'set-cookie') return look(value)
  const end = value.indexOf(';')
  if (end < 0) return look(value)
  const pair = look(value.slice(0, end))
  return typeof pair === 'string' ? pair + value.slice(end) : pair
}
