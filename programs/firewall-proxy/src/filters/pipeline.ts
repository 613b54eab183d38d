import { accessLimits } from './access-limits/access-limits.ts'
import { authentication } from './authentication/authentication.ts'
import { loginCookies } from './authentication/login-cookies.ts'
import { traps } from './bots/traps.ts'
import { caching } from './caching/caching.ts'
import { captcha } from './captcha/captcha.ts'
import { certificatesOfRules } from './certificates-of-rules.ts'
import { clientCertificates } from './client-certificates.ts'
import { clients } from './clients.ts'
import { cloaking } from './cloaking.ts'
import { compression } from './compression/compression.ts'
import { contentSecurity } from './content-security.ts'
import { cookieSecurity } from './cookie-security/cookie-security.ts'
import { credentials } from './credentials/credentials.ts'
import { dataTheft } from './data-theft/data-theft.ts'
import type { FilterDescriptor } from './filter.ts'
import { commentSpam } from './forms/comment-spam.ts'
import { formSeals } from './forms/form-seals.ts'
import { formSpam } from './forms/form-spam.ts'
import { frames } from './frames.ts'
import { headerAcls } from './header-acls.ts'
import { headerNames } from './header-names/header-names.ts'
import { ipReputation } from './ip-reputation.ts'
import { jsonProfiles } from './json-profiles/json-profiles.ts'
import { jsonWebTokens } from './json-web-tokens/json-web-tokens.ts'
import { learning } from './learning/learning.ts'
import { proxiesBefore } from './proxies-before/proxies-before.ts'
import { refererSpam } from './referer-spam.ts'
import { requestLimits } from './request-limits.ts'
import { requestProtection } from './request-protection/request-protection.ts'
import { rewriting } from './rewriting/rewriting.ts'
import { ruleExceptions } from './rule-exceptions.ts'
import { sessions } from './sessions.ts'
import { globalAcls, serviceAcls } from './url-acls.ts'
import { urlEncryption } from './url-encryption/url-encryption.ts'
import { urlNormalization } from './url-normalization/url-normalization.ts'
import { webSockets } from './websockets/websockets.ts'

/** Every filter that sees requests, in the order in which they do; their stages follow each other. */
export const requestPipeline: readonly FilterDescriptor[] = [
  clients,
  ipReputation,
  clientCertificates,
  loginCookies,
  urlEncryption,
  formSeals,
  headerNames,
  proxiesBefore,
  serviceAcls,
  captcha,
  urlNormalization,
  certificatesOfRules,
  globalAcls,
  requestLimits,
  cookieSecurity,
  headerAcls,
  refererSpam,
  formSpam,
  commentSpam,
  sessions,
  accessLimits,
  credentials,
  authentication,
  jsonWebTokens,
  webSockets,
  ruleExceptions,
  requestProtection,
  jsonProfiles,
  learning,
  dataTheft,
  contentSecurity,
  rewriting,
  caching,
]

/** Every filter that sees answers, in the order in which they do. */
export const responsePipeline: readonly FilterDescriptor[] = [
  // It asks how the server answered, before anything is hidden.
  learning,
  cloaking,
  dataTheft,
  accessLimits,
  sessions,
  rewriting,
  frames,
  contentSecurity,
  cookieSecurity,
  formSeals,
  urlEncryption,
  caching,
  // What these add is for one client, and not kept for others.
  traps,
  captcha,
  compression,
  // Nobody else gets the login that it gives to one client.
  authentication,
]
