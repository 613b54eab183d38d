import { existsSync } from 'node:fs'
import { type Clock, keyFile, type Log } from '@palisade/platform'
import { folderFailureOf, makeFolder } from '@palisade/start-up'
import {
  createVault,
  openPackContributor,
  openVault,
  type PackContributor,
  readVaultKeys,
  requireEmptyPlace,
  type Vault,
  vaultExists,
} from '@palisade/vault'
import { syncFolderOf } from './sync-folder.ts'
import { checkVaultConfiguration, type VaultConfiguration } from './vault-configuration.ts'
import { folderOfVault, type KeyPlace, keySourceOf, namingMembers, placeOfVault } from './vault-place.ts'
import { VaultRecord } from './vault-record.ts'

/** What the vault is opened from. */
interface VaultDependencies {
  /** All defaults when left out. */
  readonly configuration: VaultConfiguration | undefined
  readonly dataDirectory: string
  readonly clock: Clock
  /** Given where several servers have the vault in turn. */
  readonly sharedVault?: SharedVault | undefined
}

/** A vault that several servers of an installation have in turn. */
export interface SharedVault {
  /** Of the vault that the revisions in the store lie in; undefined before there is one. */
  readonly id: string | undefined
}

/**
 * Opens the vault where the configuration says; a first start makes it, and its key file unless there is one or a passphrase.
 *
 * @throws Error naming the member of the configuration that is at fault; when there is a vault but its key file is gone: a new key
 *   would open nothing; and when a place is empty in which this server had a vault
 */
export async function openServiceVault(deps: VaultDependencies & { readonly log: Log }): Promise<Vault> {
  const { configuration = {}, dataDirectory, clock, log, sharedVault } = deps
  checkVaultConfiguration(configuration)
  const { backend, key } = placeOfVault(configuration, dataDirectory, sharedVault !== undefined)
  if (!configuration.s3) makeFolder(folderOfVault(configuration, dataDirectory), 'backup.vault.directory')
  const record = new VaultRecord(dataDirectory)
  const member = configuration.s3 ? 's3' : 'directory'
  return sayingWhenSlow(backend.description, log, () =>
    namingMembers(configuration, async () => {
      const vault = await open()
      try {
        requireSame(sharedVault, vault.id, backend.description)
        await record.write(backend.description, vault.id)
        for (const weakness of vault.weaknessesOfStorage) {
          log.warn({ vault: backend.description }, `the storage of the vault ${weakness}`)
        }
        return vault
      } catch (error) {
        await vault.close()
        throw error
      }
    }),
  )

  async function open(): Promise<Vault> {
    const exists = await vaultExists(backend)
    if (!exists) {
      requireSame(sharedVault, undefined, backend.description)
      await requireEmptyPlace(backend)
      await requireNoFormerVault(record, { member, place: backend.description })
    }
    await requireKey(key, exists, log)
    const options = {
      backend,
      key: await keySourceOf(key, 'backup.vault.passphraseFile'),
      nowMs: () => clock.now(),
    }
    if (exists) {
      const vault = await openVault(options)
      if (vault.healed.length > 0) {
        log.warn(
          { objects: vault.healed },
          'the configuration of the vault was damaged, and was written anew',
        )
      }
      return vault
    }
    const vault = await createVault(options)
    log.warn(
      { vault: backend.description, ...key },
      'a new vault was made: whoever loses its key or passphrase loses every backup in it',
    )
    return vault
  }
}

/**
 * Sees, while another server has the vault, that this one could have it next.
 *
 * @throws Error naming the member of the configuration that is at fault: there is no vault, another one, or its key is not here
 */
export async function requireSharedVault({
  configuration = {},
  dataDirectory,
  sharedVault,
}: Pick<VaultDependencies, 'configuration' | 'dataDirectory' | 'sharedVault'>): Promise<void> {
  checkVaultConfiguration(configuration)
  const { backend, key } = placeOfVault(configuration, dataDirectory, true)
  await namingMembers(configuration, async () => {
    if (!(await vaultExists(backend))) return requireSame(sharedVault, undefined, backend.description)
    requireKeyFile(key)
    const { vaultId } = await readVaultKeys({
      backend,
      key: await keySourceOf(key, 'backup.vault.passphraseFile'),
    })
    requireSame(sharedVault, vaultId, backend.description)
  })
}

/**
 * Opens what this server can write into the vault while another one has it.
 *
 * @throws Error naming the member of the configuration that is at fault
 */
