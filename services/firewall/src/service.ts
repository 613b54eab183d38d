import type { Challenges } from '@palisade/acme-challenges'
import {
  auditMigrations,
  type HttpService,
  migrate,
  type OperatorAuthority,
  type Provisioning,
  refuseProblems,
  type ServiceFoundation,
  type ServiceMetrics,
} from '@palisade/platform'
import { AddressGuard, type ForbiddenAddresses } from '@palisade/proxy-protocol'
import { administratorResource } from './access/administrator-resource.ts'
import { Administrators } from './access/administrators.ts'
import { LoginLockouts } from './access/login-lockouts.ts'
import { Roles } from './access/roles.ts'
import { SystemSettings } from './access/system-settings.ts'
import { Tokens } from './access/tokens.ts'
import { namesOfUnlimited } from './access/unlimited-administrators.ts'
import { managementCertificate } from './behaviours/certificates/management-certificate.ts'
import { allBehaviours } from './behaviours/index.ts'
import { catalogue } from './catalogue/index.ts'
import { LiveConfiguration } from './changes/live-configuration.ts'
import { problemsOfFirewall } from './check-configuration.ts'
import type { FirewallConfiguration } from './configuration.ts'
import { storedTrafficBounds } from './features/stored-traffic/compile.ts'
import type { CertifiedListener, ListenerCertificates } from './issuance/listener-certificates.ts'
import { acmeSeal, openIssuance } from './issuance/open-issuance.ts'
import { PendingChallenges } from './issuance/pending-challenges.ts'
import { filesOfAcme, problemsOfAcmeFiles, readAcmeSettings } from './issuance/settings.ts'
import { compileCatalogue } from './kinds/compiled-kind.ts'
import type { Kind } from './kinds/kind.ts'
import { LearntUrls } from './learning/learnt-urls.ts'
import { LogExporter } from './log-export/log-export.ts'
import { openLogs } from './logs/open-logs.ts'
import { sweepIntervalMs } from './logs/retention.ts'
import { attackWaves } from './logs/stats/attack-waves.ts'
import { firewallMigrations } from './migrations.ts'
import { firewallContract } from './openapi/contract.ts'
import { describeApi } from './openapi/describe-api.ts'
import { allOperations } from './operations/index.ts'
import { openPublishing } from './publishing/open-publishing.ts'
import { envelopeWith } from './rest/envelope.ts'
import { managementRoutes } from './rest/management-routes.ts'
import { StoredRequests } from './stored-traffic/stored-requests.ts'
import { Trials } from './stored-traffic/trials.ts'
import { systemFacts, withSystemFacts } from './system-facts.ts'

/** What the firewall service stands on. */
export interface FirewallServiceDependencies extends Omit<ServiceFoundation, 'configurationFile'> {
  readonly configuration: FirewallConfiguration
  /** Who knows the operators to whom its administration gives tokens; none has one when left out. */
  readonly operators?: Pick<OperatorAuthority, 'mayStill'>
  /** Where this program itself listens, by now; nothing connects there on an administrator's word. Nowhere when left out. */
  readonly ownEndpoints?: () => ForbiddenAddresses['endpoints']
  /** Listeners of this program whose certificates are obtained by ACME; none when left out. */
  readonly certifiedListeners?: readonly CertifiedListener[]
  /** Whether a listener of this program answers authorities at port 80, beside that of `acme.challengeListener`. */
  readonly answersAtPort80?: boolean
  /** Where figures of its proxies are shown; nowhere when left out. */
  readonly metrics?: ServiceMetrics
  /** How often it is looked which certificates are to be renewed, in milliseconds; every five seconds when left out. */
  readonly renewalLookMs?: number
}

/** The management of the firewall, and what provisions its administrators. */
export interface FirewallService extends HttpService {
  readonly provisioning: Provisioning<FirewallConfiguration>
  /**
   * The same API for the listener of the other services, below `/firewall`. What proxies ask and the page for browsers are at the firewall's
   * own listener alone.
   */
  readonly besideOthers: HttpService
  /** What certificate authorities are to be answered at every listener of this program. */
  readonly challenges: Challenges
  /** The certificates that were obtained for its listeners. */
  readonly listenerCertificates: Pick<ListenerCertificates, 'of' | 'onChange'>
  /** When the first certificate of applications ends; undefined where they have none. */
  readonly certificateExpiry: () => Date | undefined
  /** Has those obtained that are not there, and renewed in time; to be called once the listeners are open. */
  readonly renewListenerCertificates: () => void
}

/**
 * The management of the firewall: migrates its tables, provisions its administrators, reads the configuration
 * into memory and returns its routes.
 *
 * @param kinds the kinds of configuration objects that it manages
 */
