import type { SnapshotService } from '@palisade/proxy-protocol'
import { fittingRules, placeTest } from '../../conditions/place-test.ts'
import { type Answer, type BodyFilter, isAnswer, type ResponseHead } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { forgetBytes, hasReadableBody, mayBeText, mediaTypeOf } from '../../exchange/response-head.ts'
import { normalPaths } from '../../paths/normal-path.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { DataFindings } from './data-findings.ts'
import { ProtectedBody } from './protected-body.ts'
import { protectedHeaders, protectedText } from './protected-headers.ts'
import { ProtectedType } from './protected-type.ts'

/** Looks in answers for data that must not be given away, at the URLs whose URL policy wants that. */
export const dataTheft: FilterDescriptor = {
  name: 'data-theft',
  stage: 'plain-request',
  isShared: false,
  make: dataTheftFilter,
}

function dataTheftFilter({ checks }: SnapshotService, { policy }: FilterDependencies): Filter | undefined {
  const protectedData = policy.snapshot?.protectedData ?? []
  const places = (checks?.urlPolicies ?? []).map((urlPolicy) => ({
    urlPolicy,
    fits: placeTest(urlPolicy, checks?.ignoresCase ?? true),
  }))
  const isWanted = places.some(({ urlPolicy }) => urlPolicy.protectsData)
  if (!isWanted || protectedData.length === 0) return undefined
  const types = protectedData.map((data) => new ProtectedType(data))
  /** By the address that was asked for, before it was rewritten. */
  const wanting = new WeakMap<Exchange, DataFindings>()
  return {
    readsAnswers: true,
    readsType: (exchange, type) => wanting.has(exchange) && mayBeText(type),
    onRequest: (exchange) => {
      if (exchange.mode === 'off') return undefined
      const paths = normalPaths(exchange.target)
      const place = fittingRules(places, exchange, paths).find(({ urlPolicy }) => urlPolicy.protectsData)
      if (place) wanting.set(exchange, new DataFindings(exchange, place.urlPolicy.isPassive))
      return undefined
    },
    onResponse: (exchange, head) => {
      const findings = wanting.get(exchange)
      return findings && protectAnswer(exchange, head, types, findings)
    },
    onTrailers: (exchange, trailers) => {
      const findings = wanting.get(exchange)
      const outcome = findings ? protectedHeaders(trailers, types, findings) : [...trailers]
      // It is too late for another answer.
      return isAnswer(outcome) ? [] : outcome
    },
  }
}

function protectAnswer(
  exchange: Exchange,
  head: ResponseHead,
  types: readonly ProtectedType[],
  findings: DataFindings,
): BodyFilter | Answer | undefined {
  const message = protectedText(head.message, types, findings)
  if (typeof message !== 'string') return message
  const headers = protectedHeaders(head.headers, types, findings)
  if (isAnswer(headers)) return headers
  head.message = message
  head.headers = headers
  const mediaType = mediaTypeOf(head)
  if (!mayBeText(mediaType.type) || !hasReadableBody(exchange, head)) return undefined
  // A digest of the whole would tell what was overwritten to whoever tries all digits.
  if (!findings.onlyLogs) forgetBytes(head)
  return new ProtectedBody(types, findings, mediaType)
}
