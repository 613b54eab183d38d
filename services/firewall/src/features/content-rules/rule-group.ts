import type { Kind, Section } from '../../kinds/kind.ts'
import { applicationId, objectName, objectNameWithColons, pathMatch } from '../../kinds/patterns.ts'
import { contentRuleCaching } from '../caching/fields.ts'
import { contentRuleCompression } from '../compression/fields.ts'
import { contentRuleLoadBalancing } from '../load-balancing/fields.ts'
import { extendedMatch } from '../places/fields.ts'
import { captchaSettings as ofService } from '../services/service/bots.ts'

/** As the section of the service, with "Same as Service" besides. */
export const advancedClientAnalysis = {
  title: 'Advanced Client Analysis',
  description: "Whether the rule's requests tell how their clients behave.",
  fields: {
    'advanced-analysis': { type: 'choice', values: ['Disable', 'Enable', 'Same as Service'] },
  },
} as const satisfies Section

const {
  'recaptcha-type': type,
  'recaptcha-domain': domain,
  'recaptcha-site-key': siteKey,
  'recaptcha-site-secret': siteSecret,
} = ofService.fields

/** As a service's, under names of their own. */
export const rgCaptchaSettings = {
  title: 'Captcha Settings',
  description: "Which riddle a suspicious client of the rule's requests has to solve.",
  fields: {
    'recaptcha-type': type,
    'rg-recaptcha-domain': domain,
    'rg-recaptcha-site-key': siteKey,
    'rg-recaptcha-site-secret': siteSecret,
  },
} as const satisfies Section

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
