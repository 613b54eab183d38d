import type { UploadedFile } from '../bodies/parsed-body.ts'
import { Content } from '../content/content.ts'
import { keyedTarget, type Target } from '../content/target.ts'
import { mayBeWhole } from '../readings/whole-encodings.ts'
import type { NamedContent } from '../request/header-list.ts'

/** What a request has besides values. */
export interface OtherPlaces {
  /** Decoded once. */
  readonly path: string
  readonly headers: readonly NamedContent[]
  readonly arguments: readonly NamedContent[]
  readonly files: readonly UploadedFile[]
  /** Texts of a document of XML, as tags divide it. */
  readonly texts: readonly string[]
}

/** Headers of a grammar of their own, in which quotes, semicolons and percent signs are ordinary, and those that have variables of their own. */
const ordinaryHeaders =
  /^(?:accept(?:-.*)?|alt-used|(?:proxy-)?authorization|baggage|cache-control|cf-visitor|connection|content-.*|cookie2?|date|depth|destination|digest|dpop|expect|forwarded|host|if(?:-.*)?|keep-alive|link|nel|origin|ping-.*|pragma|prefer|priority|range|sec-.*|signature(?:-input)?|slug|te|timeout|trace(?:parent|state)|trailer|transfer-encoding|upgrade(?:-.*)?|via|warning|www-authenticate|x-amz.*|x-client-data|x-forwarded-client-cert)$/i

/** Of these, those in whose grammar brackets, braces and the like have no place. Digest authentication has quotes around a name (RFC 7616). */
const strictHeaders =
  /^(?:accept-(?:charset|encoding|language)|(?:proxy-)?authorization|cache-control|connection|date|expect|if-.*|origin|pragma|range|te|upgrade)$/i
