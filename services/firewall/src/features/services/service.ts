import type { Kind } from '../../kinds/kind.ts'
import { applicationId, hostAndPort, hostName, objectName } from '../../kinds/patterns.ts'
import { serviceCaching } from '../caching/fields.ts'
import { clickjacking } from '../clickjacking/fields.ts'
import { sslClientAuthentication, sslOcsp } from '../client-certificates/fields.ts'
import { serviceCompression } from '../compression/fields.ts'
import { exceptionProfiling } from '../exception-profiling/fields.ts'
import { instantSsl } from '../instant-ssl/fields.ts'
import { ipReputation } from '../ip-reputation/fields.ts'
import { adaptiveProfiling } from '../learning/fields.ts'
import { serviceLoadBalancing } from '../load-balancing/fields.ts'
import { sensitiveParameterNames } from '../logging/fields.ts'
import { refererSpam } from '../referer-spam/fields.ts'
import { sessionTracking } from '../session-tracking/fields.ts'
import { slowClientAttack } from '../slow-clients/fields.ts'
import { storedTraffic } from '../stored-traffic/fields.ts'
import { ownCertificate, sslSecurity } from '../tls/fields.ts'
import { urlEncryption } from '../url-encryption/fields.ts'
import { websiteProfile } from '../website-profiles/fields.ts'
import { advancedConfiguration } from './service/advanced-configuration.ts'
import { authentication } from './service/authentication.ts'
import { basicSecurity } from './service/basic-security.ts'
import { advancedClientAnalysis, captchaSettings, commentSpam, formSpam } from './service/bots.ts'
import { ftpSecurity } from './service/ftp-security.ts'

/**
 * A protected web application: where clients reach it, and how its traffic is guarded. The servers that answer
 * its requests, its content rules and its access rules lie inside it.
 */
export const service = {
  name: 'service',
  title: 'Service',
  description: 'A protected web application: where clients reach it, and how its traffic is guarded.',
  path: 'services',
  identifiedBy: 'name',
  operational: true,
  emptyGroups: [
    'Domain Info',
    'Provisioning Info',
    'WaaS Account Details',
    'WaaS Provisioning Info',
    'XML Protected URL',
  ],
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    type: {
      type: 'choice',
      values: ['HTTP', 'HTTPS', 'Instant SSL', 'Redirect Service', 'Custom', 'Custom SSL', 'FTP', 'FTP SSL'],
      alsoCalled: { Redirect: 'Redirect Service' },
      default: 'HTTP',
    },
    status: { type: 'on-off', default: 'On' },
    'ip-address': {
      type: 'ip-address',
      version: 'address-version',
      description: 'Where clients reach the service.',
    },
    mask: { type: 'netmask', administrative: true },
    port: { type: 'integer', min: 1, max: 65_535, default: 80 },
    'address-version': {
      type: 'choice',
      values: ['IPv4', 'IPv6'],
      default: 'IPv4',
      createOnly: true,
      administrative: true,
    },
    vsite: { type: 'reference', to: 'vsite', default: 'default', createOnly: true, administrative: true },
    group: {
      type: 'reference',
      to: 'service-group',
      within: ['vsite'],
      default: 'default',
      createOnly: true,
      administrative: true,
    },
    certificate: { ...ownCertificate, description: 'The name of the certificate that clients are shown.' },
    'ecdsa-certificate': {
      ...ownCertificate,
      description: 'The same for clients that prefer elliptic curves.',
    },
    'secure-site-domain': {
      type: 'list',
      of: { type: 'string', lengthMax: 253, pattern: hostAndPort },
      description: 'The hosts whose links Instant SSL turns from http into https.',
    },
    'app-id': {
      type: 'string',
      lengthMax: 63,
      pattern: applicationId,
      administrative: true,
      description: 'Says in logs and reports which application this is.',
    },
    comments: { type: 'string' },
    'session-timeout': {
      type: 'integer',
      min: 0,
      max: 86_400,
      default: 60,
      unit: 'seconds',
      description: 'How long a connection to a client may be idle.',
    },
    'enable-access-logs': { type: 'yes-no', default: 'Yes' },
    'enable-loopback-adapter': {
      type: 'yes-no',
      description: 'Whether servers answer clients themselves, from the address of the service.',
    },
    'dps-enabled': {
      type: 'yes-no',
      writeOnly: true,
      description: 'Whether protection against floods of traffic is asked of the provider.',
    },
    'cloud-ip-select': {
      type: 'string',
      formerly: ['azure-ip-select'],
      lengthMax: 64,
      writeOnly: true,
      description: 'How the address of a service in a public cloud is found.',
    },
    'service-hostname': {
      type: 'string',
      lengthMax: 253,
      pattern: hostName,
      writeOnly: true,
      description: 'The host that clients of a service in a public cloud ask for.',
    },
  },
  sections: {
    'adaptive-profiling': adaptiveProfiling,
    'advanced-client-analysis': advancedClientAnalysis,
    'advanced-configuration': advancedConfiguration,
    authentication,
    'basic-security': basicSecurity,
    caching: serviceCaching,
    'captcha-settings': captchaSettings,
    clickjacking,
    'comment-spam': commentSpam,
    compression: serviceCompression,
    'exception-profiling': exceptionProfiling,
    'form-spam': formSpam,
    'ftp-security': ftpSecurity,
    'instant-ssl': instantSsl,
    'ip-reputation': ipReputation,
    'load-balancing': serviceLoadBalancing,
    'referer-spam': refererSpam,
    'sensitive-parameter-names': sensitiveParameterNames,
    'session-tracking': sessionTracking,
    'slow-client-attack': slowClientAttack,
    'ssl-client-authentication': sslClientAuthentication,
    'ssl-ocsp': sslOcsp,
    'ssl-security': sslSecurity,
    'stored-traffic': storedTraffic,
    'url-encryption': urlEncryption,
    'website-profile': websiteProfile,
  },
} as const satisfies Kind
