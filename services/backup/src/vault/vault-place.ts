import { join } from 'node:path'
import { readCertificates } from '@palisade/start-up'
import {
  DirectoryBackend,
  type KeySource,
  S3Backend,
  type StorageBackend,
  VaultFailure,
  type VaultFailureCode,
} from '@palisade/vault'
import { readPassphraseFile } from './passphrase-file.ts'
import type { VaultConfiguration } from './vault-configuration.ts'

/** Where a file is that opens a vault, and of which kind it is. */
export type KeyPlace = { readonly keyFile: string } | { readonly passphraseFile: string }

/** Where the vault lies and what opens it, with every default. */
export interface VaultPlace {
  readonly backend: StorageBackend
  readonly key: KeyPlace
}

/**
 * How long a vault stays locked that several servers have in turn, after the machine of the one that had it has died: that one has
 * stopped writing after two thirds of it.
 */
const sharedLease = { leaseMs: 15_000, asksHolder: true }

/**
 * @param configuration one that `checkVaultConfiguration` has let through
 * @param isShared whether several servers have the vault in turn
 */
export function placeOfVault(
  configuration: VaultConfiguration,
  dataDirectory: string,
  isShared = false,
): VaultPlace {
  const { s3, keyFile, passphraseFile } = configuration
  const lease = isShared ? sharedLease : undefined
  return {
    backend: s3
      ? bucketOf(s3, lease)
      : new DirectoryBackend(
          folderOfVault(configuration, dataDirectory),
          lease && { shared: true, ...lease },
        ),
    key:
      passphraseFile === undefined
        ? { keyFile: keyFile ?? join(dataDirectory, 'vault.key') }
        : { passphraseFile },
  }
}

/** Where a vault lies that is not in a bucket. */
export function folderOfVault({ directory }: VaultConfiguration, dataDirectory: string): string {
  return directory ?? join(dataDirectory, 'vault')
}

/** @param named what names the file @throws Error when it is a passphrase file that cannot be used */
export async function keySourceOf(place: KeyPlace, named: string): Promise<KeySource> {
  return 'keyFile' in place
    ? { file: place.keyFile }
    : { passphrase: await readPassphraseFile(place.passphraseFile, named) }
}

/** What of the configuration a failure to open the vault is about. */
const memberAtFault: Partial<Record<VaultFailureCode, 'place' | 'key'>> = {
  'not-a-vault': 'place',
  'place-not-empty': 'place',
  'unsupported-format': 'place',
  locked: 'place',
  storage: 'place',
  'wrong-key': 'key',
  'bad-key-file': 'key',
}

/** Does something with the vault, and names the member of the configuration that a failure is about. */
export async function namingMembers<Result>(
  { directory, s3, passphraseFile }: VaultConfiguration,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const about = error instanceof VaultFailure ? memberAtFault[error.code] : undefined
    if (about === undefined || !(error instanceof VaultFailure)) throw error
    const place = s3 ? 's3' : directory === undefined ? 'directory (by default)' : 'directory'
    const key = passphraseFile === undefined ? 'keyFile' : 'passphraseFile'
    throw new Error(`backup.vault.${about === 'place' ? place : key}: ${error.message}`, {
      cause: error.cause,
    })
  }
}

function bucketOf(
  s3: NonNullable<VaultConfiguration['s3']>,
  lease: typeof sharedLease | undefined,
): StorageBackend {
  const { bucket, prefix, endpoint, caFile, region, pathStyle, accessKeyId, secretAccessKey, sessionToken } =
    s3
  return new S3Backend({
    bucket,
    prefix,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(caFile === undefined ? {} : { authorities: [readCertificates(caFile, 'backup.vault.s3.caFile')] }),
    ...(region === undefined ? {} : { region }),
    ...(pathStyle === undefined ? {} : { pathStyle }),
    ...lease,
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : {
          credentials: {
            accessKeyId,
            secretAccessKey,
            ...(sessionToken === undefined ? {} : { sessionToken }),
          },
        }),
  })
}
