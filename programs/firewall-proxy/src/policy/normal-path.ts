import { withoutQuery } from '../conditions/wildcard.ts'
import { pathOf } from '../traffic/path.ts'

/** The paths that servers may take an address for, as byte strings: nearly always one. */
export type Paths = readonly [string, ...string[]]

/** Only paths with one of these can be another path in disguise. */
const suspects = /[%\\;]|\/\/|\/\./

/** What servers of Java leave out of segments: to them `/a;b=c/..;d/` is `/a/../`. */
const parameters = /;[^/\\]*/g

/**
 * The paths that servers may take an address for, however it is written: decoded, with slashes for backslashes, without dot
 * segments and doubled slashes; where its segments have parameters, also without these. Rules about URLs are compared with all of
 * them, so that no spelling gets around a rule.
 *
 * @param target path and query of a request
 */
export function normalPaths(target: string): Paths {
  const written = withoutQuery(pathOf(target))
  if (!suspects.test(written)) return [written]
  const whole = decoded(written)
  const { path } = resolved(whole)
  if (!whole.includes(';')) return [path]
  return [path, resolved(decoded(written.replace(parameters, '')).replace(parameters, '')).path]
}

/**
 * The path of a request; undefined where it is written so that a server could take it for another one, as with `..`, `;` or an
 * encoded slash: what is looser for some URLs is not for such a request.
 */
export function plainPath(target: string): string | undefined {
  const written = withoutQuery(pathOf(target))
  const [path, other] = normalPaths(target)
  return other === undefined && !/%2f|%5c/i.test(written) && decoded(written) === path ? path : undefined
}

/** Whether nobody can take the address of a request for another one, so that what is looser for its URL may be so for it. */
export function isPlain(target: string): boolean {
  return plainPath(target) !== undefined
}

/** A path or a pattern of paths in text, percent-encoded or not, as {@link normalPaths} have it. */
export function bytesOfPath(text: string): string {
  return decoded(Buffer.from(text, 'utf8').toString('latin1'))
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
