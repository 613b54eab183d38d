/** Whatever the length of a body: what is shorter is no text that a rule could judge, and what is as long hardly ever turns up by chance. */
const shortestRuns = { min: 8, max: 16 }

/** The share of bytes that come by chance which go on with a run, those of other letters in UTF-8 among them. */
const chance = 0.42

/** Bytes above 127 are half of those that come by chance, as in what is encrypted or compressed; messages of numbers and texts have few. */
const highShareMax = 0.25

/**
 * How many bytes a run of text has to have to be one: 16 in what is long or could be encrypted, and fewer the shorter a message of numbers and
 * texts is.
 *
 * @param bytes a byte string
 */
export function shortestRun(bytes: string): number {
  const unlikely = Math.ceil(Math.log(10 * bytes.length) / -Math.log(chance))
  const lengthMin = Math.min(shortestRuns.max, Math.max(shortestRuns.min, unlikely))
  return lengthMin < shortestRuns.max && hasManyHighBytes(bytes) ? shortestRuns.max : lengthMin
}

function hasManyHighBytes(bytes: string): boolean {
  let high = 0
  for (let at = 0; at < bytes.length; at++) if (bytes.charCodeAt(at) > 127) high++
  return high > bytes.length * highShareMax
}

/**
 * Runs of characters in bytes that are no text: printable ones of ASCII, blanks and line ends, and others in UTF-8. A run goes on behind a
 * line end and a letter with an accent, so that none of them cuts an attack into pieces that are too short.
 *
 * @param bytes a byte string
 * @param lengthMin shorter runs are left out
 */
export function* textRuns(bytes: string, lengthMin: number): Generator<string> {
  let start = 0
  let at = 0
  while (at < bytes.length) {
    const length = characterLength(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    if (at - start >= lengthMin) yield bytes.slice(start, at)
    start = ++at
  }
  if (at - start >= lengthMin) yield bytes.slice(start)
}

/** How many bytes the character has that begins there; 0 where none does (RFC 3629). */
function characterLength(bytes: string, at: number): number {
  const first = bytes.charCodeAt(at)
  if (first < 0x80) return (first >= 32 && first < 127) || (first >= 9 && first <= 13) ? 1 : 0
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  for (let next = at + 1; next < at + length; next++) {
    if ((bytes.charCodeAt(next) & 0xc0) !== 0x80) return 0
  }
  return length
}
