import { withoutQuery } from '../exchange/address.ts'
import { wildcard } from '../patterns/wildcard.ts'
import { bytesOfPath, normalPaths } from './normal-path.ts'
import type { Paths } from './path-readings.ts'

/** An address as patterns are compared with it. */
export interface Address {
  /** All that a server may take its path for. */
  readonly paths: Paths
  /** With its "?"; empty where there is none. */
  readonly query: string
}

/** @param target path and query of a request or a link */
export function addressOf(target: string): Address {
  return { paths: normalPaths(target), query: target.slice(withoutQuery(target).length) }
}

/**
 * Whether a server may take an address for one that a pattern names. The query is looked at only where the pattern has a "?".
 *
 * @param pattern in which "*" stands for any characters; empty for every address
 */
export function urlTest(pattern: string, ignoresCase: boolean): (address: Address) => boolean {
  if (pattern === '') return () => true
  const path = withoutQuery(pattern)
  const fits = wildcard(bytesOfPath(path) + pattern.slice(path.length), ignoresCase)
  const withQuery = path !== pattern
  return ({ paths, query }) => paths.some((one) => fits(withQuery ? one + query : one))
}
