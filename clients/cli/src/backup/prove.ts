import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { answer, type BackupClient, type ComputerPath, originalOf, sizeOn } from '@palisade/sdk'
import { connectToBackup, UsageError } from '../connection.ts'
import { chooseHost } from './choose-host.ts'
import { machineCommand, pathOf, positiveInteger } from './computer-command.ts'
import { followRestore } from './restores.ts'

/** `palisade backup prove`: whether a machine of some revisions starts, without leaving one. */
export function prove() {
  return machineCommand('prove', {
    operations: ['getProofScreenshot'],
    examples: ['prove --revision 12 14 --screenshot files01.png'],
  })
    .description(
      'make a machine of revisions that nobody can reach, start it, see whether its system runs, and remove it',
    )
    .option('--to <folder>', 'where its disks are meanwhile; the place that the host offers when left out')
    .option('--timeout <seconds>', 'how long its system may take; ten minutes when left out', positiveInteger)
    .option('--sign <text>', 'what else the machine says when its system runs, on its serial line or screen')
    .option('--screenshot <file>', 'where the picture of its screen goes, a PNG')
    .option('--no-wait', 'do not wait until it has ended')
    .action(async (options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const { settings, capabilities, ...host } = await chooseHost(client, path, options.host)
      const original = await originalOf(client, path, options.revision)
      const started = await client.POST(
        '/v2/accounts/{account_id}/computers/{computer_id}/restore/diskimage/standard/vm',
        {
          params: { path },
          body: {
            sessionId: host.sessionId,
            hostId: host.id,
            recoveryType: 'TestRecovery',
            diskLocation: { path: options.to ?? settings.virtualDisksPath },
            diskFormat: capabilities.supportsVhdxFormat ? 'Vhdx' : 'Vhd',
            firmwareType: original?.firmwareType ?? 'Bios',
            hostProperties: { name: `proof ${randomUUID()}`, ...sizeOn(settings, original) },
            revisions: options.revision,
            prove: true,
            ...(options.sign === undefined ? {} : { proveSign: options.sign }),
            ...(options.timeout === undefined ? {} : { proveTimeoutSeconds: options.timeout }),
          },
        },
      )
      const { proof } =
        (await followRestore(client, path, started, { ...options, title: 'proof' }, resultOf)) ?? {}
      if (!proof) return
      if (options.screenshot !== undefined) {
        await savePicture(client, path, options.revision[0] ?? 0, options.screenshot)
      }
      if (proof.state !== 'RUNS')
        throw new UsageError('It is not proved that a machine of these revisions starts.')
    })
}

function resultOf({ proof }: { readonly proof: { state: string; reason: string } | null }): string {
  return proof === null ? 'no verdict' : `${proof.state.toLowerCase()}: ${proof.reason}`
}

async function savePicture(client: BackupClient, path: ComputerPath, revision: number, file: string) {
  const data = await answer(
    client.GET('/v2/accounts/{account_id}/computers/{computer_id}/revisions/{id}/proof/screenshot', {
      params: { path: { ...path, id: String(revision) } },
      parseAs: 'arrayBuffer',
    }),
  )
  await writeFile(file, Buffer.from(data))
}
