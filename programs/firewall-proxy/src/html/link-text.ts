import { isUtf8 } from 'node:buffer'

/** A link as browsers read it: without blanks and control characters around it, and without tabs and line ends. */
export function trimmedLink(url: string): string {
  return url.replace(/^[\0- ]+|(?<![\0- ])[\0- ]+$|[\t\n\r]/g, '')
}

/** A link made absolute; undefined for what is none. @param url a byte string: UTF-8, or else in an encoding of the page of which servers get the bytes */
export function parsedLink(url: string, base: string): URL | undefined {
  return URL.parse(/[\x80-\xff]/.test(url) ? readable(url) : url, base) ?? undefined
}

function readable(url: string): string {
  const bytes = Buffer.from(url, 'latin1')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return url.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}
