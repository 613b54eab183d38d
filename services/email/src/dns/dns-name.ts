import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/** Characters in a name, its dots among them and the last one left out (RFC 1035, section 2.3.4). */
export const dnsNameLengthMax = 253

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** What would end or change a name that is read as a part of an address. */
const noPartOfNames = /[\s/?#@:%[\]\\]/

/**
 * The name as DNS asks for it, in which all spellings of a name are alike: lower case, other letters than those of
 * ASCII as xn--…, without a dot at its end.
 *
 * @returns undefined when DNS can have no such name
 */
export function dnsNameOf(name: string): string | undefined {
  if (noPartOfNames.test(name)) return undefined
  const ascii = domainToASCII(name).replace(/\.$/, '')
  const isName = ascii.length <= dnsNameLengthMax && ascii.split('.').every((part) => label.test(part))
  return isName && isIP(ascii) === 0 ? ascii : undefined
}
