import type { MatchedElement } from '@palisade/proxy-protocol'
import { pathOf, withoutQuery } from '../exchange/address.ts'
import type { ResponseHead } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { headerValues } from '../exchange/headers.ts'
import { textOfBytes } from '../exchange/text-of-bytes.ts'
import { isPlain, normalPaths } from '../paths/normal-path.ts'
import { parametersOf, percentDecoded } from './query-parameters.ts'

/** What a comparison looks at: all values of one element; none when it is not there. */
export type Operands = (exchange: Exchange, head: ResponseHead | undefined) => readonly string[]

/**
 * What servers may make of an address besides what {@link operandsOf} gives; none for nearly all. A comparison holds as well when it holds
 * for one of these: rules that are stricter for some addresses cannot be got around by a spelling, and those that are looser do not count
 * for an address that can be read in several ways.
 *
 * @param isNegated for a comparison that must not hold: an address that is plain is then taken as it is alone
 */
export function readingsOf(
  element: MatchedElement,
  isNegated: boolean,
): (exchange: Exchange) => readonly string[] {
  const further = ({ target }: Exchange) => (isNegated && isPlain(target) ? [] : furtherReadings(target))
  switch (element) {
    case 'uri':
      return (exchange) => {
        const query = exchange.target.slice(withoutQuery(exchange.target).length)
        return further(exchange).map((path) => path + query)
      }
    case 'uri-path':
      return further
    case 'pathinfo':
      return (exchange) => further(exchange).flatMap(pathInfo)
    default:
      return () => []
  }
}

/** Paths of bytes, read as UTF-8. */
function furtherReadings(target: string): readonly string[] {
  const [path, ...others] = normalPaths(target)
  const isAsDecoded = percentDecoded(withoutQuery(pathOf(target))) === textOfBytes(path)
  return (isAsDecoded ? others : [path, ...others]).map(textOfBytes)
}

/** The name that stands for parameters without one. */
const namelessParameter = '$noname_param'

/** Extensions of programs, and behind such a name the rest of the path, which is the program's "path information". */
const programExtensions =
  /\.(?:cgi|pl|py|rb|php\d?|phtml|aspx?|ashx|asmx|axd|jspx?|do|action|cfm|cfc|dll|exe|nsf|fcgi|sh|svc)(\/[\s\S]*)$/i

/**
 * Where the values of an element come from. Addresses are looked at as they were sent and decoded. Parameters are those of the
 * query.
 *
 * @param name of the header or parameter
 */
export function operandsOf(element: Exclude<MatchedElement, 'client-ip'>, name: string): Operands {
  const lowerName = name.toLowerCase()
  switch (element) {
    case 'method':
      return ({ request }) => [request.method ?? '']
    case 'http-version':
      return ({ request }) => [`HTTP/${request.httpVersion}`, request.httpVersion]
    case 'uri':
      return ({ target }) => asSentAndDecoded(pathOf(target))
    case 'uri-path':
      return ({ target }) => asSentAndDecoded(withoutQuery(pathOf(target)))
    case 'pathinfo':
      return ({ target }) => pathInfo(percentDecoded(withoutQuery(pathOf(target))))
    case 'header':
      return ({ headers }) => headerValues(headers, lowerName)
    case 'parameter':
      return ({ target }) => queryValues(target, lowerName)
    case 'status-code':
      return (_, head) => (head === undefined ? [] : [String(head.status)])
    case 'response-header':
      return (_, head) => (head === undefined ? [] : headerValues(head.headers, lowerName))
  }
}

function asSentAndDecoded(text: string): string[] {
  return text.includes('%') ? [text, percentDecoded(text)] : [text]
}

function pathInfo(path: string): string[] {
  const [, information] = programExtensions.exec(path) ?? []
  return information === undefined ? [] : [information]
}

function queryValues(target: string, lowerName: string): string[] {
  const start = target.indexOf('?')
  if (start < 0) return []
  return parametersOf(target.slice(start + 1))
    .filter(({ name = namelessParameter }) => name.toLowerCase() === lowerName)
    .map(({ value }) => value)
}
