import type { SnapshotService } from '@palisade/proxy-protocol'
import { compileCertificateRules } from '../features/allow-deny-clients/compile.ts'
import { compileAuthentication } from '../features/authentication/compile.ts'
import { compileBots } from '../features/bots/compile.ts'
import { cachingOfService } from '../features/caching/compile.ts'
import { compileCaptcha } from '../features/captcha/compile.ts'
import { rulesThatNeedCertificates } from '../features/client-certificates/compile.ts'
import { compressionOfService } from '../features/compression/compile.ts'
import { compileContentRules } from '../features/content-rules/compile.ts'
import { ruleGroup } from '../features/content-rules/rule-group.ts'
import { compileCookieSecurity } from '../features/cookie-security/compile.ts'
import { compileForms } from '../features/forms/compile.ts'
import { compileLearning } from '../features/learning/compile.ts'
import { balancingOfService } from '../features/load-balancing/compile.ts'
import { accessLogOfService, maskedParameters } from '../features/logging/compile.ts'
import { compileRewriting } from '../features/rewriting/compile.ts'
import { compileServers } from '../features/servers/compile.ts'
import { server } from '../features/servers/server.ts'
import { clientConnections, idleTimeout, proxyList } from '../features/services/clients.ts'
import { inspectionMode, policyOfContentRule, policyOfService } from '../features/services/inspection.ts'
import { placeOfService } from '../features/services/place.ts'
import { slowClientLimits } from '../features/slow-clients/compile.ts'
import { storedTrafficOfService } from '../features/stored-traffic/compile.ts'
import { compileUrlEncryption } from '../features/url-encryption/compile.ts'
import { passwordParameters } from '../features/url-policies/compile.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { childrenOf, optional } from '../objects/reading.ts'
import { compileChecks } from './compile-checks.ts'
import { compileRuleChecks, type SharedConfiguration } from './compile-rule-checks.ts'

/** A service as proxies are told, or why they are told nothing of it: a sentence. */
export type CompiledService = { readonly published: SnapshotService } | { readonly withheld: string }

/** The settings of one service for the snapshot, read from its object and what it names. */
export function compileService(service: ConfigurationObject, shared: SharedConfiguration): CompiledService {
  const { snapshot } = shared
  const place = placeOfService(service, snapshot)
  if ('withheld' in place) return place
  const { address, port, redirects, tls } = place
  const mode = inspectionMode(service)
  return {
    published: withForms(
      {
        name: service.name,
        address,
        port,
        does: redirects ? 'redirect' : 'forward',
        ...(tls === undefined ? {} : { tls }),
        inspection: { mode },
        ...optional('certificateRules', compileCertificateRules(service)),
        ...optional(
          'authentication',
          compileAuthentication(service, { ...shared, keys: shared.keys.logins }),
        ),
        ...(mode === 'off' ? {} : checks(service, shared)),
        ...idleTimeout.of(service),
        ...clientConnections.of(service),
        servers: compileServers(service, server, snapshot),
        balancing: balancingOfService(service, shared.keys.persistence),
        contentRules: compileContentRules(service, snapshot, {
          checksOf: (rule) => compileRuleChecks(rule, service, mode, shared),
          needCertificates: tls === undefined ? new Set() : rulesThatNeedCertificates(service),
          persistenceKey: shared.keys.persistence,
        }),
        ...optional('slowClients', slowClientLimits(service)),
        maskedParameters: [...maskedParameters.of(service).maskedParameters, ...passwordParameters(service)],
        ...accessLogOfService.of(service),
        ...optional('storedTraffic', storedTrafficOfService.of(service)),
        ...proxyList.of(service),
        ...optional('urlEncryption', compileUrlEncryption(service, shared.keys.urls)),
        ...optional('rewriting', compileRewriting(service)),
        ...optional('compression', compressionOfService.of(service)),
        ...optional('caching', cachingOfService.of(service)),
      },
      shared,
    ),
  }
}

function withForms(
  service: SnapshotService,
  { policies, keys, forms }: SharedConfiguration,
): SnapshotService {
  const named = Object.values(policies.namedBy([service]))
  return { ...service, ...optional('forms', compileForms(service, named, keys.urls, forms)) }
}

function checks(
  service: ConfigurationObject,
  { policies, keys, captcha, ...sources }: SharedConfiguration,
): Pick<SnapshotService, 'policy' | 'checks' | 'cookieSecurity'> {
  const { snapshot } = sources
  const [policy] = policyOfService.of(service, snapshot)
  const compiled = policy && policies.compiled(policy)
  const ofRules = childrenOf(service, ruleGroup.name).flatMap((rule) =>
    policyOfContentRule.of(rule, snapshot),
  )
  const judging = [...(policy ? [policy] : []), ...ofRules].map((one) => policies.compiled(one).policy)
  const own = compileChecks(service, { ...sources, protection: compiled?.policy.parameterProtection })
  const challenge = compileCaptcha(service, {
    snapshot,
    rules: own.urlAcls,
    policies: judging,
    keys: keys.cookies,
    system: captcha,
  })
  return {
    ...(compiled ? { policy: compiled.digest } : {}),
    ...optional('cookieSecurity', policy && compileCookieSecurity(policy, keys.cookies)),
    checks: {
      ...own,
      ...optional('learning', compileLearning(service, snapshot, keys.learning)),
      ...optional('bots', compileBots(service, snapshot, keys.cookies)),
      ...optional('captcha', challenge),
    },
  }
}
