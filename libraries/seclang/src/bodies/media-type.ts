/** A `Content-Type`, taken apart (RFC 9110, section 8.3.1). */
export interface MediaType {
  /** `application/json`: in lower case, without parameters; empty where there is none. */
  readonly type: string
  /** In their order, with names in lower case and values without quotes. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[]
}

/** Who takes a body apart that has this content type; undefined where its own look decides. */
export type BodyReader = 'URLENCODED' | 'MULTIPART' | 'JSON' | 'XML' | 'json-lines' | 'mime-parts'

const json = /^(?:application|text)\/(?:x-)?json$|\+json$|^application\/(?:csp-report|json-rpc|jsonrequest)$/
const jsonLines = /[/+](?:x-)?(?:ndjson|nd-json|jsonl|jsonlines|json-lines|json-seq|ldjson|json-stream)$/
const xml = /^(?:application|text)\/xml(?:-[\w-]+)?$|\+xml$/

/**
 * Charsets whose lower half is ASCII, so that what rules look for has the same bytes in them. Not among them: UTF-16, UTF-32, UTF-7,
 * EBCDIC and ISO-2022, in which the same bytes mean something else.
 */
const readableCharset =
  /^(?:utf-?8|us-ascii|ascii|ansi_x3\.4-1968|iso[-_]?8859-\d{1,2}|latin1|windows-(?:125\d|874|31j)|cp125\d|koi8-[ru]|gbk|gb2312|gb18030|big5|shift[-_]jis|sjis|euc-(?:jp|kr|tw)|binary)$/i

/**
 * The type in lower case and its parameters (RFC 9110, section 8.3.1), leniently: values may be quoted or not, and
 * blanks may stand around `=`.
 */
export function parseMediaType(header: string): MediaType {
  const end = header.indexOf(';')
  if (end < 0) return { type: header.trim().toLowerCase(), parameters: [] }
  const type = header.slice(0, end)
  const parameters = Array.from(
    header.slice(end).matchAll(/;[ \t]*([^=;\s]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g),
    ([, name = '', quoted, plain = '']) => ({
      name: name.toLowerCase(),
      value: quoted === undefined ? plain.trim() : quoted.replace(/\\(.)/g, '$1'),
    }),
  )
  return { type: type.trim().toLowerCase(), parameters }
}

/** The body processor for a type, or undefined for a type that none reads. */
export function readerFor({ type }: MediaType): BodyReader | undefined {
  if (type.startsWith('application/x-www-form-urlencoded')) return 'URLENCODED'
  if (type.startsWith('multipart/form-data')) return 'MULTIPART'
  if (type.startsWith('multipart/')) return 'mime-parts'
  if (json.test(type)) return 'JSON'
  if (jsonLines.test(type)) return 'json-lines'
  return xml.test(type) ? 'XML' : undefined
}

/** Why two readers could take a body with this type for different things; a sentence each. */
export function faultsOfMediaType({ type, parameters }: MediaType): string[] {
  const faults: string[] = []
  if (type.includes(',')) faults.push('Its content type is a list.')
  for (const name of ['charset', 'boundary']) {
    if (parameters.filter((one) => one.name === name).length > 1) {
      faults.push(`Its content type has more than one parameter ${name}.`)
    }
  }
  if (parameters.some(({ name, value }) => name === 'charset' && !isReadableCharset(value))) {
    faults.push('Its charset is not one in which ASCII is written as ASCII.')
  }
  return faults
}

/** Whether rules find the bytes of ASCII texts in this charset; its name may stand in single quotes. */
export function isReadableCharset(name: string): boolean {
  return readableCharset.test(name.replace(/^'(.*)'$/, '$1'))
}
