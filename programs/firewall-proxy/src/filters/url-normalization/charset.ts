import { TextDecoder } from 'node:util'

const decoders = new Map<string, TextDecoder>()

/** In this character set bytes of ASCII may stand for other characters, after an escape sequence. */
const escaping = 'iso-2022-jp'

/**
 * Whether bytes are text in a character set.
 *
 * @param bytes a byte string
 * @param charset a label of the Encoding Standard
 */
export function isInCharset(bytes: string, charset: string): boolean {
  if (charset !== escaping && !/[\x80-\xff]/.test(bytes)) return true
  if (charset === 'ascii') return false
  try {
    decoderFor(charset).decode(Buffer.from(bytes, 'latin1'))
    return true
  } catch {
    return false
  }
}

function decoderFor(charset: string): TextDecoder {
  const decoder = decoders.get(charset) ?? new TextDecoder(charset, { fatal: true })
  decoders.set(charset, decoder)
  return decoder
}
