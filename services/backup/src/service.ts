import {
  ClientCredentials,
  type HttpService,
  migrate,
  type Provisioning,
  refuseProblems,
  type ServiceWarning,
  warnOfUnknownAccounts,
} from '@palisade/platform'
import { Actions } from './actions/actions.ts'
import { assemble, type BackupServiceDependencies } from './assemble.ts'
import { problemsOfBackup } from './check-configuration.ts'
import { Computers, existingAccounts } from './computers/computers.ts'
import { EnrolmentDigests } from './computers/enrolment-digest.ts'
import { provisionComputers } from './computers/provision-computers.ts'
import type { BackupConfiguration } from './configuration.ts'
import { backupContract } from './contract.ts'
import { errorList } from './envelope.ts'
import { backupMigrations } from './migrations.ts'
import { Adoption } from './revisions/adopt-revisions.ts'
import { Revisions } from './revisions/revisions.ts'
import { backupServiceRoutes } from './routes.ts'
import { Tasks } from './tasks/tasks.ts'
import { Timers } from './timers.ts'
import { DeletionTrouble } from './upkeep/deletion-trouble.ts'
import { RevisionRemoval } from './upkeep/revision-removal.ts'
import { openServiceVault } from './vault/open-service-vault.ts'

const dayMs = 86_400_000

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
  let adoption: Adoption | undefined
  const provisioning: Provisioning<BackupConfiguration> = {
    problems: async () => [],
    apply: async ({ accounts, apiClients }) => {
      await provisionComputers(accounts, deps.configurationFile, { store, digests })
      await adoption?.ofAdded()
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
  const trouble = new DeletionTrouble()
  const removal = new RevisionRemoval({ store, vault, revisions, tasks, timers, trouble, clock, log, upkeep })
  const actions = new Actions({ store, clock })
  const graceMs = configuration.deletionGraceDays * dayMs
  const adopting = new Adoption({ vault, computers, revisions, graceMs, clock, log })
  try {
    await removal.finish()
    await adopting.atStart()
    await actions.endInterrupted('verify-revision')
    await actions.endInterrupted('compare-disk')
    await actions.endInterrupted('prove-set')
  } catch (error) {
    await vault.close()
    throw error
  }
  adoption = adopting
  const opened = {
    vault,
    digests,
    computers,
    credentials,
    revisions,
    tasks,
    timers,
    removal,
    trouble,
    actions,
    adoption,
  }
  const parts = assemble(deps, opened)
  return {
    name: 'backup',
    title: 'Palisade backup',
    basePath: configuration.basePath,
    envelope: errorList,
    contract: backupContract(configuration.basePath),
    warnings: () => warnings,
    attention: async () => [
      ...adopting.attention(),
      ...parts.rivals.attention(),
      ...(await parts.attention.read()),
    ],
    queues: () => parts.queues,
    administered: parts.administered,
    provisioning,
    vaultId: vault.id,
    hasVault: () => vault.isHeld,
    isVaultAsked: () => vault.isAsked,
    leaveVault: () => vault.close(),
    routes: backupServiceRoutes(deps, opened, parts),
    close: parts.close,
  }
}
