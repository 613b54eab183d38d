import { withoutQuery } from '../conditions/wildcard.ts'
import { pathOf } from '../traffic/path.ts'

/** Only paths with one of these can be another path in disguise. */
const suspects = /[%\\]|\/\/|\/\./

/** What servers of Java leave out of a segment: to them `/a/..;b/` is `/a/../`. */
const parametersOfDots = /(^|[/\\])(\.{1,2});[^/\\]*/g

/**
 * The path that a server may take an address for, however it is written: decoded, with slashes for backslashes, without dot
 * segments and doubled slashes. Rules about URLs are compared with it, so that no spelling gets around them.
 *
 * @param target path and query of a request
 * @returns a byte string
 */
export function normalPath(target: string): string {
  const path = withoutQuery(pathOf(target))
  if (!suspects.test(path)) return path
  return resolved(decoded(path).replace(parametersOfDots, '$1$2')).path
}

/**
 * The path of a request; undefined where it is written so that a server could take it for another one, as with `..` or an encoded
 * slash: what is looser for some URLs is not for such a request.
 */
export function plainPath(target: string): string | undefined {
  const written = withoutQuery(pathOf(target))
  const path = normalPath(target)
  return !/%2f|%5c/i.test(written) && decoded(written) === path ? path : undefined
}

/** Whether nobody can take the address of a request for another one, so that what is looser for its URL may be so for it. */
export function isPlain(target: string): boolean {
  return plainPath(target) !== undefined
}

/** Percent-encoded bytes as bytes; what only looks like one stays. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

/** A decoded path without dot segments, and whether they led beyond the root. */
export function resolved(path: string): { readonly path: string; readonly leavesRoot: boolean } {
  const kept: string[] = []
  let leavesRoot = false
  const segments = path.replaceAll('\\', '/').split('/')
  const last = segments.length - 1
  for (const [index, segment] of segments.entries()) {
    if (segment === '..') {
      if (kept.pop() === undefined) leavesRoot = true
    } else if (segment !== '' && segment !== '.') kept.push(segment)
    if (index === last && ['', '.', '..'].includes(segment) && kept.length > 0) kept.push('')
  }
  return { path: `/${kept.join('/')}`, leavesRoot }
}
