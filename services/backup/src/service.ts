import { heartbeatMs, silenceMaxMs } from '@palisade/agent-protocol'
import {
  apiClientResource,
  ClientCredentials,
  type HttpService,
  JobRunner,
  migrate,
  type OperatorAuthority,
  type Provisioning,
  refuseProblems,
  type ServiceFoundation,
  type ServiceMetrics,
  type ServiceWarning,
  tokenEndpoint,
  warnOfUnknownAccounts,
} from '@palisade/platform'
import type { Vault } from '@palisade/vault'
import type { FastifyInstance } from 'fastify'
import { Actions } from './actions/actions.ts'
import { accountResource } from './administration/account-resource.ts'
import { computerResource } from './administration/computer-resource.ts'
import { DeletedAgents } from './administration/deleted-agents.ts'
import { downloadRoutes } from './agent-routes/download-routes.ts'
import { enrolmentRoutes } from './agent-routes/enrolment-routes.ts'
import type { Heartbeat } from './agent-routes/heartbeat.ts'
import { linkRoute } from './agent-routes/link-route.ts'
import { LinkWork } from './agent-routes/link-work.ts'
import { revisionIdsRoute } from './agent-routes/revision-ids-route.ts'
import { screenshotRoute } from './agent-routes/screenshot-route.ts'
import { uploadRoutes } from './agent-routes/upload-routes.ts'
import { AgentAccess } from './agents/agent-access.ts'
import { AgentAuthentication } from './agents/agent-authentication.ts'
import { AgentLinks } from './agents/agent-links.ts'
import { Dispatch } from './agents/dispatch.ts'
import { HostQuestions } from './agents/host-questions.ts'
import { SourceQuestions } from './agents/source-questions.ts'
import { VolumeQuestions } from './agents/volume-questions.ts'
import { problemsOfBackup } from './check-configuration.ts'
import { Computers, existingAccounts } from './computers/computers.ts'
import { EnrolmentDigests } from './computers/enrolment-digest.ts'
import { provisionComputers } from './computers/provision-computers.ts'
import type { BackupConfiguration } from './configuration.ts'
import { backupContract, backupScopes } from './contract.ts'
import { errorList } from './envelope.ts'
import { HostSessions } from './hosts/host-sessions.ts'
import { Hosts } from './hosts/hosts.ts'
import { Validations } from './machines/validations.ts'
import { BackupFigures } from './metrics/backup-figures.ts'
import { backupMetrics } from './metrics/backup-metrics.ts'
import { observeBackups } from './metrics/observe-backups.ts'
import { backupMigrations } from './migrations.ts'
import { SetProofs } from './proofs/set-proofs.ts'
import { actionRoutes } from './rest/action-routes.ts'
import { Authorisation } from './rest/authorisation.ts'
import { backupRoutes } from './rest/backup-routes.ts'
import { browseRoutes } from './rest/browse-routes.ts'
import { comparisonRoute } from './rest/comparison-route.ts'
import { computerRoutes } from './rest/computer-routes.ts'
import { historyRoutes } from './rest/history-routes.ts'
import { hostRoutes } from './rest/host-routes.ts'
import { proofRoutes } from './rest/proof-routes.ts'
import { restoreRoutes } from './rest/restore-routes.ts'
import { retentionRoute } from './rest/retention-route.ts'
import { revisionRoutes } from './rest/revision-routes.ts'
import { setActionRoutes } from './rest/set-action-routes.ts'
import { setRoutes } from './rest/set-routes.ts'
import { usageRoute } from './rest/usage-route.ts'
import { validationRoutes } from './rest/validation-routes.ts'
import { volumeRoutes } from './rest/volume-routes.ts'
import { adoptRevisions } from './revisions/adopt-revisions.ts'
import { Commits } from './revisions/commits.ts'
import { Damage } from './revisions/damage.ts'
import { Proofs } from './revisions/proofs.ts'
import { Revisions } from './revisions/revisions.ts'
import { scopes } from './scopes.ts'
import { SetChecks } from './sets/set-checks.ts'
import { SetRuns } from './sets/set-runs.ts'
import { Sets } from './sets/sets.ts'
import { LiveProgress } from './tasks/live-progress.ts'
import { CredentialSeal } from './tasks/share-credentials.ts'
import { Tasks } from './tasks/tasks.ts'
import { Timers } from './timers.ts'
import { BackupAttention } from './upkeep/backup-attention.ts'
import { checkAtStart } from './upkeep/check-at-start.ts'
import { Deletion } from './upkeep/deletion.ts'
import { DiskComparisons } from './upkeep/disk-comparisons.ts'
import { Healing } from './upkeep/healing.ts'
import { Purge } from './upkeep/purge.ts'
import { RequestedVerifications } from './upkeep/requested-verifications.ts'
import { RevisionRemoval } from './upkeep/revision-removal.ts'
import { upkeepAfterRun } from './upkeep/upkeep-after-run.ts'
import { UpkeepJobs } from './upkeep/upkeep-jobs.ts'
import { Verifications } from './upkeep/verifications.ts'
import { BackupSessions } from './vault/backup-sessions.ts'
import { FindingsFile } from './vault/findings-file.ts'
import { OpenRevisions } from './vault/open-revisions.ts'
import { openServiceVault, type SharedVault } from './vault/open-service-vault.ts'

