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
  return readable(hexadecimalBytes(trimmed)) ?? readable(base64Bytes(trimmed))
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

function readable(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) return undefined
  let printable = 0
  for (const byte of bytes) if ((byte >= 32 && byte < 127) || (byte >= 9 && byte <= 13)) printable++
  if (printable < bytes.length * printableShareMin) return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about these.
  return bytes.toString('latin1').replace(/[\0-\x08\x0e-\x1f\x7f]/g, ' ')
}
