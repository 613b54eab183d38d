import { contentRuleCaching } from '../../features/caching/fields.ts'
import { contentRuleCompression } from '../../features/compression/fields.ts'
import { contentRuleLoadBalancing } from '../../features/load-balancing/fields.ts'
import type { Kind } from '../../kinds/kind.ts'
import { applicationId, objectName, objectNameWithColons, pathMatch } from '../../kinds/patterns.ts'
import { extendedMatch } from '../requests-of-rules.ts'
import { advancedClientAnalysis } from './rule-group/advanced-client-analysis.ts'
import { rgCaptchaSettings } from './rule-group/rg-captcha-settings.ts'

/**
 * A content rule: requests to some hosts and URLs of a service that have servers and settings of their own. Of the
 * rules whose host and URL fit a request, the first one counts whose extended match fits too, in the order of
 * their sequence numbers.
 */
export const ruleGroup = {
  name: 'rule-group',
  title: 'Rule Group',
  description: 'A content rule: some requests to a service that have servers and settings of their own.',
  path: 'content-rules',
  parent: 'service',
  identifiedBy: 'name',
  shownInParent: true,
  excerpts: { Logging: ['access-log'] },
  fields: {
    name: { type: 'string', lengthMax: 63, pattern: objectName, required: true },
    status: { type: 'on-off', default: 'On' },
    'host-match': {
      type: 'string',
      lengthMax: 253,
      pattern: applicationId,
      required: true,
      description: 'A host, in which "*" stands for any characters.',
    },
    'url-match': { type: 'string', pattern: pathMatch, required: true },
    'extended-match': { ...extendedMatch, default: '*' },
    'extended-match-sequence': {
      type: 'integer',
      min: 0,
      max: 1000,
      default: 1000,
      description: 'Rules with lower numbers are tried first.',
    },
    mode: { type: 'choice', values: ['Passive', 'Active'], default: 'Passive' },
    'web-firewall-policy': { type: 'reference', to: 'security-policy', default: 'default' },
    'app-id': { type: 'string', lengthMax: 63, pattern: objectNameWithColons, administrative: true },
    'access-log': { type: 'choice', values: ['Disable', 'Enable'] },
    comments: { type: 'string' },
  },
  sections: {
    'advanced-client-analysis': advancedClientAnalysis,
    caching: contentRuleCaching,
    compression: contentRuleCompression,
    'load-balancing': contentRuleLoadBalancing,
    'rg-captcha-settings': rgCaptchaSettings,
  },
} as const satisfies Kind
