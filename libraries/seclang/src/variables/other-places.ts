import { Content } from '../content/content.ts'
import { keyedTarget, type Target } from '../content/target.ts'
import type { NamedContent } from '../request/header-list.ts'

/** Headers of a grammar of their own, in which quotes, semicolons and percent signs are ordinary, and those that have variables of their own. */
const ordinaryHeaders =
  /^(?:accept(?:-.*)?|alt-used|(?:proxy-)?authorization|baggage|cache-control|cf-visitor|connection|content-.*|cookie2?|date|depth|destination|digest|dpop|expect|forwarded|host|if(?:-.*)?|keep-alive|link|nel|origin|ping-.*|pragma|prefer|priority|range|sec-.*|signature(?:-input)?|slug|te|timeout|trace(?:parent|state)|trailer|transfer-encoding|upgrade(?:-.*)?|via|warning|www-authenticate|x-amz.*|x-client-data|x-forwarded-client-cert)$/i

/** Characters that attacks have in them and names of files, programs and addresses hardly ever, or words of SQL before a number. */
const oddCharacters =
  /['"<>`|$\\{}\t-\r#&*?%]|--|^[^(]*;|^\(|\.\.[/\x80-\xff]|(?:^|\/|\W)\/(?:bin|dev|etc|proc|tmp|var)\//
const oddWords =
  /\b(?:and|by|or|having|select|sleep|union|waitfor)\b\W*\d|\b(?:select|union|waitfor)\b|\bon[a-z]{4,}\s*=|script:/i

/** What browsers encode in a `Referer`. */
const neverInAddresses = /[<>"`\\\s]|\$\{|%0[0ad]/i

/**
 * What stands in headers and in the path of a request where applications look for values, for rules that look at arguments only. Ordinary
 * headers and paths give nothing: it has to have characters in it that an attack needs.
 *
 * @param path decoded once
 * @returns targets that have the variables and names of their places: `REQUEST_HEADERS:User-Agent`, and `REQUEST_FILENAME:end` for all of the
 *   path behind the first odd folder's slash
 */
export function valuesInOtherPlaces(path: string, headers: readonly NamedContent[]): readonly Target[] {
  const targets: Target[] = []
  const end = oddEndOf(path)
  if (end !== undefined) targets.push(reading('REQUEST_FILENAME', 'end', end))
  for (const { name, value } of headers) {
    if (!isOdd(value.text) || ordinaryHeaders.test(name.text)) continue
    const odd = oddPartOf(value.text)
    if (odd !== undefined) targets.push(reading('REQUEST_HEADERS', name.text, odd))
  }
  return targets
}

function reading(variable: string, key: string, text: string): Target {
  return { ...keyedTarget(variable, key, new Content(text)), isReading: true }
}

function isOdd(text: string): boolean {
  return oddCharacters.test(text) || oddWords.test(text)
}

function oddEndOf(path: string): string | undefined {
  if (!isOdd(path)) return undefined
  for (let slash = 0; slash !== -1; ) {
    const next = path.indexOf('/', slash + 1)
    const folder = path.slice(slash + 1, next === -1 ? undefined : next)
    if (isOdd(folder) || folder.includes(' ')) return path.slice(slash + 1)
    slash = next
  }
  return path.slice(1)
}

/** An address or a path with a query is a value of its own, unless something is in it that no browser sends. */
function oddPartOf(text: string): string | undefined {
  const origin = /^(?:https?:\/\/[^/?#]*|(?=\/[^?]*\?))/i.exec(text)?.[0]
  if (origin === undefined) return text
  const rest = text.slice(origin.length)
  return neverInAddresses.test(rest) ? rest : undefined
}
