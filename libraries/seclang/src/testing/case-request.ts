import type { CaseInput } from './regression-case.ts'

const formType = 'application/x-www-form-urlencoded'

/**
 * The bytes that the project's own test program sends for a case. Unless told not to, it adds the type and the length of a body
 * and encodes the values of a form that is not encoded yet.
 */
export function caseRequest(input: CaseInput): Buffer {
  if (input.encoded_request !== undefined) return Buffer.from(input.encoded_request, 'base64')
  if (input.raw_request !== undefined) return Buffer.from(input.raw_request, 'utf8')
  const headers = new Map(
    Object.entries(input.headers ?? {}).map(([name, value]) => [name, String(value ?? '')]),
  )
  const written = typeof input.data === 'string' ? input.data : (input.data ?? []).join('\r\n')
  const body = input.stop_magic ? Buffer.from(written, 'utf8') : completeBody(written, headers)
  const line = `${input.method ?? 'GET'} ${input.uri ?? '/'} ${input.version ?? 'HTTP/1.1'}`
  const head = [line, ...[...headers].map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head, 'utf8'), body])
}

/** Adds to the headers what belongs to the body. */
function completeBody(data: string, headers: Map<string, string>): Buffer {
  if (data === '') return Buffer.alloc(0)
  if (!hasHeader(headers, 'content-type')) headers.set('Content-Type', formType)
  const body = Buffer.from(headers.get('Content-Type') === formType ? encodeForm(data) : data, 'utf8')
  if (!hasHeader(headers, 'content-length')) headers.set('Content-Length', String(body.length))
  return body
}

function hasHeader(headers: ReadonlyMap<string, string>, lowerName: string): boolean {
  return [...headers.keys()].some((name) => name.toLowerCase() === lowerName)
}

/** Encodes the names and values of a form, if nothing in it is encoded. */
function encodeForm(data: string): string {
  if (/%[0-9a-fA-F]{2}/.test(data)) return data
  return data
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=')
      const name = equals === -1 ? pair : pair.slice(0, equals)
      const value = equals === -1 ? '' : pair.slice(equals + 1)
      return `${encode(name)}=${encode(value)}`
    })
    .join('&')
}

function encode(text: string): string {
  return encodeURIComponent(text.replaceAll('+', ' '))
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}
