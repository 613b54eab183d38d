import { createHash } from 'node:crypto'
import {
  type ForbiddenAddresses,
  type ProxySnapshot,
  type SnapshotChallenges,
  type SnapshotServer,
  type SnapshotService,
  snapshotFormat,
} from '@palisade/proxy-protocol'
import { captchaSystemSettings } from '../features/captcha/compile.ts'
import { formSettings } from '../features/forms/compile.ts'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import { text } from '../kinds/conversions.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import { optional } from '../objects/reading.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { applicationsOf } from './applications.ts'
import { PolicyLibrary } from './compile-policy.ts'
import type { SharedConfiguration } from './compile-rule-checks.ts'
import { type CompiledService, compileService } from './compile-service.ts'
import type { ProxySecrets } from './proxy-secrets.ts'

/** The configuration as proxies obey it, without what is true for minutes only. */
export interface CompiledSnapshot extends Required<Pick<ProxySnapshot, 'version' | 'services' | 'policies'>> {
  /** Those of the services, in their order. */
  readonly digests: readonly string[]
  /** Why services are not in it, by name: sentences. */
  readonly withheld: ReadonlyMap<string, string>
}

/** The configuration, made ready for proxies. */
export interface PublishedSnapshot {
  /** Services that did not change are the same objects in later ones. */
  readonly snapshot: ProxySnapshot
  /** Why services are not in it, by name: sentences. */
  readonly withheld: ReadonlyMap<string, string>
}

/** The kinds of objects that are read here. */
export interface SnapshotKinds {
  readonly service: CompiledKind
  readonly blocklist: CompiledKind
  readonly system: CompiledKind
  readonly localUser: CompiledKind
}

/** What a service was compiled with beside its own object, and what came of it. */
interface Before {
  readonly snapshot: Snapshot
  readonly period: number
  readonly policies: PolicyLibrary
  readonly compiled: WeakMap<ConfigurationObject, CompiledService>
}

/** A service as it is published, and of what that was made. */
interface Published {
  readonly service: SnapshotService
  readonly digest: string
  readonly forbidden: ForbiddenAddresses
  readonly application: string | undefined
}

/** Compiles one configuration after the other. Of services, only those are compiled that have changed, unless something else has. */
export class SnapshotCompiler {
  readonly #kinds: SnapshotKinds
  readonly #secrets: ProxySecrets
  #before: Before | undefined
  readonly #published = new WeakMap<SnapshotService, Published>()
  /** Those of the newest configuration, by name: what says the same after all was compiled anew is the same. */
  #last: ReadonlyMap<string, Published> = new Map()

  constructor(kinds: SnapshotKinds, secrets: ProxySecrets) {
    this.#kinds = kinds
    this.#secrets = secrets
  }

