import type { Kind } from '../../kinds/kind.ts'
import { clientSideProtectionRule } from './client-side-protection-rule.ts'
import { credentialServer } from './credential-server.ts'
import { cspPolicy } from './csp-policy.ts'
import { httpRequestRewrite } from './http-request-rewrite.ts'
import { httpResponseRewrite } from './http-response-rewrite.ts'
import { responseBodyRewrite } from './response-body-rewrite.ts'
import { responsePage } from './response-page.ts'
import { secureBrowsingPolicy } from './secure-browsing-policy.ts'
import { subResourceIntegrity } from './sub-resource-integrity.ts'
import { urlEncryptionRule } from './url-encryption-rule.ts'
import { urlPolicy } from './url-policy.ts'
import { urlTranslation } from './url-translation.ts'
import { webScrapingPolicy } from './web-scraping-policy.ts'
import { websocketPolicy } from './websocket-policy.ts'
import { whitelistedBot } from './whitelisted-bot.ts'

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
