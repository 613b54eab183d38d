import {
  apiClientResource,
  type ClientCredentials,
  JobRunner,
  type OperatorAuthority,
  type ServiceFoundation,
  type ServiceMetrics,
} from '@palisade/platform'
import type { Vault } from '@palisade/vault'
import type { Actions } from './actions/actions.ts'
import { accountResource } from './administration/account-resource.ts'
import { computerResource } from './administration/computer-resource.ts'
import { DeletedAgents } from './administration/deleted-agents.ts'
import type { Heartbeat } from './agent-routes/heartbeat.ts'
import { LinkWork } from './agent-routes/link-work.ts'
import { AgentAccess } from './agents/agent-access.ts'
import { AgentAuthentication } from './agents/agent-authentication.ts'
import { AgentLinks } from './agents/agent-links.ts'
import { Dispatch } from './agents/dispatch.ts'
import { HostQuestions } from './agents/host-questions.ts'
import { RivalAgents } from './agents/rival-agents.ts'
import { SourceQuestions } from './agents/source-questions.ts'
import { VolumeQuestions } from './agents/volume-questions.ts'
import { type Computers, existingAccounts } from './computers/computers.ts'
import type { EnrolmentDigests } from './computers/enrolment-digest.ts'
import type { BackupConfiguration } from './configuration.ts'
import { HostSessions } from './hosts/host-sessions.ts'
import { Hosts } from './hosts/hosts.ts'
import { Validations } from './machines/validations.ts'
import { BackupFigures } from './metrics/backup-figures.ts'
import { backupMetrics } from './metrics/backup-metrics.ts'
import { observeBackups } from './metrics/observe-backups.ts'
import { SetProofs } from './proofs/set-proofs.ts'
import { Authorisation } from './rest/authorisation.ts'
import type { Adoption } from './revisions/adopt-revisions.ts'
import { Commits } from './revisions/commits.ts'
import { Damage } from './revisions/damage.ts'
import { Proofs } from './revisions/proofs.ts'
import type { Revisions } from './revisions/revisions.ts'
import { scopes } from './scopes.ts'
import { SetChecks } from './sets/set-checks.ts'
import { SetRuns } from './sets/set-runs.ts'
import { Sets } from './sets/sets.ts'
import { LiveProgress } from './tasks/live-progress.ts'
import { CredentialSeal } from './tasks/share-credentials.ts'
import type { Tasks } from './tasks/tasks.ts'
import type { Timers } from './timers.ts'
import { BackupAttention } from './upkeep/backup-attention.ts'
import { checkAtStart } from './upkeep/check-at-start.ts'
import { Deletion } from './upkeep/deletion.ts'
import type { DeletionTrouble } from './upkeep/deletion-trouble.ts'
import { DiskComparisons } from './upkeep/disk-comparisons.ts'
import { Healing } from './upkeep/healing.ts'
import { Purge } from './upkeep/purge.ts'
import { RequestedVerifications } from './upkeep/requested-verifications.ts'
import type { RevisionRemoval } from './upkeep/revision-removal.ts'
import { upkeepAfterRun } from './upkeep/upkeep-after-run.ts'
import { UpkeepJobs } from './upkeep/upkeep-jobs.ts'
import { Verifications } from './upkeep/verifications.ts'
import { BackupSessions } from './vault/backup-sessions.ts'
import { FindingsFile } from './vault/findings-file.ts'
import { OpenRevisions } from './vault/open-revisions.ts'
import type { SharedVault } from './vault/open-service-vault.ts'

const dayMs = 86_400_000
const answerMaxMsDefault = 15_000
/** So many sets are verified at once, and so many proved; each reads the vault. */
const jobsOfKindMax = 8
/** A backup that begins waits for no more than this until a proof gives way. */
const proofLookEveryMsMax = 2000
/** PowerShell and shares take their time, and a question about a host may be several commands. */
const hostAnswerMaxMs = 120_000

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

/** What is made before anything runs: it reads the store, and has the vault open. */
export interface OpenedParts {
  readonly vault: Vault
  readonly digests: EnrolmentDigests
  readonly computers: Computers
  readonly credentials: ClientCredentials
  readonly revisions: Revisions
  readonly tasks: Tasks
  readonly timers: Timers
  readonly removal: RevisionRemoval
  readonly trouble: DeletionTrouble
  readonly actions: Actions
  readonly adoption: Adoption
}

/** Puts the parts together that live as long as the service, and starts what works by itself. */
export function assemble(deps: BackupServiceDependencies, opened: OpenedParts) {
  const { configuration, store, clock, log, key, operators } = deps
  const { vault, digests, computers, credentials, revisions, tasks, timers, removal, trouble, actions } =
    opened
  const metrics = backupMetrics(deps.metrics)
  const links = new AgentLinks()
  observeBackups(deps.metrics, {
    figures: new BackupFigures({ store, clock }),
    connectedAgents: () => links.count,
    isByComputer: configuration.metricsByComputer,
  })
  const rivals = new RivalAgents({ links, clock, log })
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
    trouble,
    purge: new Purge({
      store,
      vault,
      revisions,
      removal,
      credentials,
      operators,
      timers,
      clock,
      agingClock: deps.agingClock ?? clock,
      log,
    }),
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
  const linkWork = new LinkWork()

  return {
    authorisation,
    access,
    authentication,
    links,
    rivals,
    linkWork,
    questions,
    sourceQuestions,
    hostQuestions,
    hosts,
    hostSessions,
    validations,
    progress,
    seal,
    sessions,
    openRevisions,
    commits,
    proofs,
    damage,
    dispatch,
    comparisons,
    sets,
    setChecks,
    healing,
    requested,
    runs,
    metrics,
    attention: new BackupAttention({ store, clock, links, progress, trouble }),
    queues: [{ name: 'upkeep', runner: jobRunner }],
    administered: [
      accountResource({ deletion, deletedAgents, operators }),
      computerResource({ digests, links, access, deletion, deletedAgents, adoption: opened.adoption, clock }),
      apiClientResource({
        service: 'backup',
        scopes,
        credentials,
        passwords: deps.passwords,
        clock,
        existingAccounts,
      }),
    ],
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

/** What the routes of the service call. */
export type LiveParts = ReturnType<typeof assemble>
