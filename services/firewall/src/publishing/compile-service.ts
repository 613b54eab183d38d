import type { SnapshotKey, SnapshotService } from '@palisade/proxy-protocol'
import { cachingOfService } from '../features/caching/compile.ts'
import { compressionOfService } from '../features/compression/compile.ts'
import { slowClientLimits } from '../features/slow-clients/compile.ts'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import { compileBalancing, compileContentRules, compileServers } from './compile-balancing.ts'
import { compileCertificateRules } from './compile-certificate-rules.ts'
import { type CheckSources, compileChecks } from './compile-checks.ts'
import { compileCookieSecurity } from './compile-cookies.ts'
import { compileLearning } from './compile-learning.ts'
import type { PolicyLibrary } from './compile-policy.ts'
import { compileRewriting, compileUrlEncryption } from './compile-rewriting.ts'
import { compileRuleChecks } from './compile-rule-checks.ts'
import { placeOfService } from './place-of-service.ts'
import { optional, rangesIn, referredBy, texts } from './reading.ts'

/** A service as proxies are told, or why they are told nothing of it: a sentence. */
export type CompiledService = { readonly published: SnapshotService } | { readonly withheld: string }

/** What services have in common. */
export interface SharedConfiguration extends Omit<CheckSources, 'protection'> {
  readonly policies: PolicyLibrary
  /** With which links and cookies are sealed. */
  readonly keys: {
    readonly urls: readonly SnapshotKey[]
    readonly cookies: readonly SnapshotKey[]
    /** The key of the digests by which learnt values are told apart. */
    readonly learning: string
    /** The key by which cookies name servers. */
    readonly persistence: string
  }
}

export function compileService(service: ConfigurationObject, shared: SharedConfiguration): CompiledService {
  const { snapshot } = shared
  const { content, name } = service
  const { values } = content
  const place = placeOfService(service, snapshot)
  if ('withheld' in place) return place
  const { address, port, tls } = place
  const advanced = valuesOf(content, 'advanced-configuration')
  const mode = inspectionMode(service)
  return {
    published: {
      name,
      address,
      port,
      does: values.type === 'Redirect Service' ? 'redirect' : 'forward',
      ...(tls === undefined ? {} : { tls }),
      inspection: { mode },
      ...optional('certificateRules', compileCertificateRules(service)),
      ...(mode === 'off' ? {} : checks(service, shared)),
      idleTimeoutSeconds: Number(values['session-timeout'] ?? 0),
      requestsPerConnectionMax: Number(advanced['keepalive-requests'] ?? 0),
      servers: compileServers(service, 'server', snapshot),
      balancing: compileBalancing(valuesOf(content, 'load-balancing'), shared.keys.persistence),
      contentRules: compileContentRules(service, snapshot, {
        checksOf: (rule) => compileRuleChecks(rule, service, mode, shared),
        persistenceKey: shared.keys.persistence,
      }),
      ...optional('slowClients', slowClientLimits(service)),
      maskedParameters: texts(valuesOf(content, 'sensitive-parameter-names')['sensitive-parameter-names']),
      logsAccess: values['enable-access-logs'] === 'Yes',
      allowsWebSockets: advanced['enable-websocket'] === 'Yes',
      ...optional('trustedProxies', trustedProxies(advanced)),
      ...optional('urlEncryption', compileUrlEncryption(service, shared.keys.urls)),
      ...optional('rewriting', compileRewriting(service)),
      ...optional('compression', compressionOfService.of(service)),
      ...optional('caching', cachingOfService.of(service)),
    },
  }
}

/** Whether the requests of a service are inspected, and refused for what is found. */
export function inspectionMode({ content }: ConfigurationObject): SnapshotService['inspection']['mode'] {
  if (valuesOf(content, 'advanced-configuration')['enable-web-application-firewall'] === 'No') return 'off'
  return valuesOf(content, 'basic-security').mode === 'Active' ? 'active' : 'passive'
}

/** Undefined where the list does not count. */
function trustedProxies(advanced: Values): string[] | undefined {
  return advanced['proxy-list-status'] === 'Yes' ? rangesIn(advanced['proxy-list']) : undefined
}

function checks(
  service: ConfigurationObject,
  { policies, keys, ...sources }: SharedConfiguration,
): Pick<SnapshotService, 'policy' | 'checks' | 'cookieSecurity'> {
  const [policy] = referredBy(service, 'basic-security', 'web-firewall-policy', sources.snapshot)
  const compiled = policy && policies.compiled(policy)
  return {
    ...(compiled ? { policy: compiled.digest } : {}),
    ...optional(
      'cookieSecurity',
      policy && compileCookieSecurity(valuesOf(policy.content, 'cookie-security'), keys.cookies),
    ),
    checks: {
      ...compileChecks(service, { ...sources, protection: compiled?.policy.parameterProtection }),
      ...optional('learning', compileLearning(service, sources.snapshot, keys.learning)),
    },
  }
}
