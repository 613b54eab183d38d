import { readFileSync } from 'node:fs'
import { type BackupClient, createBackupClient, requestAccessToken } from '@palisade/sdk'

/** Options that every command takes: where the server is, and who is asking. */
export interface ConnectionOptions {
  readonly server: string
  readonly clientId?: string | undefined
  readonly clientSecretFile?: string | undefined
}

/** Something that the caller has to mend; shown without a stack trace. */
export class UsageError extends Error {}

/**
 * A client of the backup service. The secret is read from a file or from PALISADE_CLIENT_SECRET, never from the
 * command line, where other users of the machine could see it.
 */
export async function connectToBackup(options: ConnectionOptions): Promise<BackupClient> {
  const { clientId } = options
  const clientSecret = options.clientSecretFile
    ? readFileSync(options.clientSecretFile, 'utf8').trim()
    : process.env.PALISADE_CLIENT_SECRET
  if (!clientId || !clientSecret) {
    throw new UsageError(
      'Say who you are: --client-id and --client-secret-file, or PALISADE_CLIENT_ID and PALISADE_CLIENT_SECRET.',
    )
  }
  const baseUrl = backupAt(options.server)
  const accessToken = await requestAccessToken(baseUrl, { clientId, clientSecret })
  return createBackupClient({ baseUrl, accessToken })
}

/** The backup service's base URL: what was given, with its default path where none was. */
function backupAt(server: string): string {
  if (!URL.canParse(server))
    throw new UsageError(`--server must be a URL, such as http://127.0.0.1:8080, not ${server}.`)
  const url = server.replace(/\/+$/, '')
  return new URL(url).pathname === '/' ? `${url}/backup` : url
}