/** What the backup service stands on. */
export interface BackupServiceDependencies extends ServiceFoundation {
  /** Who tells which operator calls. */
  readonly operators: OperatorAuthority
  readonly configuration: BackupConfiguration
  readonly metrics: ServiceMetrics
  /** Given where several servers have the vault in turn. */
  readonly sharedVault?: SharedVault | undefined
  /** When agents are pinged and taken for dead; as the protocol says when left out. */
  readonly heartbeat?: Heartbeat
  /** How often it is looked for what is due, in milliseconds, instead of what the configuration says. */
  readonly lookEveryMs?: number
  /** An agent that has not answered a question after so many milliseconds counts as offline; 15 s when left out. */
  readonly answerMaxMs?: number
}

const dayMs = 86_400_000
const answerMaxMsDefault = 15_000
/** So many sets are verified at once, and so many proved; each reads the vault. */
const jobsOfKindMax = 8
/** A backup that begins waits for no more than this until a proof gives way. */
const proofLookEveryMsMax = 2000
/** PowerShell and shares take their time, and a question about a host may be several commands. */
const hostAnswerMaxMs = 120_000

/** The backup service, and what provisions its accounts, computers and API clients. */
export interface BackupService extends HttpService {
  readonly provisioning: Provisioning<BackupConfiguration>
  readonly vaultId: string
  /** False while the storage has not confirmed for too long that this process has the vault: nothing can be written then. */
  readonly hasVault: () => boolean
  /** Whether another server waits for the vault, as far as that is known. */
  readonly isVaultAsked: () => boolean
  /** Lets others open the vault as soon as that can be, before all else is closed. What is under way in it is cut off, as by a kill. */
  readonly leaveVault: () => Promise<void>
}

/**
 * The backup service: migrates its tables, applies what is provisioned, opens the vault and returns its routes,
 * those for people and programs and those for agents. Needs the tables of `oauthMigrations`.
 *
 * @throws Error when the vault cannot be opened: its key file is gone, or another process has it
 */
export async function createBackupService(deps: BackupServiceDependencies): Promise<BackupService> {
  const { configuration, store, passwords, clock, log } = deps
  refuseProblems('backup', problemsOfBackup(configuration))
  await migrate(store, 'backup', backupMigrations(store))
  const digests = new EnrolmentDigests(deps.key)
  const computers = new Computers({ store, clock, digests })
  const credentials = new ClientCredentials({ service: 'backup', store, passwords, clock })
  let warnings: readonly ServiceWarning[] = []
  const provisioning: Provisioning<BackupConfiguration> = {
    problems: async () => [],
    apply: async ({ accounts, apiClients }) => {
      await provisionComputers(accounts, deps.configurationFile, { store, digests })
      await credentials.provision(apiClients, deps.configurationFile)
      warnings = await warnOfUnknownAccounts({
        log,
        service: 'backup',
        clients: apiClients,
        configured: accounts.map(({ id }) => id),
        existingAccounts: (accountIds) => existingAccounts(store, accountIds),
      })
    },
  }
  await provisioning.apply(configuration)

  const revisions = new Revisions(store)
  const vault = await openServiceVault({ ...deps, configuration: configuration.vault })
  const tasks = new Tasks({ store, clock })
  const timers = new Timers(store)
  const { upkeep } = configuration
  const removal = new RevisionRemoval({ store, vault, revisions, tasks, timers, clock, log, upkeep })
  const actions = new Actions({ store, clock })
  try {
    await removal.finish()
    const graceMs = configuration.deletionGraceDays * dayMs
    await adoptRevisions({ vault, computers, revisions, graceMs, clock, log })
    await actions.endInterrupted('verify-revision')
    await actions.endInterrupted('compare-disk')
    await actions.endInterrupted('prove-set')
  } catch (error) {
    await vault.close()
    throw error
  }
  const { routes, close, attention, queues, administered } = assemble(deps, {
    vault,
    digests,
    computers,
    credentials,
    revisions,
    tasks,
    timers,
    removal,
    actions,
  })
  return {
    name: 'backup',
    title: 'Palisade backup',
    basePath: configuration.basePath,
    envelope: errorList,
    contract: backupContract(configuration.basePath),
    warnings: () => warnings,
    attention: () => attention.read(),
    queues: () => queues,
    administered,
    provisioning,
    vaultId: vault.id,
    hasVault: () => vault.isHeld,
    isVaultAsked: () => vault.isAsked,
    leaveVault: () => vault.close(),
    routes,
    close,
  }
}

