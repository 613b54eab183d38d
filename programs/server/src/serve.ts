import { join } from 'node:path'
import { createAdministrationService, createOperatorAuthority } from '@palisade/administration'
import {
  type AuditTables,
  createMetrics,
  HashingQueue,
  type HttpService,
  type Log,
  Passwords,
  type ServiceWarning,
  storeRefusal,
  systemClock,
  writeAuditEntry,
} from '@palisade/platform'
import { ownVersion } from '@palisade/start-up'
import type { Tracing } from '@palisade/tracing'
import { attentionSources, foldersOfVault } from './attention.ts'
import { ChallengeListener } from './challenge-listener.ts'
import { ClosingSteps } from './closing-steps.ts'
import type { Configuration } from './configuration/schema.ts'
import { type CommonDependencies, createServices, type Services } from './create-services.ts'
import { describeCredentials, firstStartConfiguration, writeFirstOwner } from './first-start.ts'
import { Installation } from './installation.ts'
import { Listeners } from './listeners.ts'
import { observeServer } from './observe-server.ts'
import { explainNewerTables, migrateSharedTables, type OpenData, openData } from './open-data.ts'
import { operations } from './operations.ts'
import { OwnEndpoints } from './own-endpoints.ts'
import { startProxyProcess } from './proxy-process.ts'
import type { ServerFiles } from './reload/control-socket.ts'
import { type ChangedMembers, Reload, reloadedPart } from './reload/reload.ts'
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
  reload(next: Configuration): Promise<ChangedMembers>
  /** What it adds to a support bundle, with the newest lines of its log. */
  supportFiles(log: string): Promise<ServerFiles>
  /** Says to load balancers that it is going to end, and serves as before. */
  drain(): void
  /** Lets running requests finish, then gives everything back. Takes less than ten seconds. */
  close(): Promise<void>
}

interface ServeOptions {
  readonly log: Log
  /** What records traces; undefined where nothing does. */
  readonly tracing?: Tracing | undefined
  /** What is wrong with how the server was started. */
  readonly warnings?: readonly ServiceWarning[]
  /** Whether a first start makes an administrator for each service. */
  readonly provisionCredentials: boolean
  /** The file that the configuration comes from, as messages call it. */
  readonly configurationFile?: string | undefined
  /** Prints to the operator; used once, for the first credentials. */
  readonly show: (text: string) => void
  /** How long another server that serves the backups is waited for, instead of as long as a dead one may seem to live. */
  readonly otherServerWaitMs?: number
}

/**
 * Starts the whole control plane: takes the data directory, migrates the store, provisions, and opens the
 * listeners. What was opened is closed again when a later part fails.
 */
export async function serve(configuration: Configuration, options: ServeOptions): Promise<RunningServer> {
  const { log, warnings = [] } = options
  for (const { condition, message } of warnings) log.warn({ condition }, message)
  const closing = new ClosingSteps()
  try {
    const data = await openData(configuration, options, closing)
    try {
      return await start(configuration, options, data, closing)
    } catch (error) {
      throw await explainNewerTables(error, data, configuration, version)
    }
  } catch (error) {
    await closing.run()
    throw storeRefusal(error, configuration.database) ?? error
  }
}

const version = ownVersion(import.meta.url)

