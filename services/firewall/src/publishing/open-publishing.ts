import type { Attention, Clock, Log, ServiceWarning, Store } from '@palisade/platform'
import { type ForbiddenAddresses, reportIntervalMs } from '@palisade/proxy-protocol'
import type { FastifyInstance } from 'fastify'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { Plan } from '../changes/plan.ts'
import { policyOfService } from '../features/services/inspection.ts'
import { placeMembers, placeOfService, switchedOff } from '../features/services/place.ts'
import { sslSecurity } from '../features/tls/fields.ts'
import type { LearntUrls } from '../learning/learnt-urls.ts'
import type { LogStore } from '../logs/log-store.ts'
import type { TrafficCounters } from '../logs/stats/counters.ts'
import type { SystemLog } from '../logs/system-log.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import type { Observed } from '../rest/operational.ts'
import type { StoredRequests } from '../stored-traffic/stored-requests.ts'
import type { TrialOrder, Trials } from '../stored-traffic/trials.ts'
import { expiringCertificates, expiryWarnings, soonestExpiry } from './certificate-expiry.ts'
import { keepCredential, proxyCredential } from './credential.ts'
import { healthOfInterface, healthOfServer, healthOfService, serversDown } from './health.ts'
import { ineffectiveLogins, loginWarnings, whyLoginsAreRefused } from './ineffective-logins.ts'
import { ineffectiveSettings } from './ineffective-settings.ts'
import { patternsNotRun } from './patterns-not-run.ts'
import { ProxyReports } from './proxy-reports.ts'
import { proxyRoutes } from './proxy-routes.ts'
import { ProxySecrets } from './proxy-secrets.ts'
import { type ChallengeSource, Publisher } from './publisher.ts'
import { ruleWarnings, warningOfChange } from './rule-warnings.ts'
import { settingsWithoutEffect } from './settings-without-effect.ts'
import { SharedMemory } from './shared-memory.ts'
import { TrafficEvents } from './traffic-events.ts'
import { UnservedServices } from './unserved-services.ts'

/** How often it is looked whether whoever waits for proxies has given up, in milliseconds. */
const obeyLookMs = 500

/** What the firewall tells its proxies, and they it. */
export interface Publishing extends Observed {
  readonly routes: (scope: FastifyInstance) => Promise<void>
  /** What whoever changed the object should know of what has no effect in it, or of its service; undefined for nothing. May wait for proxies for half a second. */
  readonly warningOf: (changed: ConfigurationObject, plan: Plan) => Promise<string | undefined>
  /** What keeps proxies from judging by rules and clients from reaching services, and certificates that have expired or are about to. */
  warnings(): ServiceWarning[]
  /** When the first certificate ends of services that are on, and of their servers. */
  certificateExpiry(): Date | undefined
  /** Servers of applications that are down, as proxies tell. */
  attention(): Attention[]
  /** The rules of each proxy that reports, by its name. */
  rules(): { readonly proxy: string; readonly release: string; readonly ruleCount: number }[]
  /** How clients come in at the listeners of services. */
  listeners(): { readonly plain: boolean; readonly tls: boolean }
  /** Waits until the proxies that report here obey what is published now, where there are services; ends with the signal all the same. */
  untilObeyed(signal: AbortSignal): Promise<void>
  /** What a trial compares of a service: how proxies judge by now, and how they would with that configuration. Undefined where they do not carry it. */
  trialOf(service: string, candidate: Snapshot): TrialOrder | undefined
  /** The names of the rule sets that proxies offer for trials of stored requests. */
  ruleSets(): string[]
  close(): void
}