interface Parts {
  readonly vault: Vault
  readonly digests: EnrolmentDigests
  readonly computers: Computers
  readonly credentials: ClientCredentials
  readonly revisions: Revisions
  readonly tasks: Tasks
  readonly timers: Timers
  readonly removal: RevisionRemoval
  readonly actions: Actions
}

/** Puts the parts together that live as long as the service. */
function assemble(deps: BackupServiceDependencies, parts: Parts) {
  const { configuration, store, clock, log, key, heartbeat, operators } = deps
  const { vault, digests, computers, credentials, revisions, tasks, timers, removal, actions } = parts
  const metrics = backupMetrics(deps.metrics)
  const links = new AgentLinks()
  observeBackups(deps.metrics, {
    figures: new BackupFigures({ store, clock }),
    connectedAgents: () => links.count,
    isByComputer: configuration.metricsByComputer,
  })
  const questions = new VolumeQuestions({ links, answerMaxMs: deps.answerMaxMs ?? answerMaxMsDefault })
  const sourceQuestions = new SourceQuestions({ links, answerMaxMs: deps.answerMaxMs ?? answerMaxMsDefault })
  const hostQuestions = new HostQuestions({ links, answerMaxMs: deps.answerMaxMs ?? hostAnswerMaxMs })
  const hosts = new Hosts({ store, clock, key })
  const hostSessions = new HostSessions({ store, clock })
  const validations = new Validations({ hosts, questions: hostQuestions })
  const progress = new LiveProgress({ tasks, log })
  const seal = new CredentialSeal(key)
  const sessions = new BackupSessions(vault)
  const openRevisions = new OpenRevisions(vault)
  const commits = new Commits({ vault, revisions })
  const proofs = new Proofs({ store, tasks, metrics, clock })
  const damage = new Damage({ revisions, timers, metrics, clock, log })
  const dispatch = new Dispatch({
    links,
    tasks,
    proofs,
    progress,
    seal,
    sessions,
    openRevisions,
    damage,
    metrics,
    log,
  })
  const comparisons = new DiskComparisons({ links, actions, log })
  const sets = new Sets({ store, clock, timers })
  const setChecks = new SetChecks({ sets, links, questions, sourceQuestions, log })
  const verifications = new Verifications({ vault, revisions, timers, damage, metrics, clock, log })
  const healing = new Healing({ verifications, log })
  const requested = new RequestedVerifications({ actions, verifications, log })
  const afterRun = upkeepAfterRun({ vault, revisions, removal, verifications, log })
  const runs = new SetRuns({
    store,
    sets,
    actions,
    tasks,
    dispatch,
    links,
    questions,
    afterRun,
    clock,
    log,
  })
  const lookEveryMs = deps.lookEveryMs ?? configuration.upkeep.lookEverySeconds * 1000
  const setProofs = new SetProofs({
    hosts,
    tasks,
    dispatch,
    seal,
    revisions,
    validations,
    actions,
    computers,
    links,
    everyMs: Math.min(lookEveryMs, proofLookEveryMsMax),
  })
  const jobs = new UpkeepJobs({
    store,
    vault,
    sets,
    actions,
    runs,
    timers,
    removal,
    purge: new Purge({ store, vault, revisions, removal, credentials, operators, timers, clock, log }),
    verifications,
    computers,
    revisions,
    damage,
    setProofs,
    clock,
    log,
    upkeep: configuration.upkeep,
  })
  const jobRunner = new JobRunner({
    name: 'upkeep',
    jobs,
    clock,
    log,
    pollIntervalMs: lookEveryMs,
    concurrencyMax: jobsOfKindMax,
    beforePoll: (now) => jobs.beforePoll(now),
  })
  const starting = new AbortController()
  const findings = new FindingsFile(deps.dataDirectory)
  const started = checkAtStart(
    { vault, computers, verifications, damage, metrics, findings, log },
    starting.signal,
  ).catch((err: unknown) => {
    // What is not looked at before the service ends the next start looks at.
    if (!starting.signal.aborted) log.error({ err }, 'the vault could not be looked at')
  })
  const authentication = new AgentAuthentication(computers)
  const access = new AgentAccess({ computers, authentication, links, damage, log })
  const deletion = new Deletion({ sets, timers, clock, graceMs: configuration.deletionGraceDays * dayMs })
  const deletedAgents = new DeletedAgents({ store, access, dispatch })
  const authorisation = new Authorisation({ credentials, operators, computers })
  const { basePath } = configuration
  const forTasks = { basePath, authorisation, tasks, progress, dispatch, links, revisions, seal }
  const forHosts = { authorisation, links, revisions, hosts, hostSessions, hostQuestions, validations }
  const linkWork = new LinkWork()
  const forLinks = {
    authentication,
    links,
    work: linkWork,
    computers,
    tasks,
    progress,
    dispatch,
    questions,
    sourceQuestions,
    setChecks,
    hostQuestions,
    comparisons,
    runs,
    clock,
    log,
  }

  return {
    attention: new BackupAttention({ store, clock, links }),
    queues: [{ name: 'upkeep', runner: jobRunner }],
    administered: [
      accountResource({ deletion, deletedAgents, operators }),
      computerResource({ digests, links, access, deletion, deletedAgents, clock }),
      apiClientResource({
        service: 'backup',
        scopes,
        credentials,
        passwords: deps.passwords,
        clock,
        existingAccounts,
      }),
    ],
    routes: async (scope: FastifyInstance) => {
      await scope.register(
        tokenEndpoint({
          credentials,
          grantTypes: ['client_credentials', 'none'],
          scopes: Object.keys(backupScopes),
          clock,
        }),
      )
      await scope.register(computerRoutes({ authorisation, access, computers, links, store, clock }))
      await scope.register(usageRoute({ authorisation, revisions, vault }))
      await scope.register(volumeRoutes({ authorisation, questions, sets }))
      await scope.register(setRoutes({ basePath, authorisation, sets, actions, hosts, setChecks }))
      await scope.register(retentionRoute({ authorisation, sets, revisions, vault }))
      await scope.register(setActionRoutes({ authorisation, sets, actions, runs, revisions, removal, links }))
      await scope.register(actionRoutes({ authorisation, actions, tasks }))
      await scope.register(historyRoutes({ authorisation, store }))
      await scope.register(browseRoutes({ authorisation, revisions }))
      await scope.register(revisionRoutes({ authorisation, revisions, removal, verifications: requested }))
      await scope.register(proofRoutes({ authorisation, revisions, proofs }))
      await scope.register(comparisonRoute({ authorisation, revisions, comparisons }))
      await scope.register(backupRoutes(forTasks))
      await scope.register(restoreRoutes({ ...forTasks, ...forHosts }))
      await scope.register(hostRoutes(forHosts))
      await scope.register(validationRoutes(forHosts))
      await scope.register(enrolmentRoutes({ computers, links, authentication, damage, vault, clock }))
      await scope.register(
        uploadRoutes({
          authentication,
          computers,
          tasks,
          sessions,
          commits,
          metrics,
          healing,
          progress,
          chunkSizeBytes: vault.chunkSizeBytes,
        }),
      )
      await scope.register(downloadRoutes({ authentication, tasks, openRevisions, damage }))
      await scope.register(screenshotRoute({ authentication, proofs }))
      await scope.register(revisionIdsRoute({ authentication, vault }))
      await scope.register(
        linkRoute({ ...forLinks, heartbeat: heartbeat ?? { intervalMs: heartbeatMs, silenceMaxMs } }),
      )
    },
    close: async () => {
      starting.abort()
      await started
      await linkWork.close()
      await jobRunner.close()
      await Promise.all([runs.close(), setChecks.close(), requested.close(), healing.close()])
      await progress.close()
      await vault.close()
    },
  }
}
