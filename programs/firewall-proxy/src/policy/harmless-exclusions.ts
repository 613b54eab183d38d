import { isUtf8 } from 'node:buffer'
import type { SnapshotUrlProtection } from '@palisade/proxy-protocol'
import type { RuleExclusion } from '@palisade/seclang'
import { wildcard } from '../patterns/wildcard.ts'
import { harmlessAddresses } from './harmless-addresses.ts'
import {
  isGroupwareWithParameters,
  isJsonWithHarmlessParameters,
  namesUtf8WithoutHyphen,
} from './harmless-media-types.ts'
import { harmlessNames } from './harmless-names.ts'

/** A rule of the Core Rule Set that refuses headers by a list, of which each belongs to something that policies allow or the proxy reads. */
const restrictedHeaders = { first: 920_450, last: 920_451 }

/** Rule about scripts in US-ASCII whose eighth bit is set: it takes half of the Cyrillic letters in UTF-8 for angle brackets. */
const malformedAscii = { first: 941_310, last: 941_310 }

/** Rule about requests within requests: any line that ends with a word behind `get`, `post`, `lock`, `move` and the like is one to it. */
const requestsWithin = { first: 921_110, last: 921_110 }

const methodsOfRequests =
  'get|post|head|options|connect|put|delete|trace|track|patch|propfind|propatch|mkcol|copy|move|lock|unlock'

/**
 * The beginning of a request (RFC 9112, section 3): at the beginning of a line, and behind the method a path, a URL, an asterisk, or a host with its
 * port; anywhere with the version behind it. "failed: GET /orders" within a line of a report is none. Blanks are looked through from the last line
 * break before the method on, so that a text of line breaks takes no longer than others.
 */
const beginningOfRequest = new RegExp(
  String.raw`(?:^|[\r\n\0]|\\[rn0]|\\u000[ad])(?:[^\S\r\n]|["'])*(?:${methodsOfRequests})\s+(?:[/*]|\w[\w+.-]*:[/\d])|(?:${methodsOfRequests})\s+\S+\s+http/`,
  'i',
)

/** Lines and slashes in a coding that the rule takes back and {@link beginsNoRequest} does not. */
const encodedCharacters = /&#|&(?:newline|tab|sol|colon|ast);?|%u|%25/i

/** Rules that refuse parameters of content types, and charsets, that are not in a list. */
const parametersOfTypes = { first: 920_470, last: 920_470 }
const charsetsOfTypes = { first: 920_480, last: 920_480 }

/** What the rule decodes before it looks, where that can give a byte above 127. */
const escapedBytes = /%(?:25|[89a-f][\da-f]|u00)|&#|&[a-z]|\\[xu0-7]/i

/**
 * What rules leave out because it cannot be what they look for here: headers whose methods or bodies the policy allows, parameters of
 * content types that it allows where they change nothing about the body, and texts in UTF-8 for a rule that looks for a coding which is
 * none. `Proxy` stays with the rules.
 *
 * @param allowed absent where no policy says which methods and content types there may be
 */
export function harmlessExclusions(allowed: SnapshotUrlProtection | undefined): RuleExclusion[] {
  const headers = headersOf(allowed)
  return [
    ...(headers.length === 0
      ? []
      : [
          {
            rules: restrictedHeaders,
            targets: [`REQUEST_HEADERS_NAMES:/^(?:${headers.join('|')})$/`],
          },
        ]),
    ...mediaTypeExclusions(allowed),
    {
      rules: malformedAscii,
      targets: [
        ...['ARGS', 'ARGS_NAMES', 'REQUEST_COOKIES', 'REQUEST_COOKIES_NAMES', 'XML:/*'],
        ...['REQUEST_HEADERS', 'REQUEST_FILENAME'],
      ],
      hasValue: isPlainUtf8,
    },
    {
      rules: requestsWithin,
      targets: ['ARGS', 'REQUEST_BODY', 'REQUEST_FILENAME', 'REQUEST_HEADERS', 'XML:/*'],
      hasValue: beginsNoRequest,
    },
    ...harmlessAddresses,
    ...harmlessNames,
  ]
}

function mediaTypeExclusions(allowed: SnapshotUrlProtection | undefined): RuleExclusion[] {
  if (allowed === undefined) return []
  const types = allowed.contentTypes.map((type) => wildcard(type))
  const isAllowed = (value: string) => {
    const type = value.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    return types.length === 0 || types.some((fits) => fits(type))
  }
  const targets = ['REQUEST_HEADERS:Content-Type']
  return [
    {
      rules: parametersOfTypes,
      targets,
      hasValue: (value) =>
        (isJsonWithHarmlessParameters(value) || isGroupwareWithParameters(value)) && isAllowed(value),
    },
    {
      rules: charsetsOfTypes,
      targets,
      hasValue: (value) => namesUtf8WithoutHyphen(value) && isAllowed(value),
    },
  ]
}

/** Names of headers, in lower case, that mean nothing but what the policy allows. */
function headersOf(allowed: SnapshotUrlProtection | undefined): string[] {
  if (allowed === undefined) return []
  const { methods, contentTypes } = allowed
  const allows = (...names: readonly string[]) =>
    methods.length === 0 || names.some((name) => methods.includes(name))
  return [
    // RFC 4918, sections 10.4 and 10.5.
    ...(allows('LOCK') ? ['if', 'lock-token'] : []),
    // RFC 9110, section 14.5.
    ...(allows('PUT', 'PATCH') ? ['content-range'] : []),
    // The proxy takes the coding of a body away before rules see it.
    ...(contentTypes.length === 0 || contentTypes.includes('*')
      ? ['content-encoding', 'accept-charset']
      : []),
  ]
}

/** Whether a value, a byte string, is UTF-8 and has nothing in it that rules would decode into other bytes. */
function isPlainUtf8(value: string): boolean {
  return isUtf8(Buffer.from(value, 'latin1')) && !escapedBytes.test(value)
}

/** @param value that of a parameter, or a whole form */
function beginsNoRequest(value: string): boolean {
  if (encodedCharacters.test(value) || beginningOfRequest.test(value)) return false
  const decoded = value
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return !beginningOfRequest.test(decoded)
}
