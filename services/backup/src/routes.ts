import { heartbeatMs, silenceMaxMs } from '@palisade/agent-protocol'
import { tokenEndpoint } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { downloadRoutes } from './agent-routes/download-routes.ts'
import { enrolmentRoutes } from './agent-routes/enrolment-routes.ts'
import { linkRoute } from './agent-routes/link-route.ts'
import { packRoutes } from './agent-routes/pack-routes.ts'
import { revisionIdsRoute } from './agent-routes/revision-ids-route.ts'
import { screenshotRoute } from './agent-routes/screenshot-route.ts'
import { uploadRoutes } from './agent-routes/upload-routes.ts'
import { UploadsElsewhere } from './agent-routes/uploads-elsewhere.ts'
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

/** Registers the routes for people and programs, and those for agents. Each takes what its type names of the parts of the service. */
export function backupServiceRoutes(
  { store, clock, log, key, heartbeat, configuration }: BackupServiceDependencies,
  opened: OpenedParts,
  live: LiveParts,
) {
  const uploadsElsewhere = new UploadsElsewhere(clock)
  const parts = { ...opened, ...live, uploadsElsewhere, store, clock, log, basePath: configuration.basePath }

  return async (scope: FastifyInstance): Promise<void> => {
    await scope.register(
      tokenEndpoint({
        credentials: parts.credentials,
        grantTypes: ['client_credentials', 'none'],
        scopes: Object.keys(backupScopes),
        clock,
      }),
    )
    await scope.register(computerRoutes(parts))
    await scope.register(usageRoute(parts))
    await scope.register(volumeRoutes(parts))
    await scope.register(setRoutes(parts))
    await scope.register(retentionRoute(parts))
    await scope.register(setActionRoutes(parts))
    await scope.register(actionRoutes(parts))
    await scope.register(historyRoutes(parts))
    await scope.register(browseRoutes(parts))
    await scope.register(revisionRoutes({ ...parts, verifications: live.requested }))
    await scope.register(proofRoutes(parts))
    await scope.register(comparisonRoute(parts))
    await scope.register(backupRoutes(parts))
    await scope.register(restoreRoutes(parts))
    await scope.register(hostRoutes(parts))
    await scope.register(validationRoutes(parts))
    await scope.register(enrolmentRoutes(parts))
    await scope.register(uploadRoutes({ ...parts, chunkSizeBytes: opened.vault.chunkSizeBytes }))
    await scope.register(packRoutes({ ...parts, key }))
    await scope.register(downloadRoutes(parts))
    await scope.register(screenshotRoute(parts))
    await scope.register(revisionIdsRoute(parts))
    await scope.register(
      linkRoute({
        ...parts,
        work: live.linkWork,
        heartbeat: heartbeat ?? { intervalMs: heartbeatMs, silenceMaxMs },
      }),
    )
  }
}
