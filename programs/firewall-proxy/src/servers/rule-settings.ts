import type { SnapshotContentRule, SnapshotService } from '@palisade/proxy-protocol'
import type { Exchange } from '../exchange/exchange.ts'
import { contentRuleFinder } from './content-rules.ts'

/** What a service and each of its content rules may say, for its own requests alone. */
type Said = Pick<SnapshotContentRule & SnapshotService, 'caching' | 'compression'>

/**
 * What counts for a request: what its content rule says, or the service where no rule is about it. To be asked once the request
 * was rewritten.
 *
 * @param prepare makes a filter's own of what is said
 * @returns undefined when nobody says anything
 */
export function settingsOf<Name extends keyof Said, Prepared>(
  service: SnapshotService,
  name: Name,
  prepare: (said: NonNullable<Said[Name]>) => Prepared,
): ((exchange: Exchange) => Prepared | undefined) | undefined {
  const { contentRules } = service
  const prepared = (said: Said[Name]) => (said == null ? undefined : prepare(said))
  const own = prepared(service[name])
  if (contentRules.every((rule) => rule[name] === undefined)) {
    if (own === undefined) return undefined
    if (contentRules.length === 0) return () => own
  }
  const ofRule = contentRuleFinder(contentRules, (rule) => ({ said: prepared(rule[name]) }))
  return (exchange) => {
    const rule = ofRule(exchange)
    return rule === undefined ? own : rule.said
  }
}
