import type { SnapshotService } from '@palisade/proxy-protocol'
import { contentRulesFinder } from '../servers/content-rules.ts'
import { certificateOf } from './client-certificates.ts'
import { denyInEveryMode } from './deny-in-every-mode.ts'
import type { Filter, FilterDescriptor } from './filter.ts'

/**
 * Keeps clients out that have shown no certificate, or none that is trusted, where a content rule wants one, in every mode. An address that
 * some server takes for one of such a rule needs a certificate, however it is spelt.
 */
export const certificatesOfRules: FilterDescriptor = {
  name: 'certificates-of-rules',
  stage: 'plain-request',
  isShared: true,
  make: certificatesOfRulesFilter,
}

function certificatesOfRulesFilter({ contentRules }: SnapshotService): Filter | undefined {
  if (contentRules.every(({ needsClientCertificate }) => needsClientCertificate !== true)) return undefined
  const rulesOf = contentRulesFinder(contentRules, (rule) => rule)
  return {
    onRequest: (exchange) => {
      const rule = rulesOf(exchange).find(({ needsClientCertificate }) => needsClientCertificate)
      if (rule === undefined || certificateOf(exchange.request.socket)) return undefined
      const detail = 'Its addresses are for clients with a trusted certificate, and this one has shown none.'
      return denyInEveryMode(exchange, { detail, rule: rule.name })
    },
  }
}