export async function createFirewallService(
  deps: FirewallServiceDependencies,
  kinds: readonly Kind[] = catalogue,
): Promise<FirewallService> {
  refuseProblems('the firewall', problemsOfFirewall(deps.configuration))
  const { ownEndpoints = () => [] } = deps
  const forbidden = (): ForbiddenAddresses => ({
    networks: deps.configuration.forbiddenAddresses,
    endpoints: ownEndpoints(),
  })
  const guard = () => new AddressGuard(forbidden())
  const compiled = compileCatalogue(withSystemFacts(kinds, systemFacts(deps.key)))
  await migrate(deps.store, 'audit', auditMigrations(deps.store))
  await migrate(deps.store, 'firewall', firewallMigrations)
  const logs = await openLogs(deps)
  const configuration = await LiveConfiguration.open({ ...deps, catalogue: compiled, audit: logs.audit })
  const settings = new SystemSettings(configuration)
  const roleKind = configuration.kind('administrator-role')
  const lockouts = new LoginLockouts({
    ...deps,
    settings: () => settings.lockout,
    unlimitedNames: () =>
      namesOfUnlimited(configuration.objects('user'), configuration.snapshot.collection(roleKind, [])),
  })
  const now = () => deps.clock.now()
  const { agingClock = deps.clock } = deps
  const administrators = new Administrators({ ...deps, configuration, lockouts, now })
  const problems: Provisioning<FirewallConfiguration>['problems'] = async (given) => [
    ...(await administrators.problems(given.administrators)),
    ...problemsOfAcmeFiles(given.acme),
  ]
  refuseProblems('the firewall', await problems(deps.configuration))
  await administrators.provision(deps.configuration.administrators)
  const tokens = new Tokens({ ...deps, administrators, lifetimeMs: () => settings.sessionLengthMs })
  const roles = new Roles(configuration)
  const behaviours = allBehaviours({ ...deps, configuration, now, guard })
  const { unknownMembers } = deps.configuration
  const learnt = new LearntUrls(deps)
  const storedRequests = new StoredRequests({
    ...deps,
    boundsOf: (name) => {
      const service = configuration.snapshot.object(configuration.kind('service'), [name])
      return service && storedTrafficBounds.of(service)
    },
  })
  const trials = new Trials({ ...deps, requests: storedRequests })
  configuration.onChange(() => {
    storedRequests
      .leaveOff()
      .catch((error: unknown) => deps.log.error({ err: error }, 'stored requests could not be deleted'))
  })
  const pending = new PendingChallenges({ ...deps, seal: acmeSeal(deps.key) })
  const publishing = openPublishing({
    ...deps,
    configuration,
    logs: logs.logs,
    system: logs.system,
    counters: logs.counters,
    learnt,
    storedRequests,
    trials,
    forbidden,
    challenges: pending,
  })
  const issuance = await openIssuance(
    {
      ...deps,
      configuration,
      pending,
      untilObeyed: publishing.untilObeyed,
      listeners: () => {
        const { plain, tls } = publishing.listeners()
        return { plain: plain || deps.answersAtPort80 === true, tls }
      },
    },
    deps.certifiedListeners ?? [],
  )
  const { authority } = issuance
  authority.use(deps.configuration.acme && readAcmeSettings(deps.configuration.acme))
  const provisioning: Provisioning<FirewallConfiguration> = {
    problems,
    apply: async (given) => {
      const settings = given.acme && readAcmeSettings(given.acme)
      await administrators.provision(given.administrators)
      authority.use(settings)
    },
    files: ({ acme }) => ({ acme: filesOfAcme(acme) }),
  }

  const operations = allOperations({
    ...deps,
    configuration,
    catalogue: compiled,
    behaviours,
    roles,
    unknownMembers,
    guard,
    authority,
    ...logs,
    learnt,
    storedRequests,
    trials,
    trialOf: publishing.trialOf,
    ruleSets: publishing.ruleSets,
  })
  const exporter = new LogExporter({
    configuration,
    logs: logs.logs,
    system: logs.system,
    guard,
    jsonLinesFolder: deps.configuration.jsonLogsFolder,
  })
  const routes = managementRoutes({
    catalogue: compiled,
    operations: operations.all,
    administrators,
    tokens,
    audit: logs.audit,
    writing: { configuration, behaviours, roles, unknownMembers, warningOf: publishing.warningOf },
    observed: publishing,
    proxyRoutes: publishing.routes,
  })

  deps.metrics?.observed(
    'palisade_firewall_rules_loaded',
    'How many rules each proxy judges by; 0 where it has none',
    ['proxy', 'release'],
    () =>
      publishing
        .rules()
        .map(({ proxy, release, ruleCount }) => ({ labels: { proxy, release }, value: ruleCount })),
  )

  const sweeping = setInterval(() => {
    logs
      .sweep(agingClock.now())
      .catch((error: unknown) => deps.log.error({ err: error }, 'the logs could not be swept'))
  }, sweepIntervalMs).unref()

  const served = {
    name: 'firewall',
    title: 'Palisade firewall management',
    envelope: envelopeWith(undefined),
    describe: describeApi(compiled, operations.all, '/restapi/v3.2'),
    contract: firewallContract(compiled),
  }
  return {
    ...served,
    basePath: '/',
    routes: routes.own,
    challenges: issuance.challenges,
    listenerCertificates: issuance.listenerCertificates,
    renewListenerCertificates: () => authority.renewListenerCertificates(),
    besideOthers: { ...served, basePath: '/firewall', routes: routes.besideOthers },
    certificate: () => managementCertificate(configuration.system()),
    warnings: () => publishing.warnings(),
    attention: async () => [
      ...publishing.attention(),
      ...(await attackWaves(deps.store, now())),
      ...(await issuance.attention()),
    ],
    queues: () => issuance.queues(),
    certificateExpiry: () => publishing.certificateExpiry(),
    provisioning,
    administered: [administratorResource({ configuration, administrators, roles, tokens })],
    close: async () => {
      clearInterval(sweeping)
      storedRequests.close()
      trials.close()
      await issuance.close()
      publishing.close()
      await operations.close()
      tokens.close()
      await configuration.close()
      await exporter.close()
      await logs.close()
    },
  }
}
