import { webScrapingPolicy } from '../../features/bots/web-scraping-policy.ts'
import { whitelistedBot } from '../../features/bots/whitelisted-bot.ts'
import { clientSideProtectionRule } from '../../features/content-security/client-side-protection-rule.ts'
import { cspPolicy } from '../../features/content-security/csp-policy.ts'
import { responsePage } from '../../features/response-pages/fields.ts'
import { httpRequestRewrite } from '../../features/rewriting/http-request-rewrite.ts'
import { httpResponseRewrite } from '../../features/rewriting/http-response-rewrite.ts'
import { responseBodyRewrite } from '../../features/rewriting/response-body-rewrite.ts'
import { urlTranslation } from '../../features/rewriting/url-translation.ts'
import { urlEncryptionRule } from '../../features/url-encryption/fields.ts'
import { urlPolicy } from '../../features/url-policies/fields.ts'
import { websocketPolicy } from '../../features/websockets/fields.ts'
import type { Kind } from '../../kinds/kind.ts'
import { credentialServer } from './credential-server.ts'
import { secureBrowsingPolicy } from './secure-browsing-policy.ts'
import { subResourceIntegrity } from './sub-resource-integrity.ts'

/** What is changed in requests and responses, and what single URLs and clients are allowed. */
export const trafficKinds: readonly Kind[] = [
  httpRequestRewrite,
  httpResponseRewrite,
  responseBodyRewrite,
  urlTranslation,
  urlPolicy,
  urlEncryptionRule,
  websocketPolicy,
  secureBrowsingPolicy,
  clientSideProtectionRule,
  cspPolicy,
  subResourceIntegrity,
  credentialServer,
  webScrapingPolicy,
  whitelistedBot,
  responsePage,
]
