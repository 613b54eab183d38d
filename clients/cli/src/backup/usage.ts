import { answer, type BackupClient, type BackupSchemas, type ComputerPath } from '@palisade/sdk'
import { connectToBackup } from '../connection.ts'
import { printList } from '../output.ts'
import { accountCommand } from './computer-command.ts'

type Usage = BackupSchemas['schemas']['VaultUsage'] & { readonly computer: string }

/** `palisade backup usage`: how much is kept, and what it occupies. */
export function usage() {
  return accountCommand('usage', {
    operations: ['listComputers', 'getVaultUsage'],
    examples: ['usage', 'usage --computer 0001'],
  })
    .description('show how much the revisions of computers hold, and what they occupy in the vault')
    .option('--computer <id>', 'of one computer; of all of the account when left out')
    .action(async (options) => {
      const client = connectToBackup(options)
      const account_id = options.account
      const computers =
        options.computer === undefined
          ? await answer(
              client.GET('/v2/accounts/{account_id}/computers', { params: { path: { account_id } } }),
            )
          : [{ id: options.computer }]
      const rows: Usage[] = []
      // One after the other: for each the vault may have to read what it has.
      for (const { id } of computers) rows.push(await usageOf(client, { account_id, computer_id: id }))
      printList(
        rows,
        [
          ['computer', ({ computer }) => computer],
          ['revisions', ({ revisions }) => revisions],
          ['bytes', ({ revisionBytes }) => revisionBytes],
          ['different bytes', ({ chunkBytes }) => chunkBytes],
          ['stored bytes', ({ storedBytes }) => storedBytes],
          ['saved', ({ revisionBytes, storedBytes }) => savedText(revisionBytes, storedBytes)],
        ],
        options,
      )
    })
}

async function usageOf(client: BackupClient, path: ComputerPath): Promise<Usage> {
  const usage = await answer(
    client.GET('/v2/accounts/{account_id}/computers/{computer_id}/vault-usage', { params: { path } }),
  )
  return { computer: path.computer_id, ...usage }
}

/** The share that deduplication and compression have saved together. */
function savedText(held: number, stored: number): string {
  return held === 0 ? '' : `${Math.max(0, Math.round((1 - stored / held) * 100))} %`
}