/** @param initial what the configuration says, without what a first start adds to it */
async function start(
  initial: Configuration,
  options: ServeOptions,
  data: OpenData,
  closing: ClosingSteps,
): Promise<RunningServer> {
  const { log } = options
  const { directory, store } = data
  await migrateSharedTables(store)
  const installation = await Installation.open(store)
  const isFirst = options.provisionCredentials && !(await installation.hasShownCredentials())
  const configuration = isFirst ? firstStartConfiguration(initial) : initial

  const key = await installation.secretKey(join(directory, 'secret.key'))
  data.record.write()
  const metrics = createMetrics({ log })
  const common = commonDependencies(configuration, options, data, key)
  const own = new OwnEndpoints(initial.firewall.runProxy)
  const services = await createServices(
    {
      configuration,
      common,
      metrics,
      installation,
      own,
      certificate: () => listeners.presented.get('services')?.cert,
    },
    closing,
  )
  const { firewall, backups } = services
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
  closing.add(() => listeners.close())
  firewall.listenerCertificates.onChange(() => listeners.presentObtained())
  const challengeListener = new ChallengeListener({ challenges: firewall.challenges, log })

  const parts: readonly Part[] = [
    { name: 'server', warnings: () => [...(options.warnings ?? []), ...data.warnings()] },
    { name: 'operations', warnings: () => [...listeners.warnings(), ...challengeListener.warnings()] },
    firewall,
    services.awareness,
    ...(configuration.backup.serve ? [backups] : []),
    services.email,
  ]
  const startedAt = new Date()
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
    resources: () => [firewall, ...besideFirewall(services)].flatMap(({ administered = [] }) => administered),
  })
  closing.add(() => administration.close?.())
  await installation.rememberVersion(version)

  let status: 'starting' | 'ready' | 'draining' = 'starting'
  const warnings = () => warningsOf(parts)
  observeServer(metrics, {
    version,
    store,
    listeners,
    applicationsExpiry: firewall.certificateExpiry,
    queues: () =>
      [firewall, ...besideFirewall(services), administration].flatMap(({ queues }) => queues?.() ?? []),
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
  const { runProxy, proxyMetrics } = configuration.firewall
  if (runProxy && proxyMetrics) await own.add(proxyMetrics.host, [proxyMetrics.port])
  // The firewall's comes last: by then proxies are told of the others.
  const atServices = () => [
    ...besideFirewall(services),
    ...(configuration.services.serveFirewall ? [firewall.besideOthers] : []),
    administration,
    servicesRoot,
  ]
  const servicesPorts = await listeners.open('services', configuration.services, atServices())
  // A proxy shows its key to whoever listens there: it is not started while that may be another program.
  const firewallPorts = await listeners.openWhenFree(
    'firewall',
    configuration.firewall,
    [firewall],
    (scheme, managementPort) => {
      if (scheme !== 'http' || !runProxy) return
      closing.add(startProxyProcess({ configuration, dataDirectory: directory, managementPort, log }))
    },
  )
  closing.add(() => listeners.endOpening())
  await challengeListener.use(configuration.firewall.acme?.challengeListener)
  closing.add(() => challengeListener.close())
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
      reloadedPart('awareness', services.awareness.provisioning),
      ...(backups.provisioning ? [reloadedPart('backup', backups.provisioning)] : []),
      reloadedPart('email', services.email.provisioning),
    ],
    listeners,
    challengeListener,
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
    close: () => closing.run(),
  }
}

/** What tells how a part of the server is. */
type Part = Pick<HttpService, 'name' | 'warnings' | 'attention'>

/** @returns makes what one service is given */
function commonDependencies(
  { administration }: Configuration,
  { log, configurationFile }: ServeOptions,
  { directory, store, agingClock }: OpenData,
  key: Buffer,
): () => CommonDependencies {
  const hashing = new HashingQueue()
  const operators = createOperatorAuthority({ store, clock: systemClock, key, configuration: administration })
  return () => ({
    store,
    log,
    clock: systemClock,
    agingClock,
    // Each service its own, so that a crowd of logins at one keeps nobody at another waiting.
    passwords: new Passwords(hashing),
    key,
    operators,
    configurationFile: configurationFile ?? null,
    dataDirectory: directory,
  })
}

/** What answers beside the firewall and the administration now: another server may take the backups. */
function besideFirewall({ awareness, backups, email }: Services): readonly HttpService[] {
  return [awareness, ...backups.services(), email]
}

function warningsOf(parts: readonly Part[]): (ServiceWarning & { readonly service: string })[] {
  return parts.flatMap(({ name, warnings }) =>
    (warnings?.() ?? []).map((warning) => ({ service: name, ...warning })),
  )
}
