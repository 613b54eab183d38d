import {
  type Argument,
  extractJsonFiles,
  parseMultipartBody,
  parseUrlEncoded,
  type UploadedFile,
} from '@palisade/seclang'
import { headerValue } from '../../exchange/headers.ts'

/** How many files are looked at; more are refused by every policy. */
const filesMax = 2048

/** As ModSecurity's recommended settings have it. */
const withoutFilesMaxDefault = 128 * 1024

/** What a body says, where it is a form. */
export interface FormParts {
  readonly parameters: readonly Argument[]
  readonly files: readonly (UploadedFile & { readonly type: string })[]
}

/** The parameters of an address. @param separators each character separates two of them */
export function queryParameters(target: string, separators: string): readonly Argument[] {
  const at = target.indexOf('?')
  return at < 0 ? [] : parseUrlEncoded(target.slice(at + 1), separators).arguments
}

/** The content type without its parameters, in lower case; empty where there is none. */
export function contentTypeOf(headers: readonly string[]): string {
  return (headerValue(headers, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Whether a body of this type has parameters. */
export function isForm(contentType: string): boolean {
  return contentType === 'application/x-www-form-urlencoded' || contentType === 'multipart/form-data'
}

/**
 * What the body of a form says, as far as it can be understood.
 *
 * @param withoutFilesMax so many bytes are looked at beside the contents of files
 */
export function formParts(
  bytes: Buffer,
  headers: readonly string[],
  separators: string,
  withoutFilesMax = withoutFilesMaxDefault,
): FormParts {
  if (contentTypeOf(headers) !== 'multipart/form-data') {
    const text = bytes.toString('latin1', 0, Math.min(bytes.length, withoutFilesMax))
    return { parameters: parseUrlEncoded(text, separators).arguments, files: [] }
  }
  const limits = { filesMax, withoutFilesMax }
  const parsed = parseMultipartBody(bytes.toString('latin1'), headerValue(headers, 'content-type'), limits)
  const files = (parsed.files ?? []).map((file) => ({ ...file, type: typeOf(file) }))
  return { parameters: parsed.arguments ?? [], files }
}

/** How pictures begin. */
const picture = /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP)/s

/** The files in a document of JSON that is longer than text may be, which is let pass for their sake alone. Shorter ones are values to rules. */
export function filesInJson(
  bytes: Buffer,
  headers: readonly string[],
  withoutFilesMax = withoutFilesMaxDefault,
): FormParts['files'] {
  if (bytes.length <= withoutFilesMax || !contentTypeOf(headers).includes('json')) return []
  const limits = { textMax: withoutFilesMax, filesMax }
  const { files = [] } = extractJsonFiles(bytes.toString('latin1'), limits) ?? {}
  return files.map((file) => ({
    ...file,
    type: typeOf(file) || (picture.test(file.content) ? 'image/unknown' : ''),
  }))
}

/** What the client says that a file is. */
function typeOf({ headerLines }: UploadedFile): string {
  const header = headerLines.find((line) => /^content-type:/i.test(line))
  return (
    header
      ?.replace(/^[^:]*:\s*/, '')
      .split(';', 1)[0]
      ?.trim()
      .toLowerCase() ?? ''
  )
}
