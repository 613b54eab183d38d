import type { SnapshotService } from '@palisade/proxy-protocol'
import { headerValue } from '../exchange/headers.ts'
import { wildcard } from '../patterns/wildcard.ts'
import { PatternSearch } from '../policy/attack-patterns.ts'
import { handleViolation } from '../policy/handle-violation.ts'
import type { Filter, FilterDescriptor } from './filter.ts'

/** Refuses requests that claim to come from pages of advertisers. */
export const refererSpam: FilterDescriptor = {
  name: 'referer-spam',
  stage: 'plain-request',
  isShared: true,
  make: refererSpamFilter,
}

function refererSpamFilter({ checks }: SnapshotService): Filter | undefined {
  const spam = checks?.refererSpam
  if (spam === undefined) return undefined
  const patterns = new PatternSearch(spam.patterns)
  const exceptions = spam.exceptions.map((one) => wildcard(one))
  return {
    onRequest: (exchange) => {
      const referer = headerValue(exchange.headers, 'referer')
      if (exchange.mode === 'off' || referer === undefined || exceptions.some((fits) => fits(referer))) {
        return undefined
      }
      const pattern = patterns.firstIn(referer)
      if (pattern === undefined) return undefined
      const detail = `The referring page has what the pattern ${pattern.name} looks for.`
      return handleViolation(exchange, { attack: 'referer-spam', detail }, { isPassive: pattern.isPassive })
    },
  }
}
