import { MultipartError } from './multipart-error.ts'
import type { MultipartFlags } from './multipart-flags.ts'

/**
 * The boundary of a `multipart/form-data` content type. Anything that two parsers could read differently is refused or
 * flagged.
 *
 * @throws {MultipartError}
 */
export function boundaryOf(contentType: string | undefined, flags: MultipartFlags): string {
  if (contentType === undefined) throw new MultipartError('Content-Type header not available.')
  if (contentType.length > 1024) throw new MultipartError('Invalid boundary in C-T (length).')
  if (!/^multipart\/form-data/i.test(contentType)) throw new MultipartError('Invalid MIME type.')
  if (countBoundaryParameters(contentType) > 1)
    throw new MultipartError('Multiple boundary parameters in C-T.')
  const at = contentType.indexOf('boundary')
  if (at === -1) throw new MultipartError(missingBoundary(contentType))
  checkBefore(contentType.slice('multipart/form-data'.length, at), flags)
  const boundary = unquote(parameterValue(contentType.slice(at + 'boundary'.length), flags), flags)
  if (countBoundaryParameters(boundary) !== 0) throw new MultipartError('Invalid boundary in C-T (content).')
  if (!/^[\x20-\x7e]*$/.test(boundary) || /[()<>@,;:\\"/[\]?=]/.test(boundary)) {
    throw new MultipartError('Invalid boundary in C-T (characters).')
  }
  if (boundary === '') throw new MultipartError('Invalid boundary in C-T (empty).')
  return boundary
}

function missingBoundary(contentType: string): string {
  return /boundary/i.test(contentType)
    ? 'Invalid boundary in C-T (case sensitivity).'
    : 'Boundary not found in C-T.'
}

function countBoundaryParameters(text: string): number {
  const lower = text.toLowerCase()
  const lastEquals = lower.lastIndexOf('=')
  return [...lower.matchAll(/boundary/g)].filter((match) => match.index + 8 <= lastEquals).length
}

function checkBefore(between: string, flags: MultipartFlags): void {
  const marks = between.replace(/\s/g, '')
  if (marks === '') flags.missingSemicolon = true
  else if (marks !== ';') throw new MultipartError('Invalid boundary in C-T (malformed).')
}

function parameterValue(afterName: string, flags: MultipartFlags): string {
  const equals = afterName.indexOf('=')
  if (equals === -1) throw new MultipartError('Invalid boundary in C-T (malformed).')
  const between = afterName.slice(0, equals)
  if (/\S/.test(between)) throw new MultipartError('Invalid boundary in C-T (parameter name).')
  const value = afterName.slice(equals + 1)
  if (between !== '' || /^\s/.test(value)) flags.boundaryWhitespace = true
  return value
}

function unquote(value: string, flags: MultipartFlags): string {
  if (value.length >= 2 && value.startsWith('"') && value.endsWith('"')) {
    flags.boundaryQuoted = true
    return value.slice(1, -1)
  }
  if (value.startsWith('"') || (value.length >= 2 && value.endsWith('"'))) {
    throw new MultipartError('Invalid boundary in C-T (quote).')
  }
  return value
}
