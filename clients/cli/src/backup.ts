import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { BackupClient } from '@palisade/sdk'
import Table from 'cli-table3'
import { connectToBackup, UsageError } from './connection.ts'
import { follow } from './follow.ts'

/** `palisade backup …`: what the backup service does for one computer. */
export function backupCommand() {
  return new Command('backup')
    .description('back volumes up, list them, restore them')
    .addCommand(computers())
    .addCommand(run())
    .addCommand(volumes())
    .addCommand(restore())
}

/** A command about one account. */
function accountCommand(name: string) {
  return new Command(name)
    .addOption(
      new Option('--server <url>', 'where the services listen')
        .env('PALISADE_SERVER')
        .default('http://127.0.0.1:8080'),
    )
    .addOption(new Option('--client-id <id>', 'who is asking').env('PALISADE_CLIENT_ID'))
    .option('--client-secret-file <file>', 'a file with the secret; else PALISADE_CLIENT_SECRET')
    .requiredOption('--account <id>', 'the account')
}

/** A command about one computer of an account. */
function computerCommand(name: string) {
  return accountCommand(name).requiredOption('--computer <id>', 'the computer')
}

function computers() {
  return accountCommand('computers')
    .description('list the computers of an account')
    .action(async (options) => {
      const client = await connectToBackup(options)
      const rows = await answer(
        client.GET('/v2/accounts/{account_id}/computers', {
          params: { path: { account_id: options.account } },
        }),
      )
      show(
        ['id', 'name', 'online', 'last seen', 'agent'],
        rows.map((one) => [
          one.id,
          one.name,
          one.online ? 'yes' : 'no',
          one.lastSeen ?? 'never',
          one.agentVersion ?? '',
        ]),
      )
    })
}

function run() {
  return computerCommand('run')
    .description('back a raw image, a block device, or a partition of one up')
    .requiredOption('--source <path>', "path on the computer's own file system")
    .option('--partition <number>', 'the partition, counted from 1; the whole when left out', positiveInteger)
    .option('--no-wait', 'do not wait until it has ended')
    .action(async (options) => {
      const client = await connectToBackup(options)
      const path = pathOf(options)
      const { data } = await answer(
        client.POST('/v2/accounts/{account_id}/computers/{computer_id}/backups', {
          params: { path },
          body: {
            source: {
              path: options.source,
              ...(options.partition === undefined ? {} : { partition: options.partition }),
            },
          },
        }),
      )
      if (!options.wait) {
        console.log(`backup ${data.id} has started`)
        return
      }
      const ended = await follow('backup', () => readBackup(client, path, data.id))
      report(ended, `revision ${ended.revisionId}`)
    })
}

function volumes() {
  return computerCommand('volumes')
    .description('list the volumes that can be restored, with their newest revisions')
    .action(async (options) => {
      const client = await connectToBackup(options)
      const rows = await answer(
        client.GET(
          '/v2/accounts/{account_id}/computers/{computer_id}/restore/diskimage/standard/browse/volumes',
          {
            params: { path: pathOf(options) },
          },
        ),
      )
      show(
        ['revision', 'label', 'drive', 'capacity', 'used', 'boot', 'date', 'device'],
        rows.map((one) => [
          one.Id,
          one.Label,
          one.DriveLetter,
          one.Capacity,
          one.UsedSpace,
          one.IsBoot ? 'yes' : 'no',
          one.DateTime,
          one.DeviceId,
        ]),
      )
    })
}

function restore() {
  return computerCommand('restore')
    .description('write revisions as virtual disks to a folder of the computer')
    .requiredOption('--revision <ids...>', 'revisions, at most one a volume', collectIntegers, [] as number[])
    .requiredOption('--to <folder>', "folder on the computer's own file system")
    .addOption(
      new Option('--format <format>', 'disk format')
        .choices(['vhd', 'vhdx'] as const)
        .default('vhdx' as const),
    )
    .option('--no-wait', 'do not wait until it has ended')
    .action(async (options) => {
      const client = await connectToBackup(options)
      const path = pathOf(options)
      const { response, error } = await client.POST(
        '/v2/accounts/{account_id}/computers/{computer_id}/restore/diskimage/standard/vhd',
        {
          params: { path },
          body: {
            destination: { path: options.to },
            diskFormat: options.format === 'vhd' ? 'Vhd' : 'Vhdx',
            revisions: options.revision,
          },
        },
      )
      const id = response.headers.get('x-restore-id')
      if (error !== undefined || id === null) throw new UsageError(describe(error))
      if (!options.wait) {
        console.log(`restore ${id} has started`)
        return
      }
      const ended = await follow('restore', () => readRestore(client, path, id))
      report(ended, ended.files.join('\n'))
    })
}

interface ComputerPath {
  readonly account_id: string
  readonly computer_id: string
}

function pathOf(options: { account: string; computer: string }): ComputerPath {
  return { account_id: options.account, computer_id: options.computer }
}

function readBackup(client: BackupClient, path: ComputerPath, id: string) {
  return answer(
    client.GET('/v2/accounts/{account_id}/computers/{computer_id}/backups/{id}', {
      params: { path: { ...path, id } },
    }),
  )
}

function readRestore(client: BackupClient, path: ComputerPath, id: string) {
  return answer(
    client.GET('/v2/accounts/{account_id}/computers/{computer_id}/restores/{id}', {
      params: { path: { ...path, id } },
    }),
  )
}

/** The body of a successful reply; what the server refused becomes a message. */
async function answer<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await call
  if (data === undefined) throw new UsageError(describe(error))
  return data
}

function describe(error: unknown): string {
  const errors = typeof error === 'object' && error !== null && 'errors' in error ? error.errors : undefined
  return Array.isArray(errors) ? errors.join('\n') : 'The server refused without saying why.'
}

function report(
  task: { state: string; error?: { code: string; message: string } | null },
  result: string,
): void {
  if (task.state === 'SUCCESS') console.log(result)
  else
    throw new UsageError(
      task.error ? `${task.error.code}: ${task.error.message}` : `It ended as ${task.state}.`,
    )
}

function show(head: string[], rows: (string | number)[][]): void {
  const table = new Table({ head, style: { head: [], border: [] } })
  table.push(...rows)
  console.log(table.toString())
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.')
  return Number(text)
}

function collectIntegers(text: string, previous: number[]): number[] {
  return [...previous, positiveInteger(text)]
}
