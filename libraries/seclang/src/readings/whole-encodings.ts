import { inflatedBeginning, serializedInBase64 } from '../bodies/serialized-objects.ts'

/** What is shorter is hardly an attack, and too often a word that could as well be one of these encodings. */
const charactersMin = 16

/** Of either, so that other texts are told apart at once. */
const beginning = /^[\w+/ \r\n-]{16}/

/** Of the bytes of a text, which share is printable at least. Of bytes that come by chance it is three of eight. */
const printableShareMin = 0.8

/** Whether a text could be written as a whole in one of these encodings. */
export function mayBeWhole(text: string): boolean {
  return text.length >= charactersMin && beginning.test(text)
}

/**
 * The text that is written as a whole in Base64 (RFC 4648, with either alphabet) or in hexadecimal digits; undefined where it is in neither, or
 * stands for bytes that are no text. Control characters in it become blanks: what rules say of them is about what clients write, and not
 * about what it could mean.
 *
 * @param text a byte string
 */
export function withoutWholeEncoding(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length < charactersMin || !beginning.test(trimmed)) return undefined
  const hexadecimal = hexadecimalBytes(trimmed)
  const base64 = base64Bytes(trimmed)
  return (
    readable(hexadecimal) ??
    objectIn(hexadecimal, trimmed.length) ??
    // Before the text: gzip with a long name in its header looks like one.
    readableInGzip(base64, trimmed.length) ??
    readable(base64) ??
    objectInZlib(base64, trimmed.length)
  )
}

function hexadecimalBytes(text: string): Buffer | undefined {
  const digits = text.startsWith('0x') ? text.slice(2) : text
  return digits.length % 2 === 0 && /^[\da-fA-F]+$/.test(digits) ? Buffer.from(digits, 'hex') : undefined
}

/** A plus sign of Base64 becomes a blank where a form has it and nobody has encoded it. */
function base64Bytes(text: string): Buffer | undefined {
  return /^[\w+/ \r\n-]+={0,2}$/.test(text)
    ? Buffer.from(text.replace(/[\r\n]/g, '').replaceAll(' ', '+'), 'base64')
    : undefined
}

/** A serialized object that is written in another way than rules know it. */
function objectIn(bytes: Buffer | undefined, charactersMax: number): string | undefined {
  return bytes && serializedInBase64(bytes.toString('latin1'), charactersMax)
}

/** Texts in zlib are left alone: advertisements send pages so. */
function objectInZlib(bytes: Buffer | undefined, charactersMax: number): string | undefined {
  return bytes?.[0] === 0x78 ? objectIn(bytes, charactersMax) : undefined
}

/** What Base64 has in it that was compressed before: text, or a serialized object. */
function readableInGzip(bytes: Buffer | undefined, charactersMax: number): string | undefined {
  const inflated = bytes && inflatedBeginning(bytes.toString('latin1'))
  if (inflated === undefined) return undefined
  return (
    serializedInBase64(inflated, charactersMax) ??
    readable(Buffer.from(inflated.slice(0, charactersMax), 'latin1'))
  )
}

function readable(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) return undefined
  let printable = 0
  for (const byte of bytes) if ((byte >= 32 && byte < 127) || (byte >= 9 && byte <= 13)) printable++
  if (printable < bytes.length * printableShareMin) return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about these.
  return bytes.toString('latin1').replace(/[\0-\x08\x0e-\x1f\x7f]/g, ' ')
}
