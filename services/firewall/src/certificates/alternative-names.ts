import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { CertificateUnreadable } from './certificate-unreadable.ts'

/** A name of a certificate beside its subject (RFC 5280, 4.2.1.6), as the library for certificates takes it. */
export interface AlternativeName {
  readonly type: 'dns' | 'ip' | 'email' | 'url'
  readonly value: string
}

const sorts: Readonly<Record<string, AlternativeName['type']>> = {
  dns: 'dns',
  'dns name': 'dns',
  ip: 'ip',
  'ip address': 'ip',
  email: 'email',
  rfc822: 'email',
  uri: 'url',
  url: 'url',
}

const hostLabel = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i

/**
 * The names that a client lists: "DNS:www.example.com", "IP:192.0.2.1", "IP Address=2001:db8::1",
 * "email:someone@example.com", "URI:https://example.com/", or without the word in front, which is then guessed. One
 * text may hold several with commas between them, unless it is an address, which may have its own. International host names are turned into their ASCII form.
 *
 * @throws CertificateUnreadable for a text that is not a name of its sort
 */
export function parseAlternativeNames(texts: readonly string[]): AlternativeName[] {
  return texts
    .flatMap((text) => (/^\s*ur[il][:=]|:\/\//i.test(text) ? [text] : text.split(',')))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(parseName)
}

function parseName(text: string): AlternativeName {
  const [, word = '', rest = ''] = /^([a-z0-9 ]{2,10})[:=](.*)$/is.exec(text) ?? []
  const type = sorts[word.trim().toLowerCase()]
  const name = type ? valid(type, rest.trim()) : valid(guessedSort(text), text)
  if (name) return name
  throw new CertificateUnreadable(
    `"${text}" is no alternative name. Expected was DNS:host, IP:address, email:mailbox or URI:address.`,
  )
}

function guessedSort(text: string): AlternativeName['type'] {
  if (isIP(text)) return 'ip'
  if (text.includes('://')) return 'url'
  return text.includes('@') ? 'email' : 'dns'
}

function valid(type: AlternativeName['type'], text: string): AlternativeName | undefined {
  switch (type) {
    case 'dns': {
      const value = hostName(text)
      return value === undefined ? undefined : { type, value }
    }
    case 'ip':
      return isIP(text) && !text.includes('%') ? { type, value: text } : undefined
    case 'email':
      return /^[!-?A-~]+@[!-?A-~]+$/.test(text) ? { type, value: text } : undefined
    case 'url':
      return /^[a-z][a-z0-9+.-]*:[!-~]+$/i.test(text) ? { type, value: text } : undefined
  }
}

/** The ASCII form of a host name, whose first label may be "*"; undefined when it is none. */
export function hostName(text: string): string | undefined {
  if (/\s/.test(text)) return undefined
  const wildcard = text.startsWith('*.') ? '*.' : ''
  const ascii = domainToASCII(text.slice(wildcard.length))
  const isHost =
    ascii.length <= 253 && !isIP(ascii) && ascii.split('.').every((label) => hostLabel.test(label))
  return isHost ? wildcard + ascii : undefined
}

/**
 * The names in the text that Node makes of a certificate's extension: separated by commas, and quoted like JSON
 * where one holds a character that would confuse.
 */
export function namesOfExtension(text: string | undefined): string[] {
  const names = text?.match(/(?:[^",]|"(?:[^"\\]|\\.)*")+/g) ?? []
  return names.map((name) => name.trim().replace(/"(?:[^"\\]|\\.)*"$/, unquoted))
}

function unquoted(quoted: string): string {
  return String(JSON.parse(quoted))
}
