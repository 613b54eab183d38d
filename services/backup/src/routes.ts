import { heartbeatMs, silenceMaxMs } from '@palisade/agent-protocol'
import { tokenEndpoint } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { downloadRoutes } from './agent-routes/download-routes.ts'
import { enrolmentRoutes } from './agent-routes/enrolment-routes.ts'
import { linkRoute } from './agent-routes/link-route.ts'
import { revisionIdsRoute } from './agent-routes/revision-ids-route.ts'
import { screenshotRoute } from './agent-routes/screenshot-route.ts'
import { uploadRoutes } from './agent-routes/upload-routes.ts'
import type { BackupServiceDependencies, LiveParts, OpenedParts } from './assemble.ts'
import { backupScopes } from './contract.ts'
import { actionRoutes } from './rest/action-routes.ts'
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

/** Registers the routes for people and programs, and those for agents. */
export function backupServiceRoutes(
  deps: BackupServiceDependencies,
  { vault, computers, credentials, revisions, tasks, removal, actions }: OpenedParts,
  parts: LiveParts,
) {
  const { store, clock, log, heartbeat, configuration } = deps
  const {
    authorisation,
    access,
    authentication,
    links,
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
  } = parts
  const { basePath } = configuration
  const forTasks = { basePath, authorisation, tasks, progress, dispatch, links, revisions, seal }
  const forHosts = { authorisation, links, revisions, hosts, hostSessions, hostQuestions, validations }
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

  return async (scope: FastifyInstance): Promise<void> => {
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
  }
}
