import type { SnapshotWebSocketPolicy } from '@palisade/proxy-protocol'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValues } from '../../exchange/headers.ts'
import { type TextTest, wildcard } from '../../patterns/wildcard.ts'

/** A scheme and a host, perhaps with a port (RFC 6454, section 6.2). */
const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\\s]+$/

/**
 * Whether the page that opens a WebSocket may: a browser always says whose it is. Who says nothing is no browser, and nothing that he has in one
 * can be misused by a page.
 */
export function originTest({ origins }: SnapshotWebSocketPolicy): (exchange: Exchange) => boolean {
  if (origins.length === 0) return () => true
  const tests: readonly TextTest[] = origins.map((one) => wildcard(one))
  return ({ headers }) => {
    const [first, ...more] = headerValues(headers, 'origin')
    if (first === undefined) return true
    const lower = first.toLowerCase()
    // A page without an origin says "null".
    return more.length === 0 && (origin.test(lower) || lower === 'null') && tests.some((fits) => fits(lower))
  }
}
