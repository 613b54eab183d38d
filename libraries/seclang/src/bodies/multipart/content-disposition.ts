import { MultipartError } from './multipart-error.ts'
import type { MultipartFlags } from './multipart-flags.ts'

/** What the Content-Disposition of a part names. */
export interface ContentDisposition {
  readonly name: string
  readonly fileName?: string
}

/**
 * Parses `form-data; name="field"; filename="file.txt"`. A backslash in quotes escapes a quote and a backslash only, since
 * browsers send paths with unescaped ones. Single quotes are understood, as some servers do, and flagged.
 *
 * @param takesExtendedName whether `filename*` may say the same as `filename`, as .NET sends both (RFC 8187); ModSecurity refuses it
 * @throws {MultipartError}
 */
export function parseContentDisposition(
  value: string,
  flags: MultipartFlags,
  takesExtendedName = false,
): ContentDisposition {
  const invalid = (why: string): MultipartError =>
    new MultipartError(`Invalid Content-Disposition header (${why}).`)
  if (!value.startsWith('form-data')) throw invalid('not form-data')
  const parameters = new Map<string, string>()
  let rest = value.slice('form-data'.length).replace(/^[ \t]+/, '')
  while (rest !== '') {
    const head = /^;[ \t]*([^=\t ]+)[ \t]*=[ \t]*(?=.)/s.exec(rest)
    if (head === null) throw invalid('parameter')
    const name = head[1] ?? ''
    const isExtended = takesExtendedName && name === 'filename*'
    const ofValue = rest.slice(head[0].length)
    const parsed = isExtended ? extendedValue(ofValue) : parameterValue(ofValue, flags)
    if (parsed === undefined) throw invalid('quote')
    if (parameters.has(name)) throw invalid(`duplicate ${name}`)
    if (name !== 'name' && name !== 'filename' && !isExtended) throw invalid('unknown parameter')
    parameters.set(name, parsed.value)
    if (!isExtended && !parsed.isQuoted && parsed.value.includes("'")) flags.invalidQuoting = true
    rest = parsed.rest.replace(/^[ \t]+/, '')
    if (rest !== '' && !rest.startsWith(';')) {
      if (parsed.isQuoted && rest === parsed.rest) flags.invalidQuoting = true
      throw invalid('semicolon')
    }
    if (rest === ';') break
  }
  const name = parameters.get('name')
  if (name === undefined) throw new MultipartError('Content-Disposition header missing name field.')
  const fileName = parameters.get('filename')
  if (fileName !== undefined && !value.includes('filename=')) throw invalid('filename')
  const extended = parameters.get('filename*')
  if (extended !== undefined && (fileName === undefined || !isSameName(fileName, extended))) {
    throw invalid('filename* is another name than filename')
  }
  return fileName === undefined ? { name } : { name, fileName }
}

interface ParameterValue {
  readonly value: string
  readonly rest: string
  readonly isQuoted: boolean
}

function parameterValue(text: string, flags: MultipartFlags): ParameterValue | undefined {
  const quote = text[0]
  if (quote !== '"' && quote !== "'") {
    const value = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]*/.exec(text)?.[0] ?? ''
    return { value, rest: text.slice(value.length), isQuoted: false }
  }
  if (quote === "'") flags.invalidQuoting = true
  let value = ''
  for (let at = 1; at < text.length; at++) {
    if (text[at] === quote) return { value, rest: text.slice(at + 1), isQuoted: true }
    if (text[at] === '\\' && (text[at + 1] === quote || text[at + 1] === '\\')) at++
    value += text[at]
  }
  return undefined
}

/** `UTF-8''a%20b.txt` (RFC 8187), without its percent signs. */
function extendedValue(text: string): ParameterValue | undefined {
  const [whole, encoded = ''] = /^utf-8'[\w-]*'([!#$&+\-.^_`|~0-9A-Za-z%]*)/i.exec(text) ?? []
  if (whole === undefined) return undefined
  const value = encoded.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  return { value, rest: text.slice(whole.length), isQuoted: false }
}

/** @param plain as it is, or as an encoded word (RFC 2047), which .NET makes of what is not ASCII */
function isSameName(plain: string, extended: string): boolean {
  const [, word] = /^=\?utf-8\?b\?([\w+/=]*)\?=$/i.exec(plain) ?? []
  return extended === (word === undefined ? plain : Buffer.from(word, 'base64').toString('latin1'))
}
