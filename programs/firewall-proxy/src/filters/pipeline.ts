import { accessLimits } from './access-limits/access-limits.ts'
import { traps } from './bots/traps.ts'
import { caching } from './caching/caching.ts'
import { captcha } from './captcha/captcha.ts'
import { clientCertificates } from './client-certificates.ts'
import { clients } from './clients.ts'
import { cloaking } from './cloaking.ts'
import { compression } from './compression/compression.ts'
import { cookieSecurity } from './cookie-security/cookie-security.ts'
import { dataTheft } from './data-theft/data-theft.ts'
import type { FilterDescriptor } from './filter.ts'
import { frames } from './frames.ts'
import { headerAcls } from './header-acls.ts'
import { headerNames } from './header-names/header-names.ts'
import { jsonProfiles } from './json-profiles/json-profiles.ts'
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

/** Every filter that sees requests, in the order in which they do; their stages follow each other. */
export const requestPipeline: readonly FilterDescriptor[] = [
  clients,
  clientCertificates,
  urlEncryption,
  headerNames,
  proxiesBefore,
  serviceAcls,
  captcha,
  urlNormalization,
  globalAcls,
  requestLimits,
  cookieSecurity,
  headerAcls,
  refererSpam,
  sessions,
  accessLimits,
  ruleExceptions,
  requestProtection,
  jsonProfiles,
  learning,
  dataTheft,
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
  cookieSecurity,
  urlEncryption,
  caching,
  // What these add is for one client, and not kept for others.
  traps,
  captcha,
  compression,
]
