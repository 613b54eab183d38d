import { createHash } from 'node:crypto'
import {
  type ForbiddenAddresses,
  type ProxySnapshot,
  type SnapshotServer,
  type SnapshotService,
  snapshotFormat,
} from '@palisade/proxy-protocol'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import { text } from '../kinds/conversions.ts'
import { valuesOf } from '../objects/content.ts'
import { optional } from '../objects/reading.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { applicationsOf } from './applications.ts'
import { PolicyLibrary } from './compile-policy.ts'
import { compileService } from './compile-service.ts'
import type { ProxySecrets } from './proxy-secrets.ts'

/** The configuration, made ready for proxies. */
export interface PublishedSnapshot {
  readonly digest: string
  readonly version: number
  /** A `ProxySnapshot` as JSON. Secret: it has private keys. */
  readonly text: string
  /** Why services are not in it, by name: sentences. */
  readonly withheld: ReadonlyMap<string, string>
}

/**
 * Compiles what the configuration says about traffic. Of two services at one address, the first by name is published.
 *
 * @param now in milliseconds since 1970; says which keys are in use
 * @param forbidden where no server may lie
 */
export function compileSnapshot(
  snapshot: Snapshot,
  kinds: { readonly service: CompiledKind; readonly blocklist: CompiledKind; readonly system: CompiledKind },
  secrets: ProxySecrets,
  now: number,
  forbidden: ForbiddenAddresses,
): PublishedSnapshot {
  const policies = new PolicyLibrary(snapshot)
  const [blocklist] = snapshot.collection(kinds.blocklist, []) ?? []
  const [system] = snapshot.collection(kinds.system, []) ?? []
  const ownKey = system ? text(valuesOf(system.content, 'encryption-key')['cookie-encryption-key']) : ''
  const believesClientHeaders =
    !system || valuesOf(system.content, 'advanced-settings')['client-ip-address-from-header'] !== 'No'
  const keys = {
    urls: secrets.urlKeys(now),
    cookies: secrets.cookieKeys(ownKey),
    learning: secrets.learningKey(),
    persistence: secrets.persistenceKey(),
  }
  const published = new Map<string, SnapshotService>()
  const withheld = new Map<string, string>()
  for (const service of snapshot.collection(kinds.service, []) ?? []) {
    const compiled = compileService(service, { snapshot, policies, blocklist, believesClientHeaders, keys })
    if ('withheld' in compiled) {
      withheld.set(service.name, compiled.withheld)
      continue
    }
    const { address, port } = compiled.published
    const place = JSON.stringify([address, port])
    const other = published.get(place)
    if (other)
      withheld.set(service.name, `The service "${other.name}" is at ${address}, port ${port}, already.`)
    else published.set(place, compiled.published)
  }
  const carried = [...published.values()]
  const applications = applicationsOf(carried)
  const services = carried.map((service) => ({
    ...withForbidden(service, forbidden),
    ...optional('application', applications.get(service.name)),
  }))
  const digest = createHash('sha256')
    .update(JSON.stringify([services, policies.policies]))
    .digest('base64url')
  const document = JSON.stringify({
    format: snapshotFormat,
    version: snapshot.version,
    digest,
    services,
    policies: policies.policies,
  } satisfies ProxySnapshot)
  return { digest, version: snapshot.version, text: document, withheld }
}

function withForbidden(service: SnapshotService, forbidden: ForbiddenAddresses): SnapshotService {
  const guarded = (servers: readonly SnapshotServer[]) => servers.map((server) => ({ ...server, forbidden }))
  return {
    ...service,
    servers: guarded(service.servers),
    contentRules: service.contentRules.map((rule) => ({ ...rule, servers: guarded(rule.servers) })),
  }
}
