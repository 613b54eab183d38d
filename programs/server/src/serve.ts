import { X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import helmet from '@fastify/helmet'
import { createAdministrationService } from '@palisade/administration'
import { createAwarenessService } from '@palisade/awareness'
import { createBackupService } from '@palisade/backup'
import { createEmailService } from '@palisade/email'
import { createFirewallService } from '@palisade/firewall'
import {
  type AuditTables,
  type AuditWriter,
  auditMigrations,
  createMetrics,
  DatabaseCheck,
  databaseFile,
  expiryOf,
  HashingTurns,
  type HttpService,
  keyFile,
  Listener,
  type Log,
  migrate,
  mountService,
  type OpenApiDocument,
  oauthMigrations,
  openStore,
  Passwords,
  type RequestMetrics,
  requireStore,
  type ServerCertificate,
  type ServiceWarning,
  serverCertificate,
  systemClock,
  takeDataDirectory,
  writeAuditEntry,
} from '@palisade/platform'
import { attentionFigures, attentionSources } from './attention.ts'
import { claimBackups } from './claim-backups.ts'
import type { Configuration } from './configuration/schema.ts'
import { describeCredentials, firstStartConfiguration, writeFirstOwner } from './first-start.ts'
import { Installation } from './installation.ts'
import { operations } from './operations.ts'
import { OwnEndpoints } from './own-endpoints.ts'
import { startProxyProcess } from './proxy-process.ts'

export interface RunningServer {
  /** The ports that were opened, which the system chose where the configuration says 0. */
  readonly ports: {
    readonly firewall: { readonly http: number; readonly https: number }
    readonly services: { readonly http: number; readonly https: number }
  }
  /** Whether this start made the first credentials. */
  readonly isFirstStart: boolean
  /** Lets running requests finish, then gives everything back. Takes less than ten seconds. */
  close(): Promise<void>
}

/** Requests have this long to finish when the server is asked to end. */
const graceMs = 7_000

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
    const withUndo = async (making: Promise<HttpService>): Promise<HttpService> => {
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
    const services = [
      await withUndo(createAwarenessService({ ...common(), configuration: awareness })),
      ...(backup.serve
        ? [await withUndo(createBackupService({ ...common(), metrics, configuration: backup }))]
        : []),
      await withUndo(createEmailService({ ...common(), configuration: email })),
    ]

    /** What the listeners present, by what they are called in the configuration. */
    const presented = new Map<string, ServerCertificate>()
    const ofServer = {
      name: 'server',
      warnings: () => [...startWarnings, ...damageWarnings(databaseCheck), ...expiringListeners(presented)],
    }
    const {
      service: administration,
      firstOwner,
      monitor,
    } = await createAdministrationService({
      ...common(),
      configuration: configuration.administration,
      attention: attentionSources([ofServer, firewall, ...services], directory),
      resources: [firewall, ...services].flatMap(({ administered = [] }) => administered),
    })

    let ready = false
    const documents = new Map<string, OpenApiDocument>()
    const warnings = () => [
      ...[ofServer, firewall, ...services].flatMap(({ name, warnings: of }) =>
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
    const servicesRoot = operations({ isReady: () => ready, warnings, metrics, documents })
    const open = async (
      at: Configuration['firewall'] | Configuration['services'],
      mounted: readonly HttpService[],
      facesBrowsers: boolean,
    ) => {
      const listener = await mount(mounted, {
        log,
        metrics,
        documents,
        audit: (entry) => writeAuditEntry(store.tables<AuditTables>(), entry, systemClock.now()),
        trustedProxies: given.services.trustedProxies,
        facesBrowsers,
      })
      undo.push(() => listener.close(graceMs))
      const names = certificateNames(at.listen.host)
      const member = facesBrowsers ? 'services' : 'firewall'
      const configured = at.certificate && { ...at.certificate, named: `${member}.certificate` }
      const chosen = configured ? undefined : certificateChosenIn(mounted)
      const certificate = chosen ?? (await serverCertificate(directory, configured, names))
      presented.set(member, certificate)
      const opened = await listener.listen(at.listen, certificate, `${member}.listen`)
      await own.add(at.listen.host, [opened.http, opened.https])
      return opened
    }
    const { proxyMetrics } = configuration.firewall
    if (configuration.firewall.runProxy && proxyMetrics) await own.add(proxyMetrics.host, [proxyMetrics.port])
    // The firewall's comes last: by then proxies are told of the others.
    const servicesPorts = await open(
      configuration.services,
      [...services, administration, servicesRoot],
      true,
    )
    const ports = { firewall: await open(configuration.firewall, [firewall], false), services: servicesPorts }
    ready = true
    undo.push(async () => administration.close?.())
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
          logging: configuration.log,
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
    log.info({ ports }, 'ready')
    return { ports, isFirstStart: isFirst, close }
  } catch (error) {
    await close()
    throw error
  }
}

function damageWarnings(check: DatabaseCheck | undefined): readonly ServiceWarning[] {
  if (check === undefined || check.damage === '') return []
  return [{ condition: 'damaged-database', message: check.damage }]
}

/** One listener with its services; the envelope of the longest base path answers for an address. */
async function mount(
  services: readonly HttpService[],
  deps: {
    log: Log
    metrics: RequestMetrics
    documents: Map<string, OpenApiDocument>
    audit: AuditWriter
    trustedProxies: readonly string[]
    /** Whether browsers come here, so that pages are told what they may do. */
    facesBrowsers: boolean
  },
): Promise<Listener> {
  const byLength = [...services].sort((a, b) => b.basePath.length - a.basePath.length)
  const root = byLength.at(-1)
  if (root === undefined) throw new Error('a listener needs a service')
  const listener = new Listener({
    log: deps.log,
    trustedProxies: deps.trustedProxies,
    envelopeAt: (path) => (byLength.find(({ basePath }) => path.startsWith(basePath)) ?? root).envelope,
  })
  if (deps.facesBrowsers) await listener.app.register(helmet)
  for (const service of services) {
    deps.documents.set(service.name, await mountService(listener.app, service, deps.metrics, deps.audit))
  }
  return listener
}

/** What the configuration file says goes before what was chosen through a service. */
function certificateChosenIn(services: readonly HttpService[]): ServerCertificate | undefined {
  return services.map((service) => service.certificate?.()).find((certificate) => certificate !== undefined)
}

/** The listeners whose certificate has expired or will within three weeks; they present another one after the next start. */
function expiringListeners(presented: ReadonlyMap<string, ServerCertificate>) {
  return [...presented].flatMap(([member, { cert }]) => {
    const expiry = expiryOf(new X509Certificate(cert).validToDate, systemClock.now())
    if (expiry === undefined) return []
    const message = `The certificate of ${member}.listen.https ${expiry}: replace it, and restart the server.`
    return [{ condition: 'certificate-expiry', message }]
  })
}

function certificateNames(host: string): string[] {
  return [...new Set(['localhost', '127.0.0.1', '::1', host])].filter(
    (name) => name !== '0.0.0.0' && name !== '::',
  )
}
