import { randomBytes } from 'node:crypto'

/** A record by which the owner of a domain shows that it is his. */
export interface DnsRecord {
  readonly type: 'TXT' | 'MX'
  readonly name: string
  /** The text, or the host that receives mail; as DNS compares it. */
  readonly value: string
  /** Of an MX record: the least preferred there is, since nothing is to be delivered there. */
  readonly preference?: number
}

/** 160 random bits. */
const tokenBytes = 20

/** Characters of a token, which is one label of a name (63 at most). */
export const tokenLength = tokenBytes * 2

const preferenceMax = 65_535

/** Hexadecimal digits: names are compared without case, and have no other characters than letters and digits for certain. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString('hex')
}

/**
 * The records of a verification, any one of which is enough.
 *
 * @param mailHost below which the host of the MX record lies; without it there is a TXT record only
 * @returns none for a domain that DNS can have no name for
 */
export function recordsOf(
  { dnsName, token }: { readonly dnsName: string | null; readonly token: string },
  mailHost: string | undefined,
): DnsRecord[] {
  if (dnsName === null) return []
  const txt: DnsRecord = { type: 'TXT', name: dnsName, value: `palisade-domain-verification=${token}` }
  if (mailHost === undefined) return [txt]
  return [txt, { type: 'MX', name: dnsName, value: `${token}.${mailHost}`, preference: preferenceMax }]
}
