/** How much of a body decides whether it is text, in bytes. */
const sampleBytes = 64 * 1024

/** The share of control characters from which on a body is no text: one in fifty. Random bytes have one in nine. */
const controlShareMax = 0.02

/** A wide encoding of ASCII has a NUL in every second byte at least; half of that allows for other characters. */
const nulShareOfWideText = 0.25

/**
 * How files begin that programs make and no application reads as text: images, films, sounds, fonts, archives, documents, databases,
 * programs.
 */
const beginningOfFile =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes.
  /^(?:\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|BM.{4}\0\0\0\0|RIFF|%PDF-|PK\x03\x04|PK\x05\x06|\x1f\x8b|BZh\d|\xfd7zXZ\0|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|\x28\xb5\x2f\xfd|II\*\0|MM\0\*|\0\0\x01\0|OggS|ID3|\xff[\xfb\xf3\xf2]|fLaC|\0\0\0.ftyp|\x1aE\xdf\xa3|wOF[F2]|OTTO|\0\x01\0\0\0|\xd0\xcf\x11\xe0|SQLite format 3\0|\x7fELF|MZ|\xca\xfe\xba\xbe|\0asm|8BPS|PAR1|\x89HDF)/s

/** Whether bytes are text in an encoding whose lower half is ASCII. @param bytes a byte string */
export function isText(bytes: string): boolean {
  const end = Math.min(bytes.length, sampleBytes)
  return countOfControls(bytes, end) <= end * controlShareMax
}

/** Whether bytes are a file of a kind that is known by its beginning, and no text that only begins so. */
export function isKnownFile(bytes: string): boolean {
  return beginningOfFile.test(bytes.slice(0, 16)) && !isText(bytes)
}

/** The same text in ASCII where bytes are UTF-16 or UTF-32; undefined where they are not. */
export function narrowedText(bytes: string): string | undefined {
  const sample = bytes.slice(0, sampleBytes)
  const narrowSample = sample.replace(/\0/g, '')
  if (sample.length - narrowSample.length < sample.length * nulShareOfWideText) return undefined
  if (narrowSample.length < sample.length / 5 || !isText(narrowSample)) return undefined
  return bytes.replace(/\0/g, '').replace(/^(?:\xff\xfe|\xfe\xff)/, '')
}

/** Whether a text is Base64 as a whole that ends with its padding, which looks like a name without a value. */
export function isBase64(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.length >= 16 && trimmed.length % 4 === 0 && /^[\w+/-]+={1,2}$/.test(trimmed)
}

/** Whether a body is a form, of whatever type it is said to be: pairs and nothing else. */
export function isForm(text: string): boolean {
  return (
    !isBase64(text) &&
    /^[\w.%+[\]$~:-]+=/.test(text) &&
    text.split('&').every((pair) => /^[\w.%+[\]$~:-]*(?:=|$)/.test(pair))
  )
}

/** Whether the first character that is no blank opens a JSON object or array. */
export function looksLikeJson(text: string): boolean {
  return /^[ \t\r\n]*[{[]/.test(text)
}

/** Whether the first character that is no blank is `<`. */
export function looksLikeXml(text: string): boolean {
  return /^[ \t\r\n]*</.test(text)
}

/** Whether it begins with `<?xm` in EBCDIC, which some parsers of XML understand (XML 1.0, appendix F), and ours refuses. */
export function isXmlInEbcdic(bytes: string): boolean {
  return bytes.startsWith('\x4c\x6f\xa7\x94')
}

/** Whether a parser of XML that takes any type would read more out of a document than its letters: encodings and entities. */
export function declaresItselfXml(text: string): boolean {
  return /^\s*<\?xml/.test(text) || /<!ENTITY/.test(text.slice(0, sampleBytes))
}

/** A byte order mark of UTF-8, which servers skip. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text
}

function countOfControls(bytes: string, end: number): number {
  let count = 0
  for (let at = 0; at < end; at++) {
    const code = bytes.charCodeAt(at)
    if ((code < 32 && (code < 9 || code > 13)) || code === 127) count++
  }
  return count
}
