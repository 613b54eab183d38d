import type { Kind } from '../../kinds/kind.ts'
import { applicationId, objectName } from '../../kinds/patterns.ts'
import { adaptiveProfiling } from './service/adaptive-profiling.ts'
import { advancedClientAnalysis } from './service/advanced-client-analysis.ts'
import { advancedConfiguration } from './service/advanced-configuration.ts'
import { authentication } from './service/authentication.ts'
import { basicSecurity } from './service/basic-security.ts'
import { caching } from './service/caching.ts'
import { captchaSettings } from './service/captcha-settings.ts'
import { clickjacking } from './service/clickjacking.ts'
import { commentSpam } from './service/comment-spam.ts'
import { compression } from './service/compression.ts'
import { exceptionProfiling } from './service/exception-profiling.ts'
import { formSpam } from './service/form-spam.ts'
import { ftpSecurity } from './service/ftp-security.ts'
import { instantSsl } from './service/instant-ssl.ts'
import { ipReputation } from './service/ip-reputation.ts'
import { loadBalancing } from './service/load-balancing.ts'
import { refererSpam } from './service/referer-spam.ts'
import { sensitiveParameterNames } from './service/sensitive-parameter-names.ts'
import { sessionTracking } from './service/session-tracking.ts'
import { slowClientAttack } from './service/slow-client-attack.ts'
import { sslClientAuthentication } from './service/ssl-client-authentication.ts'
import { sslOcsp } from './service/ssl-ocsp.ts'
import { sslSecurity } from './service/ssl-security.ts'
import { urlEncryption } from './service/url-encryption.ts'
import { websiteProfile } from './service/website-profile.ts'

export const service = {
  name: 'service',
  title: 'Service',
  description: '',
  path: 'services',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    'address-version': { type: 'choice', values: ['IPv4', 'IPv6'], createOnly: true, default: 'IPv4' },
    'app-id': { type: 'string', lengthMax: 63, pattern: applicationId, default: 'testservice' },
    certificate: { type: 'string' },
    comments: { type: 'string' },
    'dps-enabled': { type: 'yes-no', writeOnly: true },
    'ecdsa-certificate': { type: 'string' },
    'enable-access-logs': { type: 'yes-no', default: 'Yes' },
    'enable-loopback-adapter': { type: 'yes-no' },
    group: { type: 'string', lengthMax: 64, pattern: objectName, createOnly: true, default: 'default' },
    'ip-address': { type: 'ip-address', default: '172.29.97.7' },
    mask: { type: 'netmask', default: '255.255.255.0' },
    port: { type: 'integer', min: 1, max: 65_535, default: 80 },
    'secure-site-domain': { type: 'list', of: { type: 'string' } },
    'session-timeout': { type: 'integer', min: 0, max: 86_400, default: 60 },
    status: { type: 'on-off', default: 'On' },
    type: {
      type: 'choice',
      values: ['HTTP', 'HTTPS', 'Instant SSL', 'Redirect Service', 'Custom', 'Custom SSL', 'FTP', 'FTP SSL'],
      default: 'HTTP',
    },
    vsite: { type: 'reference', to: 'vsite', createOnly: true, default: 'default' },
  },
  sections: {
    'adaptive-profiling': adaptiveProfiling,
    'advanced-client-analysis': advancedClientAnalysis,
    'advanced-configuration': advancedConfiguration,
    authentication: authentication,
    'basic-security': basicSecurity,
    caching: caching,
    'captcha-settings': captchaSettings,
    clickjacking: clickjacking,
    'comment-spam': commentSpam,
    compression: compression,
    'exception-profiling': exceptionProfiling,
    'form-spam': formSpam,
    'ftp-security': ftpSecurity,
    'instant-ssl': instantSsl,
    'ip-reputation': ipReputation,
    'load-balancing': loadBalancing,
    'referer-spam': refererSpam,
    'sensitive-parameter-names': sensitiveParameterNames,
    'session-tracking': sessionTracking,
    'slow-client-attack': slowClientAttack,
    'ssl-client-authentication': sslClientAuthentication,
    'ssl-ocsp': sslOcsp,
    'ssl-security': sslSecurity,
    'url-encryption': urlEncryption,
    'website-profile': websiteProfile,
  },
} as const satisfies Kind