  /**
   * Compiles what the configuration says about traffic. Of two services at one address, the first by name is published.
   *
   * @param now in milliseconds since 1970; says which keys are in use
   * @param forbidden where no server may lie; the same object as long as it says the same
   */
  compile(snapshot: Snapshot, now: number, forbidden: ForbiddenAddresses): CompiledSnapshot {
    const { policies, compiled } = this.#sharedWith(snapshot, this.#secrets.period(now))
    const shared = { ...this.#configurationOf(snapshot, now), policies }
    const published = new Map<string, SnapshotService>()
    const withheld = new Map<string, string>()
    for (const object of snapshot.collection(this.#kinds.service, []) ?? []) {
      const service = compiled.get(object) ?? compileService(object, shared)
      compiled.set(object, service)
      if ('withheld' in service) {
        withheld.set(object.name, service.withheld)
        continue
      }
      const { address, port } = service.published
      const place = `${address} ${port}`
      const other = published.get(place)
      if (other)
        withheld.set(object.name, `The service "${other.name}" is at ${address}, port ${port}, already.`)
      else published.set(place, service.published)
    }
    const carried = [...published.values()]
    const applications = applicationsOf(carried)
    const finished = carried.map((service) =>
      this.#finished(service, forbidden, applications.get(service.name)),
    )
    const services = finished.map(({ service }) => service)
    this.#last = new Map(finished.map((one) => [one.service.name, one]))
    const digests = finished.map(({ digest }) => digest)
    return { version: snapshot.version, services, digests, policies: policies.namedBy(services), withheld }
  }

  /** One service alone, with its policies; undefined where there is none of that name, or it would be withheld. */
  serviceOf(
    snapshot: Snapshot,
    name: string,
    now: number,
  ): { readonly service: SnapshotService; readonly policies: CompiledSnapshot['policies'] } | undefined {
    const object = snapshot.object(this.#kinds.service, [name])
    if (object === undefined) return undefined
    const policies = new PolicyLibrary(snapshot)
    const compiled = compileService(object, { ...this.#configurationOf(snapshot, now), policies })
    if ('withheld' in compiled) return undefined
    return { service: compiled.published, policies: policies.namedBy([compiled.published]) }
  }

  /** What was compiled before counts as long as nothing but services has changed, and the keys are the same. */
  #sharedWith(snapshot: Snapshot, period: number): Before {
    const { service } = this.#kinds
    const before = this.#before
    const isSame = before?.period === period && before.snapshot.differsOnlyIn(service, snapshot)
    this.#before = {
      snapshot,
      period,
      policies: new PolicyLibrary(snapshot, isSame ? before.policies : undefined),
      compiled: isSame ? before.compiled : new WeakMap(),
    }
    return this.#before
  }

  #configurationOf(snapshot: Snapshot, now: number): Omit<SharedConfiguration, 'policies'> {
    const [blocklist] = snapshot.collection(this.#kinds.blocklist, []) ?? []
    const [system] = snapshot.collection(this.#kinds.system, []) ?? []
    const advanced = system ? valuesOf(system.content, 'advanced-settings') : {}
    const ownKey = system ? text(valuesOf(system.content, 'encryption-key')['cookie-encryption-key']) : ''
    return {
      snapshot,
      blocklist,
      localUsers: [...(snapshot.collection(this.#kinds.localUser, []) ?? [])],
      believesClientHeaders: advanced['client-ip-address-from-header'] !== 'No',
      forms: formSettings(system),
      captcha: captchaSystemSettings(advanced),
      keys: {
        urls: this.#secrets.urlKeys(now),
        logins: this.#secrets.loginKeys(now),
        cookies: this.#secrets.cookieKeys(ownKey),
        learning: this.#secrets.learningKey(),
        persistence: this.#secrets.persistenceKey(),
      },
    }
  }

  #finished(
    compiled: SnapshotService,
    forbidden: ForbiddenAddresses,
    application: string | undefined,
  ): Published {
    const before = this.#published.get(compiled)
    if (before?.forbidden === forbidden && before.application === application) return before
    const service = { ...withForbidden(compiled, forbidden), ...optional('application', application) }
    const digest = digestOf(service)
    const last = this.#last.get(service.name)
    const published = {
      forbidden,
      application,
      digest,
      service: last?.digest === digest ? last.service : service,
    }
    this.#published.set(compiled, published)
    return published
  }
}

/** @param challenges undefined while no authority is asked for anything */
export function publishedSnapshot(
  { version, services, digests, policies, withheld }: CompiledSnapshot,
  challenges: SnapshotChallenges | undefined,
): PublishedSnapshot {
  const content = { services, policies, ...optional('challenges', challenges) }
  // Policies are named by their digests.
  const digest = digestOf({ ...content, services: digests, policies: Object.keys(policies) })
  return { snapshot: { format: snapshotFormat, version, digest, ...content }, withheld }
}

function digestOf(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url')
}

function withForbidden(service: SnapshotService, forbidden: ForbiddenAddresses): SnapshotService {
  const guarded = (servers: readonly SnapshotServer[]) => servers.map((server) => ({ ...server, forbidden }))
  const { checks, tls } = service
  const revocationLists = tls?.clients?.revocationLists?.map((list) => ({ ...list, forbidden }))
  const statusResponder = tls?.clients?.statusResponder && { ...tls.clients.statusResponder, forbidden }
  const downloadedBlocklist = checks?.downloadedBlocklist
  const tokenProfiles = checks?.tokenProfiles?.map(({ fetchedKeys, introspection, ...profile }) => ({
    ...profile,
    ...(fetchedKeys && { fetchedKeys: { ...fetchedKeys, forbidden } }),
    ...(introspection && { introspection: { ...introspection, forbidden } }),
  }))
  return {
    ...service,
    ...(tls?.clients && {
      tls: {
        ...tls,
        clients: {
          ...tls.clients,
          ...optional('revocationLists', revocationLists),
          ...optional('statusResponder', statusResponder),
        },
      },
    }),
    ...(service.authentication === undefined
      ? {}
      : { authentication: { ...service.authentication, forbidden } }),
    ...(checks && {
      checks: {
        ...checks,
        ...(tokenProfiles && { tokenProfiles }),
        ...(downloadedBlocklist && { downloadedBlocklist: { ...downloadedBlocklist, forbidden } }),
      },
    }),
    servers: guarded(service.servers),
    contentRules: service.contentRules.map((rule) => ({ ...rule, servers: guarded(rule.servers) })),
  }
}
