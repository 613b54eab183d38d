import type { SnapshotService, SnapshotUrlPolicy } from '@palisade/proxy-protocol'
import { normalPaths } from '../../policy/normal-path.ts'
import { placeTest } from '../../policy/place-test.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { isIdentity, isText, mediaTypeOf } from '../../traffic/response-head.ts'
import type { Filter } from '../filter.ts'
import type { FilterMeans } from '../filters.ts'
import { ProtectedBody, ProtectedType } from './protected-body.ts'

/** Looks in answers for data that must not be given away, at the URLs whose URL policy wants that. */
export function dataTheft({ checks }: SnapshotService, { policy }: FilterMeans): Filter | undefined {
  const protectedData = policy.snapshot?.protectedData ?? []
  const places = (checks?.urlPolicies ?? []).map((urlPolicy) => ({
    urlPolicy,
    fits: placeTest(urlPolicy, checks?.ignoresCase ?? true),
  }))
  const isWanted = places.some(({ urlPolicy }) => urlPolicy.protectsData)
  if (!isWanted || protectedData.length === 0) return undefined
  const types = protectedData.map((data) => new ProtectedType(data))
  /** By the address that was asked for, before it was rewritten. */
  const wanting = new WeakMap<Exchange, SnapshotUrlPolicy>()
  return {
    readsAnswers: true,
    onRequest: (exchange) => {
      if (exchange.mode === 'off') return undefined
      const paths = normalPaths(exchange.target)
      const place = places.find(({ fits }) => fits(exchange, paths))
      if (place?.urlPolicy.protectsData) wanting.set(exchange, place.urlPolicy)
      return undefined
    },
    onResponse: (exchange, head) => {
      const urlPolicy = wanting.get(exchange)
      if (urlPolicy === undefined || !isText(mediaTypeOf(head).type) || !isIdentity(head.headers))
        return undefined
      return new ProtectedBody(exchange, types, urlPolicy)
    },
  }
}
