import type { SnapshotService } from '@palisade/proxy-protocol'
import { wildcard } from '../../conditions/wildcard.ts'
import { PatternSearch } from '../../policy/attack-patterns.ts'
import { found } from '../../traffic/found.ts'
import { headerValue } from '../../traffic/hop-by-hop.ts'
import type { Filter } from '../filter.ts'

/** Refuses requests that claim to come from pages of advertisers. */
export function refererSpam({ checks }: SnapshotService): Filter | undefined {
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
      return found(exchange, { attack: 'referer-spam', detail }, { isPassive: pattern.isPassive })
    },
  }
}
