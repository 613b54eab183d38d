import type { SnapshotContentRule } from '@palisade/proxy-protocol'
import { isOn, number, text, textOr } from '../../kinds/conversions.ts'
import { fieldReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf, optional } from '../../objects/reading.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { cachingOfContentRule } from '../caching/compile.ts'
import { compressionOfContentRule } from '../compression/compile.ts'
import { balancingOfContentRule } from '../load-balancing/compile.ts'
import { accessLogOfContentRule } from '../logging/compile.ts'
import { inOrder } from '../places/compile.ts'
import { compileServers } from '../servers/compile.ts'
import { ruleGroup } from './rule-group.ts'
import { ruleGroupServer } from './rule-group-server.ts'

/** Which requests a content rule is for, and when it is tried; undefined where it is switched off. */
export const contentRuleReader = whenOn(
  fieldReader(ruleGroup, {
    isOn: ['status', isOn],
    host: ['host-match', text],
    url: ['url-match', text],
    extendedMatch: ['extended-match', textOr('*')],
    sequence: ['extended-match-sequence', number],
  }),
)

/**
 * The content rules of a service that are switched on, in the order in which they are tried.
 *
 * @param given.checksOf what the requests of a rule are judged by; undefined where the service says it
 * @param given.needCertificates the names of those whose clients need a certificate
 * @param given.persistenceKey by which cookies name servers
 */
export function compileContentRules(
  service: ConfigurationObject,
  snapshot: Snapshot,
  settings: {
    readonly checksOf: (rule: ConfigurationObject) => SnapshotContentRule['checks']
    readonly persistenceKey: string
    readonly needCertificates: ReadonlySet<string>
  },
): SnapshotContentRule[] {
  const rules = childrenOf(service, ruleGroup.name).flatMap((rule) => {
    const read = contentRuleReader.of(rule)
    if (read === undefined) return []
    return {
      name: rule.name,
      ...read,
      servers: compileServers(rule, ruleGroupServer, snapshot),
      balancing: balancingOfContentRule(rule, settings.persistenceKey),
      ...accessLogOfContentRule.of(rule),
      ...(settings.needCertificates.has(rule.name) ? { needsClientCertificate: true } : {}),
      ...optional('checks', settings.checksOf(rule)),
      ...optional('compression', compressionOfContentRule.of(rule)),
      ...optional('caching', cachingOfContentRule.of(rule)),
    }
  })
  return inOrder(rules)
}
