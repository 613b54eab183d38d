import { resolve } from 'node:path'
import { createAdministrationService, createOperatorAuthority } from '@palisade/administration'
import { createAwarenessService } from '@palisade/awareness'
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
  type Log,
  migrate,
  NewerTables,
  oauthMigrations,
  openStore,
  Passwords,
  requireStore,
  type ServiceWarning,
  type Store,
  systemClock,
  takeDataDirectory,
  writeAuditEntry,
} from '@palisade/platform'
import { ownVersion } from '@palisade/start-up'
import type { Tracing } from '@palisade/tracing'
import { attentionSources, foldersOfVault } from './attention.ts'
import { claimBackups } from './backup-servers/claim-backups.ts'
import { openBackups } from './backup-servers/open-backups.ts'
import { ChallengeListener } from './challenge-listener.ts'
import { certifiedListeners } from './configuration/certificates.ts'
import type { Configuration } from './configuration/schema.ts'
import { describeCredentials, firstStartConfiguration, writeFirstOwner } from './first-start.ts'
import { Installation, newerVersionMessage } from './installation.ts'
import { Listeners } from './listeners.ts'
import { observeServer } from './observe-server.ts'
import { operations } from './operations.ts'
import { OwnEndpoints } from './own-endpoints.ts'
import { startProxyProcess } from './proxy-process.ts'
import type { ServerFiles } from './reload/control-socket.ts'
import { Reload, type Reloaded, reloadedPart } from './reload/reload.ts'
import { serverFiles } from './support/running-server.ts'
import { systemState } from './system-state.ts'

