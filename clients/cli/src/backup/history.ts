import { Option } from '@commander-js/extra-typings'
import { answer, eachRow } from '@palisade/sdk'
import { connectToBackup } from '../connection.ts'
import { printList } from '../output.ts'
import { accountCommand, positiveInteger } from './computer-command.ts'

/** Rows of the largest page that the history has. */
const pageLengthMax = 50

/** `palisade backup history`: what was backed up and restored, of one computer or of a whole account. */
export function history() {
  return accountCommand('history', {
    operations: ['listAccountHistory', 'listComputerHistory'],
    examples: ['history --type restore', 'history --computer 0001 --since 2030-01-01 --status ERROR'],
  })
    .description('list what was backed up and restored, newest first')
    .option('--computer <id>', 'of one computer; of all of the account when left out')
    .option('--since <moment>', 'a date, or a date and time, in UTC unless it names a zone')
    .addOption(new Option('--type <type>', 'one sort alone').choices(['backup', 'restore'] as const))
    .addOption(
      new Option('--status <status>', 'those that are so alone').choices([
        'RUNNING',
        'SUCCESS',
        'CANCELED',
        'ERROR',
      ] as const),
    )
    .option('--limit <number>', 'how many', positiveInteger, 100)
    .action(async (options) => {
      const client = connectToBackup(options)
      const { account, computer, since, status, type, limit } = options
      const chosen = {
        ...(since === undefined ? {} : { since }),
        ...(status === undefined ? {} : { status }),
        ...(type === undefined
          ? {}
          : { type: type === 'backup' ? ('BACKUP' as const) : ('RESTORE' as const) }),
        order_by: 'LOCAL_START' as const,
        order_dir: 'DESC' as const,
      }
      const read = async (page: number, page_size: number) => {
        const query = { ...chosen, page, page_size }
        const request =
          computer === undefined
            ? client.GET('/v1/accounts/{account_id}/action_history', {
                params: { path: { account_id: account }, query },
              })
            : client.GET('/v1/accounts/{account_id}/computers/{computer_id}/action_history', {
                params: { path: { account_id: account, computer_id: computer }, query },
              })
        return (await answer(request)).list
      }
      const rows: Awaited<ReturnType<typeof read>> = []
      for await (const row of eachRow({ size: Math.min(limit, pageLengthMax), first: 1 }, read)) {
        if (rows.push(row) === limit) break
      }
      printList(
        rows,
        [
          ['id', ({ action_id }) => action_id],
          ['type', (row) => row.type],
          ['computer', ({ computer_id }) => computer_id],
          ['set', ({ backupset_name }) => backupset_name],
          ['status', (row) => row.status],
          ['started', ({ local_start }) => local_start],
          ['ended', ({ local_end }) => local_end],
          ['bytes', ({ bytes }) => bytes],
        ],
        options,
      )
    })
}
