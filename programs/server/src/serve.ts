import { resolve } from 'node:path'
import { createAdministrationService } from '@palisade/administration'
import { createAwarenessService } from '@palisade/awareness'
import { createBackupService } from '@palisade/backup'
import { createEmailService } from '@palisade/email'
import { createFirewallService } from '@palisade/firewall'
import {
  type AuditTables,
  auditMigrations,
  createMetrics,
  DatabaseCheck,
  databaseFile,
  HashingTurns,
  type HttpService,
  keyFile,
  type Log,
  migrate,
  oauthMigrations,
  openStore,
  Passwords,
  requireStore,
  type ServiceWarning,
  systemClock,
  takeDataDirectory,
  writeAuditEntry,
} from '@palisade/platform'
import { attentionFigures, attentionSources } from './attention.ts'
import { claimBackups } from './claim-backups.ts'
import type { Configuration } from './configuration/schema.ts'
import { describeCredentials, firstStartConfiguration, writeFirstOwner } from './first-start.ts'
import { Installation } from './installation.ts'
import { Listeners } from './listeners.ts'
import { operations } from './operations.ts'
import { OwnEndpoints } from './own-endpoints.ts'
import { startProxyProcess } from './proxy-process.ts'
import { Reload, type Reloaded, reloadedPart } from './reload/reload.ts'
import { systemState } from './system-state.ts'

export interface RunningServer {
  /** The ports that were opened, which the system chose where the configuration says 0. */
  readonly ports: {
    readonly firewall: { readonly http: number; readonly https: number }
    readonly services: { readonly http: number; readonly https: number }
  }
  /** Whether this start made the first credentials. */
  readonly isFirstStart: boolean
  /** Applies a changed configuration, as far as that is possible without a restart: see {@link Reload.apply}. */
  reload(next: Configuration): Promise<Reloaded>
  /** Lets running requests finish, then gives everything back. Takes less than ten seconds. */
  close(): Promise<void>
}

/**
 * Starts the whole control plane: takes the data directory, migrates the store, provisions, and opens the
 * listeners. What was opened is closed again when a later part fails.
 *
 * @param options.provisionCredentials whether a first start makes an administrator for each service
 * @param options.warnings what is wrong with how the server was started
 * @param options.show prints to the operator; used once, for the first credentials
 * @param options.otherServerWaitMs how long another server that serves the backups is waited for, instead of as long as a dead one may
 *   seem to live
 */
