import { CertificateUnreadable } from './certificate-unreadable.ts'

/*
 * PEM (RFC 7468): base64 of DER between "-----BEGIN label-----" and "-----END label-----". Private keys that
 * OpenSSL encrypted the old way have two header lines before the base64 (RFC 1421, "Proc-Type" and "DEK-Info").
 */

/** One block of a PEM text. */
export interface PemBlock {
  /** Such as "CERTIFICATE" or "ENCRYPTED PRIVATE KEY". */
  readonly label: string
  /** Cipher and initialisation vector, "AES-256-CBC,0123…", of a private key that was encrypted the old way. */
  readonly dekInfo: string | undefined
  readonly der: Buffer
}

/** How much text is read; a chain of a hundred certificates has a fifth of it. */
export const textLengthMax = 1_048_576

const lineLength = 64
const begin = /-----BEGIN ([A-Z0-9 ]{1,64})-----/g
const headers = /^\s*Proc-Type:\s*4,ENCRYPTED\s+DEK-Info:\s*([A-Z0-9-]+,[0-9A-F]+)\s/i

/**
 * The blocks of a text in their order. How the base64 is broken into lines, and what stands between the blocks,
 * does not matter.
 *
 * @returns an empty list when there is no block
 * @throws CertificateUnreadable for a block that has no end or is not base64, and for a text that is too long
 */
export function pemBlocks(text: string): PemBlock[] {
  if (text.length > textLengthMax) {
    throw new CertificateUnreadable(`The text is longer than ${textLengthMax} characters.`)
  }
  const blocks: PemBlock[] = []
  begin.lastIndex = 0
  for (let match = begin.exec(text); match; match = begin.exec(text)) {
    const label = match[1] ?? ''
    const end = text.indexOf(`-----END ${label}-----`, begin.lastIndex)
    if (end < 0) throw new CertificateUnreadable(`The PEM block "${label}" has no END line.`)
    blocks.push(blockOf(label, text.slice(begin.lastIndex, end)))
    begin.lastIndex = end
  }
  return blocks
}

function blockOf(label: string, body: string): PemBlock {
  const der = fromBase64(body.replace(headers, ''))
  if (!der) throw new CertificateUnreadable(`What stands in the PEM block "${label}" is not base64.`)
  return { label, dekInfo: headers.exec(body)?.[1], der }
}

/** The bytes of a base64 text, whatever white space is in it; undefined when it is something else, or nothing. */
export function fromBase64(text: string): Buffer | undefined {
  const digits = text.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(digits)) return undefined
  return Buffer.from(digits, 'base64')
}

/** One block as text, in lines of 64 characters, the last ended too. */
export function toPem({
  label,
  dekInfo,
  der,
}: {
  readonly label: string
  readonly dekInfo?: string | undefined
  readonly der: Buffer
}): string {
  const lines = der.toString('base64').replace(new RegExp(`.{1,${lineLength}}`, 'g'), '$&\n')
  const header = dekInfo === undefined ? '' : `Proc-Type: 4,ENCRYPTED\nDEK-Info: ${dekInfo}\n\n`
  return `-----BEGIN ${label}-----\n${header}${lines}-----END ${label}-----\n`
}
