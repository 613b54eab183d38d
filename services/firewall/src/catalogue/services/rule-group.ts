import type { Kind } from '../../kinds/kind.ts'
import { applicationId, objectName, objectNameWithColons, pathMatch } from '../../kinds/patterns.ts'
import { advancedClientAnalysis } from './rule-group/advanced-client-analysis.ts'
import { caching } from './rule-group/caching.ts'
import { compression } from './rule-group/compression.ts'
import { loadBalancing } from './rule-group/load-balancing.ts'
import { rgCaptchaSettings } from './rule-group/rg-captcha-settings.ts'

export const ruleGroup = {
  name: 'rule-group',
  title: 'Rule Group',
  description: '',
  path: 'content-rules',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 63, pattern: objectName, required: true },
    'host-match': { type: 'string', pattern: applicationId, required: true, default: 'host1' },
    'url-match': { type: 'string', pattern: pathMatch, required: true, default: '/*' },
    'access-log': { type: 'choice', values: ['Disable', 'Enable'] },
    'app-id': { type: 'string', lengthMax: 63, pattern: objectNameWithColons, default: 'rule1' },
    comments: { type: 'string' },
    'extended-match': { type: 'string', lengthMax: 4096, default: '*' },
    'extended-match-sequence': { type: 'integer', min: 0, max: 1000, default: 1000 },
    mode: { type: 'choice', values: ['Passive', 'Active'], default: 'Passive' },
    status: { type: 'on-off', default: 'On' },
    'web-firewall-policy': { type: 'reference', to: 'security-policy', default: 'default' },
  },
  sections: {
    'advanced-client-analysis': advancedClientAnalysis,
    caching: caching,
    compression: compression,
    'load-balancing': loadBalancing,
    'rg-captcha-settings': rgCaptchaSettings,
  },
} as const satisfies Kind
