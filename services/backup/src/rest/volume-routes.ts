import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { agentOffline } from '../agents/agent-links.ts'
import type { VolumeQuestions } from '../agents/volume-questions.ts'
import { coveredVolumes } from '../sets/select-volumes.ts'
import type { Sets } from '../sets/sets.ts'
import { singleLine } from '../single-line.ts'
import { isSystemVolume } from '../system-volume.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { ComputerPath, DiscoveredVolumeView } from './schemas.ts'
import { discoveredVolumeView } from './views.ts'

const failureLengthMax = 500

/** What a computer has that can be backed up: asked of its agent now. */
export function volumeRoutes(deps: {
  readonly authorisation: Authorisation
  readonly questions: VolumeQuestions
  readonly sets: Sets
}) {
  const { authorisation, questions, sets } = deps

  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<{ Params: AccountParams }>(
      `${computerPattern}/backupsets/diskimage/volumes/browse`,
      {
        onRequest: [authorisation.require('computers_read'), authorisation.require('computers_write')],
        schema: {
          operationId: 'discoverVolumes',
          summary: 'List the volumes that the computer has now',
          description:
            'Asked of the agent, which must be connected. System volumes go with their boot volumes.',
          tags: ['Backup sets'],
          params: ComputerPath,
          response: { 200: Type.Array(DiscoveredVolumeView) },
        },
      },
      async (request) => {
        const computer = authorisation.computerOf(request)
        const volumes = await questions.ask(computer)
        if (volumes === 'unreachable') throw agentOffline()
        if ('failure' in volumes) {
          const why = singleLine(volumes.failure, failureLengthMax)
          throw new RequestRefused('unavailable', `The agent cannot tell its volumes: ${why}`)
        }
        const definitions = (await sets.ofComputer(computer)).map(({ definition }) => definition)
        const covered = coveredVolumes(definitions, volumes.volumes)
        return volumes.volumes
          .filter(({ volume }) => !isSystemVolume(volume))
          .map((volume) => discoveredVolumeView(volume, covered.has(volume.volume.deviceId)))
      },
    )
  }
}