export async function serve(
  given: Configuration,
  options: {
    log: Log
    warnings?: readonly ServiceWarning[]
    provisionCredentials: boolean
    /** The file that the configuration comes from, as messages call it. */
    configurationFile?: string | undefined
    show: (text: string) => void
    otherServerWaitMs?: number
  },
): Promise<RunningServer> {
  const { log, warnings: startWarnings = [] } = options
  for (const { condition, message } of startWarnings) log.warn({ condition }, message)
  const undo: (() => void | Promise<void>)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const directory = resolve(given.dataDirectory)
    undo.push(takeDataDirectory(directory))
    // Before anything writes: what stands on a damaged page would be carried on.
    const databaseCheck =
      given.database === 'embedded' ? await DatabaseCheck.begin(databaseFile(directory), log) : undefined
    undo.push(() => databaseCheck?.close())
    const store = openStore(given.database, directory)
    undo.push(() => store.close())
    await requireStore(store.tables(), given.database)
    if (given.backup.serve) {
      const claim = await claimBackups(store, log, options.otherServerWaitMs)
      undo.push(() => claim.release())
    }
    await migrate(store, 'oauth', oauthMigrations)
    await migrate(store, 'audit', auditMigrations(store))
    const installation = await Installation.open(store)
    const isFirst = options.provisionCredentials && !(await installation.hasShownCredentials())
    const configuration = isFirst ? firstStartConfiguration(given) : given

    const key = keyFile(resolve(directory, 'secret.key'))
    const metrics = createMetrics()
    const hashing = new HashingTurns()
    const common = () => ({
      store,
      log,
      clock: systemClock,
      // Each service its own, so that a crowd of logins at one keeps nobody at another waiting.
      passwords: new Passwords(hashing),
      key,
      configurationFile: options.configurationFile ?? null,
      dataDirectory: directory,
    })
    const own = new OwnEndpoints(given.firewall.runProxy)
    /** One after the other; what was made is ended also when the next one cannot be. */
    const withUndo = async <Service extends HttpService>(making: Promise<Service>): Promise<Service> => {
      const service = await making
      undo.push(async () => service.close?.())
      return service
    }
    const { awareness, backup, email } = configuration
    const firewall = await withUndo(
      createFirewallService({
        ...common(),
        metrics,
        ownEndpoints: () => own.endpoints,
        configuration: configuration.firewall,
      }),
    )
    const ofAwareness = await withUndo(createAwarenessService({ ...common(), configuration: awareness }))
    const ofBackup = backup.serve
      ? await withUndo(createBackupService({ ...common(), metrics, configuration: backup }))
      : undefined
    const ofEmail = await withUndo(createEmailService({ ...common(), configuration: email }))
    const services = [ofAwareness, ...(ofBackup ? [ofBackup] : []), ofEmail]
    const startedAt = new Date()
    const listeners = new Listeners({
      log,
      metrics,
      dataDirectory: directory,
      trustedProxies: given.services.trustedProxies,
      audit: (entry) => writeAuditEntry(store.tables<AuditTables>(), entry, systemClock.now()),
      own,
    })
    undo.push(() => listeners.close())
    const ofServer = { name: 'server', warnings: () => [...startWarnings, ...damageWarnings(databaseCheck)] }
    const ofListeners = { name: 'operations', warnings: () => listeners.warnings() }
    const parts: readonly Pick<HttpService, 'name' | 'warnings' | 'attention'>[] = [
      ofServer,
      ofListeners,
      firewall,
      ...services,
    ]
    const {
      service: administration,
      firstOwner,
      monitor,
    } = await createAdministrationService({
      ...common(),
      configuration: configuration.administration,
      system: () =>
        systemState({
          parts,
          store,
          dataDirectory: directory,
          startedAt,
        }),
      attention: attentionSources(parts, directory),
      resources: [firewall, ...services].flatMap(({ administered = [] }) => administered),
    })
    undo.push(async () => administration.close?.())

    let ready = false
    const warnings = () => [
      ...parts.flatMap(({ name, warnings: of }) =>
        (of?.() ?? []).map((warning) => ({ service: name, ...warning })),
      ),
    ]
    metrics.observed(
      'palisade_service_warnings',
      'Conditions that keep a service from doing all of its work, as /readyz tells them',
      ['service', 'condition'],
      () => warnings().map(({ service, condition }) => ({ labels: { service, condition }, value: 1 })),
    )
    metrics.observed(
      'palisade_attention',
      'Conditions that need attention, as /admin/v1/attention tells them',
      ['service', 'condition', 'severity'],
      () => attentionFigures(monitor.seen),
    )
    const servicesRoot = operations({
      isReady: () => ready,
      warnings,
      metrics,
      documents: listeners.documents,
    })
    const { proxyMetrics } = configuration.firewall
    if (configuration.firewall.runProxy && proxyMetrics) await own.add(proxyMetrics.host, [proxyMetrics.port])
    // The firewall's comes last: by then proxies are told of the others.
    const servicesPorts = await listeners.open('services', configuration.services, [
      ...services,
      administration,
      servicesRoot,
    ])
    const firewallPorts = await listeners.open('firewall', configuration.firewall, [firewall])
    const ports = { firewall: firewallPorts, services: servicesPorts }
    ready = true
    void monitor.look()
    if (configuration.firewall.runProxy) {
      const management = { host: configuration.firewall.listen.host, port: ports.firewall.http }
      const { ruleFolder, withoutRules } = configuration.firewall
      undo.push(
        startProxyProcess({
          dataDirectory: directory,
          management,
          ruleFolder,
          withoutRules,
          metrics: proxyMetrics,
          logging: () => ({ ...configuration.log, level: log.level }),
          log,
        }),
      )
    }
    if (isFirst) {
      options.show(describeCredentials(configuration, firstOwner))
      await installation.rememberCredentialsShown()
    } else if (firstOwner) {
      const file = writeFirstOwner(directory, firstOwner)
      log.info({ file }, 'made the first operator, an owner: the file has his password')
    }
    const reloading = new Reload({
      started: given,
      parts: [
        reloadedPart('firewall', firewall.provisioning),
        reloadedPart('administration', administration.provisioning),
        reloadedPart('awareness', ofAwareness.provisioning),
        ...(ofBackup ? [reloadedPart('backup', ofBackup.provisioning)] : []),
        reloadedPart('email', ofEmail.provisioning),
      ],
      listeners,
      log,
    })
    return { ports, isFirstStart: isFirst, reload: (next) => reloading.apply(next), close }
  } catch (error) {
    await close()
    throw error
  }
}

function damageWarnings(check: DatabaseCheck | undefined): readonly ServiceWarning[] {
  if (check === undefined || check.damage === '') return []
  return [{ condition: 'damaged-database', message: check.damage }]
}
