import { CertificateUnreadable } from './certificate-unreadable.ts'
import { fromBase64, pemBlocks, toPem } from './pem.ts'

const nothingKnown =
  'The text is neither PEM nor base64. Expected was a block from "-----BEGIN …-----" to "-----END …-----", or the base64 of one or of DER.'

/**
 * What a client meant by a certificate, key or PKCS #12 file. Understood are PEM with line ends of any sort, with
 * the two characters backslash and n in their place, or with blanks; base64 of DER or of PEM, also as a data: URL;
 * and the bytes of a file with PEM, base64 or DER.
 *
 * @returns clean PEM without the words around its blocks, or DER
 * @throws CertificateUnreadable for everything else
 */
export function readUploadedText(value: string | Uint8Array): string | Buffer {
  if (typeof value === 'string') return fromText(value)
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return looksLikeDer(bytes) ? bytes : fromText(textOf(bytes))
}

function fromText(value: string): string | Buffer {
  const text = withLineFeeds(value)
  return cleanPem(text) ?? fromEncoded(text)
}

/** With line feeds where a client wrote them as two characters; a run of backslashes is escaping done twice. */
function withLineFeeds(text: string): string {
  return text.replace(/\\+[nr]?/g, (run) => (/[nr]$/.test(run) ? '\n' : run))
}

function cleanPem(text: string): string | undefined {
  const blocks = pemBlocks(text)
  return blocks.length > 0 ? blocks.map(toPem).join('') : undefined
}

function fromEncoded(text: string): string | Buffer {
  const bytes = fromBase64(text.replace(/^\s*data:[^,]{0,200};base64,/i, ''))
  if (!bytes) throw new CertificateUnreadable(nothingKnown)
  if (looksLikeDer(bytes)) return bytes
  const pem = cleanPem(withLineFeeds(textOf(bytes)))
  if (pem === undefined) throw new CertificateUnreadable('The text is base64, but neither of DER nor of PEM.')
  return pem
}

/** Windows writes text files in UTF-16 with a mark in front; in UTF-8 the mark is harmless. */
function textOf(bytes: Buffer): string {
  return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString('utf8')
}

/** Whether these are the bytes of one ASN.1 SEQUENCE, judged by the length that it announces. */
function looksLikeDer(bytes: Buffer): boolean {
  const [tag, length = 0] = bytes
  if (tag !== 0x30) return false
  if (length < 0x80) return bytes.length === 2 + length
  const lengthSizeBytes = length - 0x80
  const contentOffset = 2 + lengthSizeBytes
  if (lengthSizeBytes === 0) return true
  if (lengthSizeBytes > 4 || bytes.length <= contentOffset) return false
  return bytes.length >= contentOffset + bytes.readUIntBE(2, lengthSizeBytes)
}
