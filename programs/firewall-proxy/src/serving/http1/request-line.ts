import { isAscii } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { type IncomingMessage, METHODS } from 'node:http'

/** Longer methods are left to Node's parser, which refuses them; the longest that is registered has 17 letters. */
export const methodLengthMax = 64

/** Those that Node's parser takes; it refuses any other at its first bytes. `PRI` is how HTTP/2 begins. */
const parsed: ReadonlySet<string> = new Set([...METHODS, 'PRI'])

/** A method that means nothing to the parser: it reads a body behind it, or none, as behind any other. */
const standIn = 'POST'

/** Begins the target of a request whose method is another one. Nobody else knows it, so that no client can send it. */
const standInPath = `/${randomBytes(16).toString('hex')}/`

/** Whether Node's parser takes a method, or is left to refuse it. */
export function isParsedMethod(method: string): boolean {
  return parsed.has(method)
}

/**
 * What is given to Node's parser in the place of a method that it does not know and the blank behind it; the target follows.
 * {@link restoreMethod} is the way back.
 */
export function standInFor(method: string): Buffer {
  return Buffer.from(`${standIn} ${standInPath}${Buffer.from(method, 'latin1').toString('hex')}/`, 'latin1')
}

/** Gives a request its method and its target back where {@link standInFor} stood for them. */
export function restoreMethod(request: IncomingMessage): void {
  const { method, url = '' } = request
  if (method !== standIn || !url.startsWith(standInPath)) return
  const end = url.indexOf('/', standInPath.length)
  request.method = Buffer.from(url.slice(standInPath.length, end), 'hex').toString('latin1')
  request.url = url.slice(end + 1)
}

/** A request line, or a part of one, with bytes above 127 percent-encoded: as URIs have them (RFC 3986, section 2.1). */
export function inAscii(line: Buffer): Buffer {
  if (isAscii(line)) return line
  const text = line
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  return Buffer.from(text, 'latin1')
}
