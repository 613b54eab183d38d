import type { SnapshotService, SnapshotUrlPolicy } from '@palisade/proxy-protocol'
import { normalPaths } from '../../policy/normal-path.ts'
import { placeTest } from '../../policy/place-test.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { headerValue, withoutHeader } from '../../traffic/hop-by-hop.ts'
import type { Filter } from '../filter.ts'
import type { FilterMeans } from '../filters.ts'
import { ProtectedBody, ProtectedType } from './protected-body.ts'

/** What people and programs read; images and archives are left alone. */
const readableTypes =
  /^(?:text\/|application\/(?:[\w.+-]*(?:json|xml|javascript|ecmascript)|x-www-form-urlencoded))/i

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
    onJudged: (exchange) => {
      // Whoever may ask for parts gets a number in two of them, in neither of which it is one.
      if (exchange.mode === 'active' && wanting.get(exchange)?.isPassive === false)
        exchange.headers = withoutHeader(withoutHeader(exchange.headers, 'range'), 'if-range')
      return undefined
    },
    onResponse: (exchange, head) => {
      const urlPolicy = wanting.get(exchange)
      if (urlPolicy === undefined || !isReadable(head.headers)) return undefined
      return new ProtectedBody(exchange, types, urlPolicy)
    },
  }
}

function isReadable(headers: readonly string[]): boolean {
  const coding = headerValue(headers, 'content-encoding')?.toLowerCase() ?? 'identity'
  return coding === 'identity' && readableTypes.test(headerValue(headers, 'content-type') ?? 'text/html')
}