export async function openServiceContributor({
  configuration = {},
  dataDirectory,
  clock,
}: Omit<VaultDependencies, 'sharedVault'>): Promise<PackContributor> {
  checkVaultConfiguration(configuration)
  const { backend, key } = placeOfVault(configuration, dataDirectory, true)
  return namingMembers(configuration, async () => {
    requireKeyFile(key)
    const source = await keySourceOf(key, 'backup.vault.passphraseFile')
    return openPackContributor({ backend, key: source, nowMs: () => clock.now() })
  })
}

/** @param found the id of the vault in a place; undefined when there is none */
function requireSame(sharedVault: SharedVault | undefined, found: string | undefined, place: string): void {
  if (sharedVault?.id === undefined || sharedVault.id === found) return
  const there = found === undefined ? 'no vault' : `another vault, ${found}`
  throw new Error(
    `backup.vault: there is ${there} in ${place}, and the backups of this installation lie in vault ${sharedVault.id}: name the bucket or the folder that its other servers name`,
  )
}

/** @throws Error when this server had a vault in the place that is said to be empty now */
async function requireNoFormerVault(
  record: VaultRecord,
  { member, place }: { readonly member: 's3' | 'directory'; readonly place: string },
): Promise<void> {
  const id = await record.idAt(place)
  if (id === undefined) return
  const found = member === 's3' ? 'says that it is empty' : 'is empty'
  const look =
    member === 's3'
      ? 'see what has become of it.'
      : 'is its file system mounted (findmnt)? Was it moved away?'
  throw new Error(
    `backup.vault.${member}: ${place} ${found}, and it had vault ${id} when this server was started last. Nothing new is made in its place: ${look} To begin with an empty vault there, delete ${record.path}`,
  )
}

/** How long the storage may take to open the vault before the log says what is waited for. */
const slowAfterMs = 5_000

/** The client of S3 gives up a storage that takes requests and never answers after some minutes only, without a word until then. */
async function sayingWhenSlow<Result>(vault: string, log: Log, open: () => Promise<Result>): Promise<Result> {
  const timer = setTimeout(
    () =>
      log.warn(
        { vault },
        'the storage of the vault has not answered for five seconds: the start waits for it, and names what is wrong when it gives up',
      ),
    slowAfterMs,
  )
  try {
    return await open()
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Opens a vault that there is, to look after it: with what opened it, which may be changed.
 *
 * @param deps.heals whether damage to its configuration is put right
 * @throws Error naming the member of the configuration that is at fault
 */
export async function openVaultForUpkeep({
  configuration = {},
  dataDirectory,
  clock,
  heals,
}: VaultDependencies & { readonly heals: boolean }) {
  checkVaultConfiguration(configuration)
  const { backend, key } = placeOfVault(configuration, dataDirectory)
  return namingMembers(configuration, async () => {
    const source = await keySourceOf(key, 'backup.vault.passphraseFile')
    return { vault: await openVault({ backend, key: source, nowMs: () => clock.now(), heals }), key: source }
  })
}

/**
 * The keys that open a vault, and the one of the configuration among them. A server may have the vault meanwhile.
 *
 * @throws Error naming the member of the configuration that is at fault
 */
export async function keysOfServiceVault({
  configuration = {},
  dataDirectory,
}: Omit<VaultDependencies, 'clock'>): ReturnType<typeof readVaultKeys> {
  checkVaultConfiguration(configuration)
  const { backend, key } = placeOfVault(configuration, dataDirectory)
  return namingMembers(configuration, async () =>
    readVaultKeys({ backend, key: await keySourceOf(key, 'backup.vault.passphraseFile') }),
  )
}

async function requireKey(key: KeyPlace, exists: boolean, log: Log): Promise<void> {
  if (!('keyFile' in key) || existsSync(key.keyFile)) return
  const file = key.keyFile
  if (exists) requireKeyFile(key)
  makeKeyFile(file)
  // The key and its name are durable before anything is sealed with it.
  await syncFolderOf(file)
  log.warn(
    { file },
    'a new key for the vault was made: keep a copy elsewhere, without it every backup is lost',
  )
}

function requireKeyFile(key: KeyPlace): void {
  if (!('keyFile' in key) || existsSync(key.keyFile)) return
  throw new Error(
    `${key.keyFile} is missing, and without it nothing in the vault can be read: put your copy of it back`,
  )
}

function makeKeyFile(file: string): void {
  try {
    keyFile(file)
  } catch (error) {
    throw folderFailureOf(error, { folder: file, named: 'backup.vault.keyFile', place: file })
  }
}