/** A server that has started: its addresses, and how it is reloaded and stopped. */
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
  /** What it adds to a support bundle, with the newest lines of its log. */
  supportFiles(log: string): Promise<ServerFiles>
  /** Says to load balancers that it is going to end, and serves as before. */
  drain(): void
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
  initial: Configuration,
  options: {
    log: Log
    /** What records traces; undefined where nothing does. */
    tracing?: Tracing | undefined
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
  const directory = resolve(initial.dataDirectory)
  const version = ownVersion(import.meta.url)
  let opened: Store | undefined
  try {
    undo.push(takeDataDirectory(directory))
    // Before anything writes: what stands on a damaged page would be carried on.
    const databaseCheck =
      initial.database === 'embedded' ? await DatabaseCheck.begin(databaseFile(directory), log) : undefined
    undo.push(() => databaseCheck?.close())
    const store = openStore(initial.database, directory)
    opened = store
    undo.push(() => store.close())
    await requireStore(store.tables(), initial.database)
    const { advertiseAddress } = initial.backup
    if (initial.backup.serve && advertiseAddress === undefined) {
      const claim = await claimBackups(store, log, options.otherServerWaitMs)
      undo.push(() => claim.release())
    }
    await migrate(store, 'oauth', oauthMigrations)
    await migrate(store, 'audit', auditMigrations(store))
    const installation = await Installation.open(store)
    const isFirst = options.provisionCredentials && !(await installation.hasShownCredentials())
    const configuration = isFirst ? firstStartConfiguration(initial) : initial

    const key = await installation.secretKey(resolve(directory, 'secret.key'))
    const metrics = createMetrics({ log })
    const hashing = new HashingTurns()
    const operators = createOperatorAuthority({
      store,
      clock: systemClock,
      key,
      configuration: configuration.administration,
    })
    const common = () => ({
      store,
      log,
      clock: systemClock,
      // Each service its own, so that a crowd of logins at one keeps nobody at another waiting.
      passwords: new Passwords(hashing),
      key,
      operators,
      configurationFile: options.configurationFile ?? null,
      dataDirectory: directory,
    })
    const own = new OwnEndpoints(initial.firewall.runProxy)
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
        certifiedListeners: certifiedListeners(configuration),
        answersAtPort80: answersAtPort80(configuration),
        configuration: configuration.firewall,
      }),
    )
    const ofAwareness = await withUndo(createAwarenessService({ ...common(), configuration: awareness }))
    const backups = await openBackups({
      ...common(),
      metrics,
      configuration: backup,
      installation,
      certificate: () => listeners.presented.get('services')?.cert,
    })
    undo.push(() => backups.close())
    const ofEmail = await withUndo(createEmailService({ ...common(), configuration: email }))
    const services = () => [ofAwareness, ...backups.services(), ofEmail]
    const startedAt = new Date()
    const listeners = new Listeners({
      log,
      metrics,
      dataDirectory: directory,
      trustedProxies: initial.services.trustedProxies,
      audit: (entry) => writeAuditEntry(store.tables<AuditTables>(), entry, systemClock.now()),
      own,
      challenges: firewall.challenges,
      obtained: (member) => firewall.listenerCertificates.of(member),
    })
    undo.push(() => listeners.close())
    firewall.listenerCertificates.onChange(() => listeners.presentObtained())
    const answering = new ChallengeListener({ challenges: firewall.challenges, log })
    const ofServer = { name: 'server', warnings: () => [...startWarnings, ...damageWarnings(databaseCheck)] }
    const ofListeners = {
      name: 'operations',
      warnings: () => [...listeners.warnings(), ...answering.warnings()],
    }
    const parts: readonly Pick<HttpService, 'name' | 'warnings' | 'attention'>[] = [
      ofServer,
      ofListeners,
      firewall,
      ofAwareness,
      ...(backup.serve ? [backups] : []),
      ofEmail,
    ]
    const system = () => systemState({ parts, store, dataDirectory: directory, startedAt })
    const {
      service: administration,
      firstOwner,
      monitor,
    } = await createAdministrationService({
      ...common(),
      metrics,
      configuration: configuration.administration,
      system,
      attention: attentionSources(parts, [directory, ...foldersOfVault(configuration.backup)]),
      resources: () => [firewall, ...services()].flatMap(({ administered = [] }) => administered),
    })
    undo.push(async () => administration.close?.())
    await installation.rememberVersion(version)

    let status: 'starting' | 'ready' | 'draining' = 'starting'
    const warnings = () => [
      ...parts.flatMap(({ name, warnings: of }) =>
        (of?.() ?? []).map((warning) => ({ service: name, ...warning })),
      ),
    ]
    observeServer(metrics, {
      version,
      store,
      listeners,
      applicationsExpiry: firewall.certificateExpiry,
      queues: () => [firewall, ...services(), administration].flatMap(({ queues }) => queues?.() ?? []),
      warnings,
      monitor,
      tracing: options.tracing,
    })
    const servicesRoot = operations({
      status: () => status,
      warnings,
      metrics,
      certificate: () => listeners.presented.get('services')?.cert,
      documents: listeners.documents,
    })
    const { proxyMetrics } = configuration.firewall
    if (configuration.firewall.runProxy && proxyMetrics) await own.add(proxyMetrics.host, [proxyMetrics.port])
    // The firewall's comes last: by then proxies are told of the others.
    const atServices = () => [
      ...services(),
      ...(configuration.services.serveFirewall ? [firewall.besideOthers] : []),
      administration,
      servicesRoot,
    ]
    const servicesPorts = await listeners.open('services', configuration.services, atServices())
    const runProxy = (port: number) => {
      const { listen, ruleFolder, ruleCandidates, withoutRules } = configuration.firewall
      const { geoipDatabase, addressListsFolder, stolenPasswordsFile } = configuration.firewall
      undo.push(
        startProxyProcess({
          dataDirectory: directory,
          management: { host: listen.host, port },
          ruleFolder,
          ruleCandidates,
          geoipDatabase,
          addressListsFolder,
          stolenPasswordsFile,
          withoutRules,
          metrics: proxyMetrics,
          tracing: configuration.tracing,
          logging: () => ({ ...configuration.log, level: log.level }),
          log,
        }),
      )
    }
    // A proxy shows its key to whoever listens there: it is not started while that may be another program.
    const firewallPorts = await listeners.openWhenFree(
      'firewall',
      configuration.firewall,
      [firewall],
      (scheme, port) => {
        if (scheme === 'http' && configuration.firewall.runProxy) runProxy(port)
      },
    )
    undo.push(() => listeners.endOpening())
    await answering.use(configuration.firewall.acme?.challengeListener)
    undo.push(() => answering.close())
    firewall.renewListenerCertificates()
    await backups.start(() => listeners.replaceServices('services', atServices()))
    status = 'ready'
    const ports = { firewall: firewallPorts, services: servicesPorts }
    void monitor.look()
    if (isFirst) {
      options.show(describeCredentials(configuration, firstOwner))
      await installation.rememberCredentialsShown()
    } else if (firstOwner) {
      const file = writeFirstOwner(directory, firstOwner)
      log.info({ file }, 'made the first operator, an owner: the file has his password')
    }
    const reloading = new Reload({
      started: initial,
      parts: [
        reloadedPart('firewall', firewall.provisioning),
        reloadedPart('administration', administration.provisioning),
        reloadedPart('awareness', ofAwareness.provisioning),
        ...(backups.provisioning ? [reloadedPart('backup', backups.provisioning)] : []),
        reloadedPart('email', ofEmail.provisioning),
      ],
      listeners,
      challengeListener: answering,
      log,
    })
    const observed = { store, metrics, system, attention: () => monitor.seen, ports }
    return {
      ports,
      isFirstStart: isFirst,
      reload: (next) => reloading.apply(next),
      drain: () => {
        status = 'draining'
      },
      supportFiles: (lines) => serverFiles(observed, lines),
      close,
    }
  } catch (error) {
    const place = { database: initial.database, dataDirectory: directory }
    const refusal =
      opened && error instanceof NewerTables
        ? new Error(await newerVersionMessage(opened, place, version))
        : error
    await close()
    throw refusal
  }
}

/** Whether listeners of the server are where authorities look for proofs in plain text. */
function answersAtPort80({ firewall, services }: Configuration): boolean {
  return firewall.listen.http === 80 || services.listen.http === 80
}

function damageWarnings(check: DatabaseCheck | undefined): readonly ServiceWarning[] {
  if (check === undefined || check.damage === '') return []
  return [{ condition: 'damaged-database', message: check.damage }]
}