const neverInStrictHeaders = /[<>`|\\{}()]|\$|\.\.\/|^(?!digest )[^']*'/i

/**
 * What names of parameters hardly ever have, beside brackets around names of members. A document of JSON may stand in place of a name, and so may what
 * advertisements send: addresses, and lists with semicolons and pipes.
 */
const neverInNames = /^(?!\s*(?:\{\s*"|\[)).*(?:[<>`]|\{\{|\$[({]|\.\.[\\/])|^[^']*'.*[;=(]/is

/**
 * What names of files hardly ever have, though they have apostrophes, ampersands and brackets. Browsers write `%22` for a quotation mark in them,
 * and `%0D%0A` for a line end.
 */
const neverInFileNames =
  /[<>`|"{}]|\$[({]|;\s*[a-z/]|&&|&[a-z]|\.\.[\\/]|^[^']*'.*(?:--|[;=|(#])|%(?:25)*(?:2e|2f|3c|5c|c0|e0|u[\da-f]{2})|%2527|\b(?:case\s+when|procedure|select|union)\b|\w\([^)]{0,40}\(|:\$data|^~|^\/(?:dev|etc|opt|private|proc|root|run|sys|tmp|var)\//is

/** Where a document names a place to fetch or read: a URL, a file of the system, or a share of Windows. */
const placeAtBeginning =
  /^\s*(?:[a-z][a-z\d.+]*:\/\/|(?:file|https?|jar|php|unix|url):|\/(?:etc|opt|private|proc|root|run|sys|tmp|usr|var)\/|\/?(?:web|meta)-inf\/|[\\/]{2}[\w?.]|\.(?:env|git|svn)\b)/i

/** Names, and texts of a document, that are values of their own. */
const textsMax = 100

/** Characters that attacks have in them and names of files, programs and addresses hardly ever, or words of SQL before a number. */
const oddCharacters = /['"<>`|$\\{}\t-\r#&*?%]|--|^[^(]*;|^\(|\.\.[/\x80-\xff]/
const oddWords =
  /\b(?:and|by|or|having|limit|select|sleep|union|waitfor)\b\W*\d|\b(?:select|union|waitfor)\b|\bcase\s+when\b|\bexists\s*\(|[a-z]\d?\((?:\)|\d|0x)|__[a-z]+__|\s(?:\/\w|\S*:\/\/)|\bon[a-z]{4,}\s*=|script:/i

const folderOfSystem = /\/(?:bin|dev|etc|proc|tmp|var)\//

/** The same in a path, where it is a value of its own: sites have folders such as `/docs/etc/` themselves. */
const folderOfSystemInPath = /(?:^|[/\s])\/(?:bin|dev|etc|opt|proc|root|run|sys|tmp|usr|var)\//

/** A stream of PHP, a URL that servers resolve, or the beginning of a serialized object in Base64 or hexadecimal digits. */
const oddBeginningInPath =
  /(?:^|\/)(?:(?:php|phar|expect|zip|rar|ogg|glob|file|gopher|dict|ldaps?|netdoc|jar|compress\.\w+):|(?:rO0AB|AAEAAAD\/|H4sIA|gAS|BAh[bv]|Tzo\d|YTo\d|aced0005)[\w+/]{8})/

/** What browsers encode in a `Referer`, apostrophes only in a query, and the beginnings of templates and commands. */
const neverInAddresses =
  /[<>"`\\\s]|[$#*@~%]\{|\{[{%]|\$\(|%0[0ad]|^[^?#]*\?(?:[^#]*'|(?:[^#]*&)?[^=&#]*=\w{0,20}(?:[;|]{1,2}|&{2})\s?[a-z({!>$])/i

/** The beginning of an address, or of a path with a query, without what is looked at. */
const hasOrigin = /^(?:https?:\/\/[^/?#]*|(?=\/[^?]*\?))/i

/**
 * What stands in headers, in names and in the path of a request where applications look for values, for rules that look at arguments only.
 * Ordinary ones give nothing: it has to have characters in it that an attack needs.
 *
 * @returns targets that have the variables and names of their places: `REQUEST_HEADERS:User-Agent`, `ARGS_NAMES:a`, `FILES:field`, `XML:/*`, and
 *   `REQUEST_FILENAME:end` for all of the path behind the first odd folder's slash
 */
export function valuesInOtherPlaces(places: OtherPlaces): readonly Target[] {
  const targets: Target[] = []
  const end = oddEndOf(places.path)
  if (end !== undefined) targets.push(...withReadings('REQUEST_FILENAME', 'end', end))
  const last = places.path.slice(places.path.lastIndexOf('/') + 1)
  if (mayBeWhole(last)) targets.push(...readingsAlone('REQUEST_FILENAME', 'end', new Content(last)))
  for (const { name, value } of places.headers) {
    const odd = oddPartOfHeader(name, value)
    if (odd !== undefined) {
      const valuesOfQuery = hasOrigin.test(value.text) ? oddValuesOfQuery(odd) : []
      for (const one of [odd, ...valuesOfQuery])
        targets.push(...withReadings('REQUEST_HEADERS', name.text, one))
    } else if (value.answer(mayBeWhole) && !name.answer(isOrdinaryHeader))
      targets.push(...readingsAlone('REQUEST_HEADERS', name.text, value))
  }
  const names = places.arguments.filter(({ name }) => name.answer(isOddName))
  for (const name of fewerTexts(names.map(({ name }) => withoutPrefix(name.text))))
    targets.push(reading('ARGS_NAMES', name, name))
  for (const { field, fileName } of places.files) {
    if (neverInFileNames.test(fileName)) targets.push(...withReadings('FILES', field, fileName))
  }
  const texts = places.texts.filter(
    (text) => isOdd(text) || placeAtBeginning.test(text) || oddBeginningInPath.test(text),
  )
  for (const text of fewerTexts(texts)) targets.push(reading('XML', '/*', text))
  for (const text of fewerTexts(places.texts.filter(mayBeWhole)))
    targets.push(...readingsAlone('XML', '/*', new Content(text)))
  return targets
}

/** Each target takes time, however short it is, so what is beyond some is one together: nothing hides behind many. */
function fewerTexts(texts: readonly string[]): readonly string[] {
  if (texts.length <= textsMax) return texts
  return [...texts.slice(0, textsMax), texts.slice(textsMax).join('\n')]
}

/** A member of a document of JSON, without what makes its name that of a parameter. */
function withoutPrefix(name: string): string {
  return name.startsWith('json.') ? name.slice('json.'.length) : name
}

function reading(variable: string, key: string, text: string): Target {
  return { ...keyedTarget(variable, key, new Content(text)), isReading: true }
}

function withReadings(variable: string, key: string, text: string): Target[] {
  const content = new Content(text)
  return [
    { ...keyedTarget(variable, key, content), isReading: true },
    ...readingsAlone(variable, key, content),
  ]
}

/** What a value is without its encodings. */
function readingsAlone(variable: string, key: string, { readings }: Content): Target[] {
  return readings.map((content) => ({ ...keyedTarget(variable, key, content), isReading: true }))
}

function isOdd(text: string): boolean {
  return oddCharacters.test(text) || oddWords.test(text)
}

function oddPartOfHeader(name: Content, value: Content): string | undefined {
  if (!value.answer(isOddHeader)) return undefined
  const { text } = value
  if (strictHeaders.test(name.text)) return neverInStrictHeaders.test(text) ? text : undefined
  return name.answer(isOrdinaryHeader) ? undefined : oddPartOf(text)
}

function isOddHeader(value: string): boolean {
  return isOdd(value) || folderOfSystem.test(value)
}

function isOrdinaryHeader(name: string): boolean {
  return ordinaryHeaders.test(name)
}

function isOddName(name: string): boolean {
  return neverInNames.test(withoutPrefix(name))
}

function oddEndOf(path: string): string | undefined {
  if (oddBeginningInPath.test(path)) return path.slice(path.search(oddBeginningInPath)).replace(/^\//, '')
  const system = path.search(folderOfSystemInPath)
  if (!isOdd(path)) return system === -1 ? undefined : path.slice(system + 1)
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
  const origin = hasOrigin.exec(text)?.[0]
  if (origin === undefined) return text
  const rest = text.slice(origin.length)
  return neverInAddresses.test(rest) ? rest : undefined
}

/** What rules look at from the beginning of a value, in an address that no browser sends. */
function oddValuesOfQuery(address: string): readonly string[] {
  const query = address.slice(address.indexOf('?') + 1)
  const odd = query
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
    .filter(isOdd)
  return fewerTexts(
    query === address
      ? odd
      : [...odd, ...(isOdd(query) && query.includes('&') ? [query.slice(query.indexOf('=') + 1)] : [])],
  )
}