/** Publishes the configuration to whoever carries the traffic. Writes the proxies' credential into the data directory. */
export function openPublishing(deps: {
  readonly configuration: LiveConfiguration
  readonly logs: LogStore
  readonly system: SystemLog
  readonly log: Log
  readonly counters: TrafficCounters
  readonly learnt: LearntUrls
  readonly storedRequests: StoredRequests
  readonly trials: Trials
  readonly store: Store
  readonly clock: Clock
  readonly key: Buffer
  readonly dataDirectory: string
  readonly forbidden: () => ForbiddenAddresses
  readonly challenges: ChallengeSource
}): Publishing {
  const credential = proxyCredential(deps.key)
  keepCredential(deps.dataDirectory, credential)
  const publisher = new Publisher({ ...deps, secrets: new ProxySecrets(deps.key) })
  const events = new TrafficEvents(deps)
  const reports = new ProxyReports(deps.clock, events)
  const unserved = new UnservedServices({ ...deps, reports, newest: () => publisher.newest() })
  const sharedMemory = new SharedMemory(deps)
  // Silence is noticed also while nobody asks how anything fares.
  const listening = setInterval(() => reports.all(), reportIntervalMs).unref()
  const serviceNamed = (name: string) => {
    const { snapshot } = deps.configuration
    return snapshot.object(deps.configuration.kind('service'), [name])
  }
  return {
    routes: proxyRoutes({
      ...deps,
      publisher,
      sharedMemory,
      onReport: (told) => {
        const id = 'base' in told ? reports.takeDifference(told) : reports.take(told)
        if (id !== undefined) void unserved.look()
        return id
      },
      credential,
      hasService: (name) => serviceNamed(name) !== undefined,
      applicationIdOf: (name) => String(serviceNamed(name)?.content.values['app-id'] ?? ''),
    }),
    healthOf: (object: ConfigurationObject) => {
      if (object.kind.name === 'service') {
        const { snapshot } = deps.configuration
        const [policy] = policyOfService.of(object, snapshot)
        const [blocklist] = deps.configuration.objects('custom-ip-blocklist')
        const ineffective = [
          ...ineffectiveSettings(object, snapshot, blocklist),
          ...ineffectiveLogins(object, snapshot, [...deps.configuration.objects('local-user')]),
          ...patternsNotRun(object, policy, snapshot),
          ...expiringCertificates(object, snapshot, deps.clock.now()),
        ]
        return healthOfService(object, policy, publisher.newest(), reports.all(), ineffective)
      }
      if (object.kind.name === 'network-interface') return healthOfInterface
      const isServer = object.kind.name === 'server' || object.kind.name === 'rule-group-server'
      return isServer ? healthOfServer(object, reports.all()) : undefined
    },
    valuesOf: (object) => {
      if (object.kind.name !== 'system') return undefined
      const releases = reports.all().flatMap(({ rules }) => rules?.release || [])
      return { 'attack-definition': [...new Set(releases)].join(', ') }
    },
    warningOf: async (changed, plan) => {
      const withoutEffect = settingsWithoutEffect(changed)
      if (withoutEffect !== undefined) return withoutEffect
      const { snapshot } = deps.configuration
      const unreachable = await whyUnreachable(changed, plan, unserved, snapshot, reports.all().length > 0)
      const parts = [
        unreachable && `Clients cannot reach the service ${changed.name}. ${unreachable}`,
        warningOfChange(changed, snapshot, reports.all()),
        refusedLoginsOf(changed, snapshot),
      ]
      return parts.filter(Boolean).join(' ') || undefined
    },
    warnings: () => [
      ...ruleWarnings(reports.all()),
      ...unserved.warnings(),
      ...loginWarnings(deps.configuration.objects('service'), deps.configuration.snapshot),
      ...expiryWarnings(deps.configuration.objects('service'), deps.configuration.snapshot, deps.clock.now()),
    ],
    certificateExpiry: () =>
      soonestExpiry(deps.configuration.objects('service'), deps.configuration.snapshot),
    attention: () => serversDown(reports.all()),
    rules: () =>
      reports.all().map(({ proxy, rules }) => ({
        proxy,
        release: rules?.release ?? '',
        ruleCount: rules?.ruleCount ?? 0,
      })),
    listeners: () => {
      const { services } = publisher.compiled()
      return {
        plain: services.some(({ tls }) => tls === undefined),
        tls: services.some(({ tls }) => tls !== undefined),
      }
    },
    untilObeyed: async (signal) => {
      const { digest } = publisher.newest().snapshot
      if (publisher.compiled().services.length === 0) return
      const areObeying = () => {
        const proxies = reports.all()
        return proxies.length > 0 && proxies.every((proxy) => publisher.isAsNew(proxy.digest, digest))
      }
      while (!signal.aborted && !areObeying()) await reports.next(obeyLookMs)
    },
    trialOf: (service, candidate) => publisher.trialOf(service, candidate),
    ruleSets: () => [...new Set(reports.all().flatMap(({ ruleSets = [] }) => ruleSets))],
    close: () => {
      clearInterval(listening)
      sharedMemory.close()
      publisher.close()
    },
  }
}

/** Why clients cannot reach a service after a change to where it is met; undefined where they can, or the change was another one. */
async function whyUnreachable(
  service: ConfigurationObject,
  { action, changes }: Plan,
  unserved: UnservedServices,
  snapshot: Snapshot,
  hasProxies: boolean,
): Promise<string | undefined> {
  if (service.kind.name !== 'service') return undefined
  const isPlaced =
    action === 'create' ||
    changes.some(({ section, member }) => {
      // Without what clients are shown there, a service that needs TLS is met nowhere.
      return section === undefined ? placeMembers.has(member) : section === sslSecurity.title
    })
  if (!isPlaced) return undefined
  const place = placeOfService(service, snapshot)
  if ('withheld' in place) return place.withheld === switchedOff ? undefined : place.withheld
  return hasProxies ? unserved.reasonSoon(service.name) : undefined
}

/** What whoever changed an object is told of its service, where nobody can log in to that. */
function refusedLoginsOf({ kind, path }: ConfigurationObject, snapshot: Snapshot): string | undefined {
  const [root] = kind.lineage
  const service = root?.name === 'service' ? snapshot.object(root, path.slice(0, 1)) : undefined
  return service && whyLoginsAreRefused(service, snapshot)
}
