import { answer, type BackupClient, type BackupSchemas, type ComputerPath } from '@palisade/sdk'
import { root } from '../data.ts'
import type { Check } from './checks.tsx'

const validations = `${root}/restore/diskimage/standard/vm/validate` as const

/** All that the service looks at before it makes a machine, one by one, so that each can be shown. */
export function machineChecks(
  client: BackupClient,
  path: ComputerPath,
  wish: BackupSchemas['schemas']['MachineRestore'],
): readonly Check[] {
  const { diskLocation, diskFormat, firmwareType, revisions, hostId, sessionId, hostProperties } = wish
  const { cores, memory } = hostProperties
  const params = { path }
  return [
    {
      name: 'path',
      look: () => answer(client.POST(`${validations}/path`, { params, body: { diskLocation } })),
    },
    {
      name: 'agent',
      look: () => answer(client.POST(`${validations}/agent`, { params, body: { diskLocation } })),
    },
    {
      name: 'format',
      look: () =>
        answer(client.POST(`${validations}/network`, { params, body: { diskLocation, diskFormat } })),
    },
    {
      name: 'source',
      look: () =>
        answer(
          client.POST(`${validations}/host/sourcemachine`, { params, body: { firmwareType, revisions } }),
        ),
    },
    {
      name: 'capabilities',
      look: () =>
        answer(
          client.POST(`${validations}/host/capabilities`, {
            params,
            body: { hostId, sessionId, firmwareType, revisions },
          }),
        ),
    },
    {
      name: 'permissions',
      look: () =>
        answer(client.POST(`${validations}/host/permissions`, { params, body: { hostId, diskLocation } })),
    },
    {
      name: 'server',
      look: () =>
        answer(
          client.POST(`${validations}/host/server`, {
            params,
            body: { sessionId, hostId, hostProperties: { cores, memory } },
          }),
        ),
    },
  ]
}
