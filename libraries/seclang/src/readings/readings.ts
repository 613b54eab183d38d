import { looksLikeJson } from '../bodies/body-content.ts'
import { parseJsonBody } from '../bodies/json.ts'
import { withoutWholeEncoding } from './whole-encodings.ts'
import { withoutPercents, withoutWrittenEncodings } from './written-encodings.ts'

/** Encodings inside of encodings. An application that takes off more is not known. */
const layersMax = 5

/** Of JSON in a value. What is beyond them is read as the text that it is. */
const jsonLimits = { depthMax: 64, argumentsMax: 1000 }

const none: readonly string[] = []

/** What commands, templates and code of servers cannot do without, where browsers send it encoded. */
const marksOfCode = /^&|[;|`$<{]|:\/\//

/** A picture or the like within a value (RFC 2397). Of what is a text as it says, such as a drawing, nothing is disguised. */
const dataOfFile =
  /^data:(?:(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:octet-stream|pdf))[^,;]{0,80})?(?:;[^,;]{0,80})*;base64,/i

/**
 * What else a value could be for an application: each encoding that was taken off it gives a reading, and what is in that, one more. None
 * is longer than the value, and those of one layer are not longer together, so that all of them take at most so many times the work that
 * the value takes. What rules decode by themselves, `%27` once, is a reading only where marks of shells, templates and the like come out:
 * rules about those look at values as they are.
 *
 * @param value a byte string
 * @returns byte strings, without the value itself
 */
export function readingsOf(value: string): readonly string[] {
  if (!mayBeEncoded(value)) return none
  let layer = withoutLayer(value)
  if (layer.length === 0) return none
  const decodedByRules = withoutPercents(value)
  const isNew = (one: string) => one !== value && (one !== decodedByRules || marksOfCode.test(one))
  const readings = new Set(layer.filter(isNew))
  for (let depth = 1; depth < layersMax && layer.length > 0; depth++) {
    layer = [...new Set(layer.flatMap(withoutLayer))].filter((one) => one !== value && !readings.has(one))
    for (const one of layer) readings.add(one)
  }
  return [...readings]
}

/** Most values are short words and numbers. */
function mayBeEncoded(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are one of the encodings.
  return value.length >= 16 || /[%\\&+{[\x01-\x08\x0e-\x1f\xc0\xc1\xe0]/.test(value)
}

function withoutLayer(text: string): readonly string[] {
  const whole = withoutWholeEncoding(text.startsWith('data:') ? text.replace(dataOfFile, '') : text)
  if (whole !== undefined) return [whole]
  const plain = withoutWrittenEncodings(text)
  const readings = plain === text ? none : [plain]
  return looksLikeJson(text) ? [...valuesIn(text), ...readings] : readings
}

/** What ends too early, or is JSON in the beginning only, has values as well. */
function valuesIn(text: string): string[] {
  const { arguments: found = [] } = parseJsonBody(text, jsonLimits)
  return found.map(({ value }) => value).filter((value) => value.length > 2)
}
