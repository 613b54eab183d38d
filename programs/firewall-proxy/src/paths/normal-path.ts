import { isUtf8 } from 'node:buffer'
import { pathOf, withoutQuery } from '../exchange/address.ts'
import { decodePercent, narrowFullWidth, withoutLookAlikes } from './lenient-decoding.ts'
import { type Paths, pathReadings, resolveDotSegments } from './path-readings.ts'

/** Only paths with one of these can be another path in disguise. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: some servers overlook them
const suspects = /[%\\;\x00-\x20\x7f-\xff]|\/[/.+]|\.(?:\/|$)/

/** What makes a decoded path ambiguous, wherever it stands. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: some servers overlook them, or end a path there
const ambiguous = /[%\\;?#\x00-\x1f\x7f]|\/ | \.*(?:\/|$)|\/[ +]*\.[ .+]*(?:\/|$)/

/** The last path that was looked at closely: all filters of a request ask for the same one. */
let latest: { readonly written: string; readonly paths: Paths } | undefined

/**
 * The paths that servers may take an address for, however it is written: decoded, with slashes for backslashes, without dot
 * segments and doubled slashes, and whatever else some servers make of it ({@link pathReadings}). Rules about URLs are compared with all
 * of them, so that no spelling gets around a rule.
 *
 * @param target path and query of a request
 */
export function normalPaths(target: string): Paths {
  const written = withoutQuery(pathOf(target))
  if (!suspects.test(written)) return [written]
  if (latest?.written !== written) latest = { written, paths: pathReadings(written) }
  return latest.paths
}

/**
 * The path of a request; undefined where it is written so that a server could take it for another one, as with `..`, `;`, an encoded
 * slash or percent sign, control characters, blanks around names, or bytes that are no UTF-8: what is looser for some URLs is not for
 * such a request. Names that end with a dot, and names in full-width letters, are plain all the same.
 */
export function plainPath(target: string): string | undefined {
  const written = withoutQuery(pathOf(target))
  if (!suspects.test(written)) return written
  const path = decodePercent(written)
  if (/%2f|%5c/i.test(written) || ambiguous.test(path) || resolveDotSegments(path).path !== path)
    return undefined
  return isUnambiguousText(path) ? path : undefined
}

/** Whether nobody can take the address of a request for another one, so that what is looser for its URL may be so for it. */
export function isPlain(target: string): boolean {
  return plainPath(target) !== undefined
}

/** A path or a pattern of paths in text, percent-encoded or not, as {@link normalPaths} have it. */
export function bytesOfPath(text: string): string {
  return decodePercent(Buffer.from(text, 'utf8').toString('latin1'))
}

/** Whether bytes are text in which no other character stands for one that parts or hides segments. */
function isUnambiguousText(bytes: string): boolean {
  if (!/[\x80-\xff]/.test(bytes)) return true
  if (!isUtf8(Buffer.from(bytes, 'latin1'))) return false
  if (withoutLookAlikes(bytes) !== bytes) return false
  const narrow = narrowFullWidth(bytes)
  return narrow === bytes || !/%(?:2[3ef]|25|3[bf]|5c)/i.test(narrow)
}
