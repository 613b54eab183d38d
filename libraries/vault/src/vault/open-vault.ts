import { VaultFailure } from '../failure.ts'
import type { KeySource } from '../keys/master-key.ts'
import type { StorageBackend } from '../storage/backend.ts'
import { configurationCopyName, configurationName, isChunkSize } from './configuration.ts'
import { type KeyDescription, KeyRing } from './key-ring.ts'
import { Vault } from './vault.ts'

/** Where a vault is stored and how it is opened. */
export interface VaultOptions {
  readonly backend: StorageBackend
  readonly key: KeySource
  /** Size at which a pack is finished; by measurement 32 MiB. */
  readonly packSizeBytes?: number
  /** The clock, in milliseconds since 1970. */
  readonly nowMs?: () => number
  /** How much memory the indexes of domains may take of which nothing is backed up or restored at present; 256 MiB. */
  readonly unusedIndexMaxBytes?: number
}

const chunkSizeDefaultBytes = 512 * 1024
/** By measurement; see docs/decisions/vault-format.md. */
export const packSizeDefaultBytes = 32 * 1024 * 1024
const packSizeMaxBytes = 1024 * 1024 * 1024
const unusedIndexMaxDefaultBytes = 256 * 1024 * 1024

/** Whether the storage holds a vault. */
export async function vaultExists(backend: StorageBackend): Promise<boolean> {
  for (const name of [configurationName, configurationCopyName]) {
    if ((await backend.sizeBytes(name)) !== undefined) return true
  }
  return false
}

/**
 * Makes a new vault and opens it. Whoever loses its key or passphrase loses everything in it: tell the user. A place that holds
 * anything is refused: it may be a vault that has lost its configuration, and a new one would make its packs unreadable for good.
 *
 * @throws VaultFailure `vault-exists`, `place-not-empty`, `locked`, `bad-key-file`, `invalid-argument`, `storage`
 */
export async function createVault(
  options: VaultOptions & { readonly chunkSizeBytes?: number },
): Promise<Vault> {
  const { backend, key } = options
  const chunkSizeBytes = options.chunkSizeBytes ?? chunkSizeDefaultBytes
  if (!isChunkSize(chunkSizeBytes)) {
    throw new VaultFailure('invalid-argument', 'the chunk size is a power of two from 4 KiB to 16 MiB')
  }
  return underLock(options, async (nowMs) => {
    if (!(await vaultExists(backend))) await requireEmptyPlace(backend)
    const keyRing = await KeyRing.create(backend, key, chunkSizeBytes, nowMs)
    if (!keyRing) throw new VaultFailure('vault-exists', `${backend.description} holds a vault already`)
    return keyRing
  })
}

/** What {@link createVault} needs, for whoever makes something else before. @throws VaultFailure `place-not-empty`, which says what to do */
export async function requireEmptyPlace(backend: StorageBackend): Promise<void> {
  const [first, ...more] = await backend.list('')
  if (first === undefined) return
  const count = `${more.length + 1} object${more.length > 0 ? 's' : ''}, such as ${first}`
  const remedy = first.startsWith('domains/')
    ? `If backups lie there, put ${configurationName} or ${configurationCopyName} back from a copy of the vault: without one of them no key opens what is stored. To begin with an empty vault, name another place, or move what is there away`
    : 'Name a place that is empty'
  throw new VaultFailure(
    'place-not-empty',
    `${backend.description} holds no vault that can be opened, but ${count}. ${remedy}`,
  )
}

/**
 * Opens a vault for this process alone, and removes what a crash may have left half-written.
 *
 * @param options.heals false when damage to the configuration is to stay for `check` to find; it is put right otherwise
 * @throws VaultFailure `not-a-vault`, `wrong-key`, `locked`, `unsupported-format`, `bad-key-file`, `storage`
 */
export async function openVault(options: VaultOptions & { readonly heals?: boolean }): Promise<Vault> {
  const { backend, key, heals = true } = options
  // Before the lock, which would leave its traces in a place that is none of ours.
  if (!(await vaultExists(backend))) {
    throw new VaultFailure('not-a-vault', `${backend.description} holds no vault`)
  }
  return underLock(options, (nowMs) => KeyRing.open(backend, key, nowMs, heals))
}

/**
 * The keys that open a vault, also while another process has it open: nothing is locked and nothing written. Its configuration is
 * replaced in one step, so that what is read is that before or after a change.
 *
 * @returns all of them, the one that `key` is, and the id of the vault
 * @throws VaultFailure `not-a-vault`, `wrong-key`, `unsupported-format`, `bad-key-file`, `storage`
 */
export async function readVaultKeys({ backend, key }: Pick<VaultOptions, 'backend' | 'key'>): Promise<{
  readonly keys: KeyDescription[]
  readonly own: KeyDescription | undefined
  readonly vaultId: string
}> {
  const keyRing = await KeyRing.open(backend, key, Date.now, false)
  return { keys: keyRing.list(), own: await keyRing.find(key), vaultId: keyRing.configuration.id }
}

async function underLock(
  options: VaultOptions,
  prepare: (nowMs: () => number) => Promise<KeyRing>,
): Promise<Vault> {
  const { backend, packSizeBytes = packSizeDefaultBytes, nowMs = Date.now } = options
  const { unusedIndexMaxBytes = unusedIndexMaxDefaultBytes } = options
  if (!(packSizeBytes > 0 && packSizeBytes <= packSizeMaxBytes)) {
    throw new VaultFailure('invalid-argument', 'packs are at most 1 GiB')
  }
  const lock = await backend.lock()
  try {
    const keyRing = await prepare(nowMs)
    await backend.removeUnfinished()
    backend.relyOn?.([configurationName, configurationCopyName])
    return new Vault({ backend, lock, keyRing, packSizeBytes, unusedIndexMaxBytes, nowMs })
  } catch (error) {
    await lock.release()
    throw error
  }
}
