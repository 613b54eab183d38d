import { type BackupClient, createBackupClient, requestAccessToken } from '@palisade/sdk'
import { account, computer, secrets } from './configuration.ts'
import type { Progress } from './stage.ts'

const path = { account_id: account, computer_id: computer }
const pollMs = 100

export async function connect(services: string): Promise<BackupClient> {
  const baseUrl = `${services}/backup`
  const accessToken = await requestAccessToken(baseUrl, { clientId: 'tour', clientSecret: secrets.client })
  return createBackupClient({ baseUrl, accessToken })
}

/** Backs the image up and returns the new revision's id. */
export async function backUp(client: BackupClient, image: string, progress: Progress): Promise<number> {
  const { data: started, error } = await client.POST(
    '/v2/accounts/{account_id}/computers/{computer_id}/backups',
    {
      params: { path },
      body: { source: { path: image } },
    },
  )
  if (!started) throw new Error(`the backup was refused: ${JSON.stringify(error)}`)
  const { id } = started.data
  const backup = await untilEnded(progress, async () => {
    const { data } = await client.GET('/v2/accounts/{account_id}/computers/{computer_id}/backups/{id}', {
      params: { path: { ...path, id } },
    })
    return data
  })
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
  if (id === null) throw new Error(`the restore was refused: ${JSON.stringify(error)}`)
  const restored = await untilEnded(progress, async () => {
    const { data } = await client.GET('/v2/accounts/{account_id}/computers/{computer_id}/restores/{id}', {
      params: { path: { ...path, id } },
    })
    return data
  })
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
  read: () => Promise<Task | undefined>,
): Promise<Task> {
  for (;;) {
    const task = await read()
    if (!task) throw new Error('the server no longer knows the task')
    progress.show(task.bytesDone, task.bytesTotal, task.step)
    if (task.state === 'SUCCESS') return task
    if (task.state !== 'RUNNING')
      throw new Error(task.error ? `${task.error.code}: ${task.error.message}` : task.state)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
