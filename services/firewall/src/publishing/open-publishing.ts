import type { Clock, Log, ServiceWarning } from '@palisade/platform'
import { type ForbiddenAddresses, reportIntervalMs } from '@palisade/proxy-protocol'
import type { FastifyInstance } from 'fastify'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { LearntUrls } from '../learning/learnt-urls.ts'
import type { LogStore } from '../logs/log-store.ts'
import type { TrafficCounters } from '../logs/stats/counters.ts'
import type { SystemLog } from '../logs/system-log.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Observed } from '../rest/operational.ts'
import { expiringCertificates, expiryWarnings } from './certificate-expiry.ts'
import { keepCredential, proxyCredential } from './credential.ts'
import { fareOfInterface, fareOfServer, fareOfService } from './fare.ts'
import { ineffectiveSettings } from './ineffective-settings.ts'
import { patternsNotRun } from './patterns-not-run.ts'
import { ProxyReports } from './proxy-reports.ts'
import { proxyRoutes } from './proxy-routes.ts'
import { ProxySecrets } from './proxy-secrets.ts'
import { Publisher } from './publisher.ts'
import { referredBy } from './reading.ts'
import { ruleWarnings, warningOfChange } from './rule-warnings.ts'
import { TrafficEvents } from './traffic-events.ts'

/** What the firewall tells its proxies, and they it. */
export interface Publishing extends Observed {
  readonly routes: (scope: FastifyInstance) => Promise<void>
  /** What whoever changed the object should know of its service; undefined for nothing. */
  readonly warningOf: (changed: ConfigurationObject) => string | undefined
  /** What keeps proxies from judging by rules, and certificates that have expired or are about to. */
  warnings(): ServiceWarning[]
  /** The rules of each proxy that reports, by its name. */
  rules(): { readonly proxy: string; readonly release: string; readonly ruleCount: number }[]
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
  readonly clock: Clock
  readonly key: Buffer
  readonly dataDirectory: string
  readonly forbidden: () => ForbiddenAddresses
}): Publishing {
  const credential = proxyCredential(deps.key)
  keepCredential(deps.dataDirectory, credential)
  const publisher = new Publisher({ ...deps, secrets: new ProxySecrets(deps.key) })
  const events = new TrafficEvents(deps)
  const reports = new ProxyReports(deps.clock, events)
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
      reports,
      credential,
      hasService: (name) => serviceNamed(name) !== undefined,
      applicationIdOf: (name) => String(serviceNamed(name)?.content.values['app-id'] ?? ''),
    }),
    fareOf: (object: ConfigurationObject) => {
      if (object.kind.name === 'service') {
        const { snapshot } = deps.configuration
        const [policy] = referredBy(object, 'basic-security', 'web-firewall-policy', snapshot)
        const [blocklist] = deps.configuration.objects('custom-ip-blocklist')
        const ineffective = [
          ...ineffectiveSettings(object, snapshot, blocklist),
          ...patternsNotRun(object, policy, snapshot),
          ...expiringCertificates(object, snapshot, deps.clock.now()),
        ]
        return fareOfService(object, policy, publisher.newest(), reports.all(), ineffective)
      }
      if (object.kind.name === 'network-interface') return fareOfInterface
      const isServer = object.kind.name === 'server' || object.kind.name === 'rule-group-server'
      return isServer ? fareOfServer(object, reports.all()) : undefined
    },
    valuesOf: (object) => {
      if (object.kind.name !== 'system') return undefined
      const releases = reports.all().flatMap(({ rules }) => rules?.release || [])
      return { 'attack-definition': [...new Set(releases)].join(', ') }
    },
    warningOf: (changed) => warningOfChange(changed, deps.configuration.snapshot, reports.all()),
    warnings: () => [
      ...ruleWarnings(reports.all()),
      ...expiryWarnings(deps.configuration.objects('service'), deps.configuration.snapshot, deps.clock.now()),
    ],
    rules: () =>
      reports.all().map(({ proxy, rules }) => ({
        proxy,
        release: rules?.release ?? '',
        ruleCount: rules?.ruleCount ?? 0,
      })),
    close: () => {
      clearInterval(listening)
      publisher.close()
    },
  }
}
