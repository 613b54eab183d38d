import type { SnapshotPlace } from '@palisade/proxy-protocol'
import { conditionOf } from '../conditions/extended-match.ts'
import { hostTest, wildcard } from '../conditions/wildcard.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { bytesOfPath, type Paths } from './normal-path.ts'

/** Whether a rule for a place is about a request. @param paths the request's, one of which has to fit */
export type PlaceTest = (exchange: Exchange, paths: Paths) => boolean

/**
 * A place made ready to be compared with requests; its URL may be percent-encoded. A rule whose extended match is not understood is
 * about none.
 *
 * @param ignoresCase whether paths fit in any case
 */
export function placeTest(place: SnapshotPlace, ignoresCase: boolean): PlaceTest {
  const condition = conditionOf(place.extendedMatch)
  if (condition === undefined) return () => false
  const hostFits = hostTest(place.host)
  const urlFits = wildcard(bytesOfPath(place.url), ignoresCase)
  return (exchange, paths) => paths.some((path) => urlFits(path)) && hostFits(exchange) && condition(exchange)
}
