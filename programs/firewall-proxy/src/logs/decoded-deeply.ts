import { textOfBytes } from '../exchange/text-of-bytes.ts'
import { lenientlyDecoded } from '../paths/lenient-decoding.ts'

/** How often a text may have been encoded. */
const decodingsMax = 4

/**
 * What applications may read in a text that was encoded in several ways, or several times: `%70`, `%2570`, `%u0070`, and in JSON
 * `\u0070` stand for "p". A "+" is a blank.
 *
 * @param text as it came, or decoded before
 */
export function decodedDeeply(text: string): string {
  let decoded = text.replaceAll('+', ' ')
  for (let count = 0; count < decodingsMax && /[%\\\xc0-\xff]/.test(decoded); count++) {
    const next = lenientlyDecoded(decoded).replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    if (next === decoded) break
    decoded = next
  }
  return /[^\0-\xff]/.test(decoded) ? decoded : textOfBytes(decoded)
}
