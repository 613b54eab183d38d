import {
  answer,
  type BackupClient,
  clientCredentials,
  createBackupClient,
  errorOf,
  waitForTask,
} from '@palisade/sdk'
import { account, computer, secrets } from './configuration.ts'
import type { Progress } from './stage.ts'

const path = { account_id: account, computer_id: computer }
const pollMs = 100

/** A client of the tour's backup account. @param services the address of the services listener, without a path */
export function connect(services: string): BackupClient {
  const baseUrl = `${services}/backup`
  const authorisation = clientCredentials(baseUrl, { clientId: 'tour', clientSecret: secrets.client })
  return createBackupClient({ baseUrl, authorisation })
}

/** Backs the image up and returns the new revision's id. */
export async function backUp(client: BackupClient, image: string, progress: Progress): Promise<number> {
  const started = await answer(
    client.POST('/v2/accounts/{account_id}/computers/{computer_id}/backups', {
      params: { path },
      body: { source: { path: image } },
    }),
  )
  const { id } = started.data
  const backup = await untilEnded(progress, () =>
    answer(
      client.GET('/v2/accounts/{account_id}/computers/{computer_id}/backups/{id}', {
        params: { path: { ...path, id } },
      }),
    ),
  )
  if (typeof backup.revisionId !== 'number') throw new Error('the backup has no revision')
  return backup.revisionId
}

/** Restores a revision as a VHDX and returns the file. */
export async function restore(
  client: BackupClient,
  revision: number,
  folder: string,
  progress: Progress,
): Promise<string> {
  const { response, error } = await client.POST(
    '/v2/accounts/{account_id}/computers/{computer_id}/restore/diskimage/standard/vhd',
    { params: { path }, body: { destination: { path: folder }, diskFormat: 'Vhdx', revisions: [revision] } },
  )
  const id = response.headers.get('x-restore-id')
  if (id === null) throw errorOf(response, error)
  const restored = await untilEnded(progress, () =>
    answer(
      client.GET('/v2/accounts/{account_id}/computers/{computer_id}/restores/{id}', {
        params: { path: { ...path, id } },
      }),
    ),
  )
  const [file] = restored.files
  if (file === undefined) throw new Error('the restore wrote no file')
  return file
}

interface TaskRecord {
  readonly state: string
  readonly step: string
  readonly bytesDone: number
  readonly bytesTotal: number
  readonly error?: { readonly code: string; readonly message: string } | null
}

async function untilEnded<Task extends TaskRecord>(
  progress: Progress,
  read: () => Promise<Task>,
): Promise<Task> {
  const task = await waitForTask(read, {
    everyMs: pollMs,
    onProgress: ({ bytesDone, bytesTotal, step }) => progress.show(bytesDone, bytesTotal, step),
  })
  if (task.state === 'SUCCESS') return task
  throw new Error(task.error ? `${task.error.code}: ${task.error.message}` : task.state)
}
