import { RequestRefused } from '@palisade/platform'
import type { Vault } from '@palisade/vault'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AgentAuthentication } from '../agents/agent-authentication.ts'
import type { Computers } from '../computers/computers.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { BackupSessions } from '../vault/backup-sessions.ts'
import { Leave, PackReceipt, ServerProofs, serverPaths, serverProofHeader } from './server-calls.ts'
import { sessionOfBackup } from './session-of-backup.ts'
import type { UploadsElsewhere } from './uploads-elsewhere.ts'
import { refuseVaultFailures } from './vault-failures.ts'

interface UploadRoute {
  Params: { id: string }
}

interface PackRoute {
  Params: { id: string; packId: string }
}

/** How servers that stand by store chunks themselves; see server-calls.ts. */
export function packRoutes(deps: {
  readonly authentication: AgentAuthentication
  readonly computers: Computers
  readonly tasks: Tasks
  readonly sessions: BackupSessions
  readonly uploadsElsewhere: UploadsElsewhere
  readonly vault: Vault
  /** Of the installation. */
  readonly key: Buffer
}) {
  const { authentication, computers, uploadsElsewhere, vault } = deps
  const proofs = new ServerProofs(deps.key)

  /** @throws RequestRefused forbidden when the call does not come from a server of this installation */
  const requireServer = async ({ headers, params }: FastifyRequest): Promise<void> => {
    const { id, packId } = params as Partial<PackRoute['Params']>
    const about = [id, packId].filter((text) => text !== undefined)
    if (proofs.isProof(headers[serverProofHeader], headers.authorization ?? '', ...about)) return
    throw new RequestRefused('forbidden', 'Only servers of this installation call this.')
  }
  const options = { onRequest: [authentication.check, requireServer] }

  /** A server that is cut off from the storage may have been followed by another, which knows nothing of its sessions. */
  const requireVault = () => {
    if (!vault.isHeld) throw new RequestRefused('unavailable', 'This server may not have the vault any more.')
  }

  return async (scope: FastifyInstance): Promise<void> => {
    refuseVaultFailures(scope)

    scope.post<UploadRoute>(
      serverPaths.upload(':id'),
      { ...options, schema: { hide: true, response: { 200: Leave } } },
      async (request) => {
        const computer = authentication.senderOf(request)
        await sessionOfBackup(deps, computer, request.params.id)
        const endToEnd = (await computers.endToEndKeyCheck(computer)) !== null
        requireVault()
        uploadsElsewhere.note(request.params.id)
        return { ...computer, endToEnd, vault: vault.id }
      },
    )

    scope.post<PackRoute>(
      serverPaths.pack(':id', ':packId'),
      { ...options, schema: { hide: true, response: { 200: PackReceipt } } },
      async (request) => {
        const { id, packId } = request.params
        const session = await sessionOfBackup(deps, authentication.senderOf(request), id)
        const taken = await session.takePack(packId)
        requireVault()
        return { taken }
      },
    )
  }
}
