import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, keyFile, type Log } from '@palisade/platform'
import { createVault, DirectoryBackend, openVault, type Vault, vaultExists } from '@palisade/vault'

/**
 * Opens the vault in the data directory; a first start makes it, with its key file beside it.
 *
 * @throws Error when there is a vault but its key file is gone: a new key would open nothing
 */
export async function openServiceVault(deps: {
  readonly dataDirectory: string
  readonly clock: Clock
  readonly log: Log
}): Promise<Vault> {
  const { dataDirectory, clock, log } = deps
  const backend = new DirectoryBackend(join(dataDirectory, 'vault'))
  const file = join(dataDirectory, 'vault.key')
  const options = { backend, key: { file }, nowMs: () => clock.now() }
  const exists = await vaultExists(backend)
  if (!existsSync(file)) {
    if (exists) {
      throw new Error(
        `${file} is missing, and without it nothing in the vault can be read: put your copy of it back`,
      )
    }
    await makeKeyFile(file, dataDirectory)
    log.warn(
      { file },
      'a new key for the vault was made: keep a copy elsewhere, without it every backup is lost',
    )
  }
  return exists ? openVault(options) : createVault(options)
}

/** The key and its name are durable before anything is sealed with it. */
async function makeKeyFile(file: string, directory: string): Promise<void> {
  keyFile(file)
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
