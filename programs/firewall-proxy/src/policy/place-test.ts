import type { SnapshotPlace } from '@palisade/proxy-protocol'
import { conditionOf } from '../conditions/extended-match.ts'
import { hostOf, wildcard, withoutPort } from '../conditions/wildcard.ts'
import type { Exchange } from '../traffic/exchange.ts'

/** Whether a rule for a place is about a request. @param path the request's, as `normalPath` gives it */
export type PlaceTest = (exchange: Exchange, path: string) => boolean

/**
 * A place made ready to be compared with requests. A rule whose extended match is not understood is about none.
 *
 * @param ignoresCase whether paths fit in any case
 */
export function placeTest(place: SnapshotPlace, ignoresCase: boolean): PlaceTest {
  const condition = conditionOf(place.extendedMatch)
  if (condition === undefined) return () => false
  const hostFits = wildcard(place.host)
  const urlFits = wildcard(place.url, ignoresCase)
  const withPort = /:\d+$/.test(place.host)
  return (exchange, path) =>
    urlFits(path) &&
    hostFits(withPort ? hostOf(exchange) : withoutPort(hostOf(exchange))) &&
    condition(exchange)
}
