import type { ReadFields } from '../kinds/field-reader.ts'
import * as allowDenyClients from './allow-deny-clients/compile.ts'
import * as authentication from './authentication/compile.ts'
import * as ldapDirectory from './authentication/ldap-directory.ts'
import * as openIdProvider from './authentication/openid-provider.ts'
import * as signInPages from './authentication/pages.ts'
import * as authorizationPolicies from './authentication/policies.ts'
import * as radiusServers from './authentication/radius-servers.ts'
import * as bots from './bots/compile.ts'
import * as caching from './caching/compile.ts'
import * as captcha from './captcha/compile.ts'
import * as clickjacking from './clickjacking/compile.ts'
import * as clientCertificates from './client-certificates/compile.ts'
import * as cloaking from './cloaking/compile.ts'
import * as compression from './compression/compile.ts'
import * as contentRules from './content-rules/compile.ts'
import * as contentSecurity from './content-security/compile.ts'
import * as cookieSecurity from './cookie-security/compile.ts'
import * as dataTheftProtection from './data-theft-protection/compile.ts'
import * as denials from './denials/compile.ts'
import * as exceptionProfiling from './exception-profiling/compile.ts'
import * as formSpam from './form-spam/compile.ts'
import * as headerAcls from './header-acls/compile.ts'
import * as instantSsl from './instant-ssl/compile.ts'
import * as ipReputation from './ip-reputation/compile.ts'
import * as ipReputationPlaces from './ip-reputation/places.ts'
import * as jsonProfiles from './json-profiles/compile.ts'
import * as jsonWebTokens from './json-web-tokens/compile.ts'
import * as learning from './learning/compile.ts'
import * as loadBalancing from './load-balancing/compile.ts'
import * as logging from './logging/compile.ts'
import * as parameterClasses from './parameter-classes/compile.ts'
import * as parameterProtection from './parameter-protection/compile.ts'
import * as patterns from './patterns/compile.ts'
import * as rateControl from './rate-control/compile.ts'
import * as refererSpam from './referer-spam/compile.ts'
import * as requestLimits from './request-limits/compile.ts'
import * as responsePages from './response-pages/compile.ts'
import * as rewriting from './rewriting/compile.ts'
import * as ruleExceptions from './rule-exceptions/compile.ts'
import * as secondOpinions from './second-opinions/compile.ts'
import * as secondStage from './second-stage/compile.ts'
import * as serverHealth from './server-health/compile.ts'
import * as serverTls from './server-tls/compile.ts'
import * as servers from './servers/compile.ts'
import * as serviceClients from './services/clients.ts'
import * as serviceInspection from './services/inspection.ts'
import * as servicePlace from './services/place.ts'
import * as sessionTracking from './session-tracking/compile.ts'
import * as slowClients from './slow-clients/compile.ts'
import * as storedTraffic from './stored-traffic/compile.ts'
import * as tarpit from './tarpit/compile.ts'
import * as tlsCiphers from './tls/ciphers.ts'
import * as tls from './tls/compile.ts'
import * as trustedHosts from './trusted-hosts/compile.ts'
import * as urlAcls from './url-acls/compile.ts'
import * as urlEncryption from './url-encryption/compile.ts'
import * as urlNormalization from './url-normalization/compile.ts'
import * as urlPolicies from './url-policies/compile.ts'
import * as urlProtection from './url-protection/compile.ts'
import * as websiteProfiles from './website-profiles/compile.ts'
import * as webSockets from './websockets/compile.ts'

/** What reads the configuration for proxies, or for what else acts on traffic: one line for each file in which there are readers. */
const compilers: readonly object[] = [
  allowDenyClients,
  authentication,
  authorizationPolicies,
  bots,
  caching,
  captcha,
  clickjacking,
  clientCertificates,
  cloaking,
  compression,
  contentRules,
  contentSecurity,
  cookieSecurity,
  dataTheftProtection,
  denials,
  exceptionProfiling,
  formSpam,
  headerAcls,
  instantSsl,
  ipReputation,
  ipReputationPlaces,
  jsonProfiles,
  jsonWebTokens,
  learning,
  loadBalancing,
  logging,
  ldapDirectory,
  radiusServers,
  openIdProvider,
  parameterClasses,
  parameterProtection,
  patterns,
  rateControl,
  refererSpam,
  requestLimits,
  responsePages,
  rewriting,
  ruleExceptions,
  secondOpinions,
  secondStage,
  serverHealth,
  serverTls,
  servers,
  serviceClients,
  serviceInspection,
  servicePlace,
  sessionTracking,
  signInPages,
  slowClients,
  storedTraffic,
  tarpit,
  tlsCiphers,
  tls,
  trustedHosts,
  urlAcls,
  urlEncryption,
  urlNormalization,
  urlPolicies,
  urlProtection,
  websiteProfiles,
  webSockets,
]

/** Every reader that they export, also in lists. */
export const fieldReaders: readonly ReadFields[] = compilers.flatMap((exported) =>
  Object.values(exported).flat().filter(isReader),
)

/** Compilers export functions and values beside their readers. */
function isReader(exported: unknown): exported is ReadFields {
  return typeof exported === 'object' && exported !== null && 'kinds' in exported && 'fields' in exported
}
