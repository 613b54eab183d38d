import { heartbeatMs, silenceMaxMs } from '@palisade/agent-protocol'
import {
  ClientCredentials,
  type HttpService,
  migrate,
  type ServiceFoundation,
  tokenEndpoint,
} from '@palisade/platform'
import type { Vault } from '@palisade/vault'
import type { FastifyInstance } from 'fastify'
import { AgentAuthentication } from './agents/agent-authentication.ts'
import { AgentLinks } from './agents/agent-links.ts'
import { downloadRoutes } from './agents/download-routes.ts'
import { enrolmentRoutes } from './agents/enrolment-routes.ts'
import type { Heartbeat } from './agents/heartbeat.ts'
import { linkRoute } from './agents/link-route.ts'
import { uploadRoutes } from './agents/upload-routes.ts'
import { checkAccounts } from './check-accounts.ts'
import { Computers } from './computers/computers.ts'
import { EnrolmentDigests } from './computers/enrolment-digest.ts'
import type { BackupConfiguration } from './configuration.ts'
import { errorList } from './envelope.ts'
import { Authorisation } from './rest/authorisation.ts'
import { backupRoutes } from './rest/backup-routes.ts'
import { browseRoutes } from './rest/browse-routes.ts'
import { computerRoutes } from './rest/computer-routes.ts'
import { restoreRoutes } from './rest/restore-routes.ts'
import { adoptRevisions } from './revisions/adopt-revisions.ts'
import { Commits } from './revisions/commits.ts'
import { Revisions } from './revisions/revisions.ts'
import { backupMigrations } from './tables.ts'
import { Dispatch } from './tasks/dispatch.ts'
import { LiveProgress } from './tasks/live-progress.ts'
import { CredentialSeal } from './tasks/share-credentials.ts'
import { Tasks } from './tasks/tasks.ts'
import { BackupSessions } from './vault/backup-sessions.ts'
import { OpenRevisions } from './vault/open-revisions.ts'
import { openServiceVault } from './vault/open-service-vault.ts'

/** What the backup service stands on. */
export interface BackupServiceDependencies extends ServiceFoundation {
  readonly configuration: BackupConfiguration
  /** When agents are pinged and taken for dead; as the protocol says when left out. */
  readonly heartbeat?: Heartbeat
}

/**
 * The backup service: migrates its tables, applies what is provisioned, opens the vault and returns its routes,
 * those for people and programs and those for agents. Needs the tables of `oauthMigrations`.
 *
 * @throws Error when the vault cannot be opened: its key file is gone, or another process has it
 */
export async function createBackupService(deps: BackupServiceDependencies): Promise<HttpService> {
  const { configuration, store, passwords, clock, log } = deps
  checkAccounts(configuration.accounts)
  await migrate(store, 'backup', backupMigrations)
  const computers = new Computers({ store, clock, digests: new EnrolmentDigests(deps.key) })
  await computers.provision(configuration.accounts)
  const credentials = new ClientCredentials({ service: 'backup', store, passwords, clock })
  await credentials.provision(configuration.apiClients)

  const revisions = new Revisions(store)
  const vault = await openServiceVault(deps)
  try {
    await adoptRevisions({ vault, computers, revisions, log })
  } catch (error) {
    await vault.close()
    throw error
  }
  const { routes, close } = assemble(deps, { vault, computers, credentials, revisions })
  return {
    name: 'backup',
    title: 'Palisade backup',
    basePath: configuration.basePath,
    envelope: errorList,
    routes,
    close,
  }
}

/** Puts the parts together that live as long as the service. */
function assemble(
  { configuration, store, clock, log, key, heartbeat }: BackupServiceDependencies,
  parts: { vault: Vault; computers: Computers; credentials: ClientCredentials; revisions: Revisions },
) {
  const { vault, computers, credentials, revisions } = parts
  const links = new AgentLinks()
  const tasks = new Tasks({ store, clock })
  const progress = new LiveProgress({ tasks, log })
  const seal = new CredentialSeal(key)
  const sessions = new BackupSessions(vault)
  const openRevisions = new OpenRevisions(vault)
  const commits = new Commits({ vault, revisions })
  const dispatch = new Dispatch({ links, tasks, progress, seal, sessions, openRevisions, log })
  const authentication = new AgentAuthentication(computers)
  const authorisation = new Authorisation({ credentials, computers })
  const forTasks = {
    basePath: configuration.basePath,
    authorisation,
    tasks,
    progress,
    dispatch,
    links,
    revisions,
    seal,
  }

  return {
    routes: async (scope: FastifyInstance) => {
      await scope.register(tokenEndpoint({ credentials, grantTypes: ['client_credentials', 'none'] }))
      await scope.register(computerRoutes({ authorisation, computers, links, clock }))
      await scope.register(browseRoutes({ authorisation, revisions }))
      await scope.register(backupRoutes(forTasks))
      await scope.register(restoreRoutes(forTasks))
      await scope.register(enrolmentRoutes({ computers, links, authentication, vault, clock }))
      await scope.register(
        uploadRoutes({ authentication, tasks, sessions, commits, chunkSizeBytes: vault.chunkSizeBytes }),
      )
      await scope.register(downloadRoutes({ authentication, tasks, openRevisions }))
      await scope.register(
        linkRoute({
          authentication,
          links,
          computers,
          tasks,
          progress,
          dispatch,
          heartbeat: heartbeat ?? { intervalMs: heartbeatMs, silenceMaxMs },
          clock,
          log,
        }),
      )
    },
    close: async () => {
      await progress.close()
      await vault.close()
    },
  }
}
