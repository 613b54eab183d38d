import { randomUUID } from 'node:crypto'
import { VaultFailure } from '../failure.ts'
import { type KeySource, loadMasterKey } from '../keys/master-key.ts'
import { newPassphraseParameters } from '../keys/passphrase.ts'
import { readObject, type StorageBackend } from '../storage/backend.ts'
import {
  assertKeyOf,
  configurationName,
  isChunkSize,
  keyCheckOf,
  parseConfiguration,
  serializeConfiguration,
  type VaultConfiguration,
} from './configuration.ts'
import { Vault } from './vault.ts'

export interface VaultOptions {
  readonly backend: StorageBackend
  readonly key: KeySource
  /** Size at which a pack is finished; by measurement 32 MiB. */
  readonly packSizeBytes?: number
  /** The clock, in milliseconds since 1970. */
  readonly nowMs?: () => number
}

const chunkSizeDefaultBytes = 1024 * 1024
const packSizeDefaultBytes = 32 * 1024 * 1024
const packSizeMaxBytes = 1024 * 1024 * 1024

/** Whether the storage holds a vault. */
export async function vaultExists(backend: StorageBackend): Promise<boolean> {
  return (await backend.sizeBytes(configurationName)) !== undefined
}

/**
 * Makes a new vault and opens it. Whoever loses its key or passphrase loses everything in it: tell the user.
 *
 * @throws VaultFailure `vault-exists`, `locked`, `bad-key-file`, `invalid-argument`, `storage`
 */
export async function createVault(
  options: VaultOptions & { readonly chunkSizeBytes?: number },
): Promise<Vault> {
  const { backend, key } = options
  const chunkSizeBytes = options.chunkSizeBytes ?? chunkSizeDefaultBytes
  if (!isChunkSize(chunkSizeBytes)) {
    throw new VaultFailure('invalid-argument', 'the chunk size is a power of two from 4 KiB to 16 MiB')
  }
  return underLock(options, async () => {
    if (await vaultExists(backend)) {
      throw new VaultFailure('vault-exists', `${backend.description} holds a vault already`)
    }
    const id = randomUUID()
    const passphrase = 'passphrase' in key ? newPassphraseParameters() : null
    const masterKey = await loadMasterKey(key, passphrase)
    const keyCheck = keyCheckOf(masterKey, id, chunkSizeBytes)
    const configuration = { id, chunkSizeBytes, passphrase, keyCheck }
    await backend.put(configurationName, serializeConfiguration(configuration))
    return { configuration, masterKey }
  })
}

/**
 * Opens a vault for this process alone, and removes what a crash may have left half-written.
 *
 * @throws VaultFailure `not-a-vault`, `wrong-key`, `locked`, `unsupported-format`, `bad-key-file`, `storage`
 */
export async function openVault(options: VaultOptions): Promise<Vault> {
  const { backend, key } = options
  // Before the lock, which would leave its traces in a place that is none of ours.
  if (!(await vaultExists(backend))) throw noVault(backend)
  return underLock(options, async () => {
    const content = await readObject(backend, configurationName)
    if (!content) throw noVault(backend)
    const configuration = parseConfiguration(content)
    const masterKey = await loadMasterKey(key, configuration.passphrase)
    assertKeyOf(configuration, masterKey)
    return { configuration, masterKey }
  })
}

async function underLock(
  options: VaultOptions,
  prepare: () => Promise<{ configuration: VaultConfiguration; masterKey: Uint8Array }>,
): Promise<Vault> {
  const { backend, packSizeBytes = packSizeDefaultBytes, nowMs = Date.now } = options
  if (!(packSizeBytes > 0 && packSizeBytes <= packSizeMaxBytes)) {
    throw new VaultFailure('invalid-argument', 'packs are at most 1 GiB')
  }
  const lock = await backend.lock()
  try {
    const { configuration, masterKey } = await prepare()
    await backend.removeUnfinished()
    return new Vault({ backend, lock, configuration, masterKey, packSizeBytes, nowMs })
  } catch (error) {
    await lock.release()
    throw error
  }
}

function noVault(backend: StorageBackend): VaultFailure {
  return new VaultFailure('not-a-vault', `${backend.description} holds no vault`)
}
