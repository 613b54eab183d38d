import type { Masking } from '../logs/masking.ts'
import { maskedForm } from './masked-form.ts'

/** Character sets in which a name of a parameter reads as in ASCII. */
const readableCharset = /^(?:utf-?8|us-ascii|ascii|iso-8859-(?:1|15)|latin1|windows-1252)$/i

/** A string, a sign or another value of JSON. */
const jsonToken = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs

/**
 * A body with the secrets in it masked in their form.
 *
 * @param body as a byte string
 * @param masking one that keeps the form
 * @returns undefined for a body in which secrets could not be found
 */
export function maskedBody(body: string, contentType: string, masking: Masking): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  if (!readableCharset.test(charset)) return undefined
  if (/^\s*multipart\//i.test(contentType)) return maskedParts(body, contentType, masking)
  // Names with NUL between their characters are none that anybody would find.
  if (body.includes('\0')) return undefined
  return isJson(body) ? maskedJson(body, masking) : masking.address(body)
}

function isJson(body: string): boolean {
  if (!/^\s*[[{"]/.test(body)) return false
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

/** Masks what is behind a masked name, however deep, and addresses with secrets in other values. */
function maskedJson(body: string, masking: Masking): string {
  /** For each object and list around the value whether it is masked as a whole. */
  const around: boolean[] = [false]
  let name: string | undefined
  const isMasked = () => (around.at(-1) ?? false) || (name !== undefined && masking.masks(name))
  return body.replace(jsonToken, (token: string, at: number) => {
    if (token === '{' || token === '[') {
      around.push(isMasked())
      name = undefined
      return token
    }
    if (token === '}' || token === ']') around.pop()
    if (/^[}\],]$/.test(token)) name = undefined
    if (/^[}\],:]$/.test(token)) return token
    if (token.startsWith('"') && isNameAt(body, at + token.length)) {
      name = String(JSON.parse(token))
      return token
    }
    if (!isMasked()) return token.startsWith('"') ? `"${masking.address(token.slice(1, -1))}"` : token
    return /^(?:true|false|null)$/.test(token) ? token : maskedForm(token, true)
  })
}

function isNameAt(body: string, end: number): boolean {
  return /^\s*:/.test(body.slice(end, end + 64))
}

/** Masks the content of the parts that have a masked name, or none that can be read. */
function maskedParts(body: string, contentType: string, masking: Masking): string | undefined {
  const boundary = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(contentType)
  const mark = boundary?.[1] ?? boundary?.[2]
  if (mark === undefined) return undefined
  const [preamble = '', ...parts] = body.split(`--${mark}`)
  const masked = parts.map((part) => {
    const end = /\r?\n\r?\n/.exec(part)
    if (end === null) return maskedForm(part)
    const start = end.index + end[0].length
    const [head, content] = [part.slice(0, start), part.slice(start)]
    const name = /;\s*name\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(head)
    const fieldName = name?.[1] ?? name?.[2]
    const isSecret = fieldName === undefined || masking.masks(fieldName)
    return head + (isSecret ? maskedForm(content) : (maskedContent(content, masking) ?? maskedForm(content)))
  })
  return [maskedForm(preamble), ...masked].join(`--${mark}`)
}

function maskedContent(content: string, masking: Masking): string | undefined {
  const text = content.replace(/\r?\n$/, '')
  const masked = isJson(text) ? maskedJson(text, masking) : masking.address(text)
  return masked + content.slice(text.length)
}
