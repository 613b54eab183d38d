import { type BackupClient, type ComputerPath, offersOf, registerHost } from '@palisade/sdk'
import { UsageError } from '../connection.ts'

/** Registers a host that a machine is to be made on. @throws UsageError when none can be made there */
export async function chooseHost(client: BackupClient, path: ComputerPath, hostName: string | undefined) {
  const { id, sessionId, hostUnsupported, hostUnsupportedMessage } = await registerHost(
    client,
    path,
    hostName,
  )
  if (hostUnsupported) throw new UsageError(hostUnsupportedMessage)
  return { id, sessionId, ...(await offersOf(client, path, { id, sessionId })) }
}
