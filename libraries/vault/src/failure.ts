/**
 * What can go wrong, as the caller may want to tell it apart:
 *
 * - `invalid-argument`   the caller broke the contract; a defect of the caller
 * - `not-a-vault`        the storage holds no vault, or its configuration cannot be read
 * - `vault-exists`       creating a vault where there is one already
 * - `place-not-empty`    creating a vault where other objects lie, perhaps those of a vault without its configuration
 * - `unsupported-format` written by a newer version of the format
 * - `wrong-key`          the key is none of this vault's
 * - `bad-key-file`       the key file is missing, can be read by others, or is no key file
 * - `locked`             another process has the vault open, or has taken it over from this one
 * - `busy`               a repair needs a domain without backups and restores under way
 * - `closed`             the vault, session or reader was already closed
 * - `damaged`            stored bytes are not what was written; `check()` says where
 * - `chunk-missing`      a revision names chunks that are not durably stored
 * - `revision-missing`, `revision-exists`
 * - `storage`            the storage failed (full, gone, refused); the cause is attached
 */
export type VaultFailureCode =
  | 'invalid-argument'
  | 'not-a-vault'
  | 'vault-exists'
  | 'place-not-empty'
  | 'unsupported-format'
  | 'wrong-key'
  | 'bad-key-file'
  | 'locked'
  | 'busy'
  | 'closed'
  | 'damaged'
  | 'chunk-missing'
  | 'revision-missing'
  | 'revision-exists'
  | 'storage'

/** Every failure this library raises on purpose. The message never contains key material or chunk contents. */
export class VaultFailure extends Error {
  override readonly name = 'VaultFailure'
  readonly code: VaultFailureCode
  /** What is wrong with the storage and can be mended, as half a sentence without paths and names; undefined where that is not known. */
  readonly advice: string | undefined

  /** @param options `advice` is added to the message */
  constructor(
    code: VaultFailureCode,
    message: string,
    options: ErrorOptions & { readonly advice?: string | undefined } = {},
  ) {
    super(options.advice === undefined ? message : `${message}: ${options.advice}`, options)
    this.code = code
    this.advice = options.advice
  }
}

/**
 * `damaged`, of an object that the storage says it does not have. Nothing of it was read, so nobody knows that it is damaged: a storage
 * that errs may have it again later. Whoever gives something up for good because of damage tells the two apart.
 */
export class ObjectMissing extends VaultFailure {
  /** @param place the storage, for messages */
  constructor(name: string, place: string) {
    super('damaged', `${name} in ${place} is missing`)
  }
}

/** Whether `error` is a {@link VaultFailure}, optionally one with the given code. */
export function isVaultFailure(error: unknown, code?: VaultFailureCode): error is VaultFailure {
  return error instanceof VaultFailure && (code === undefined || error.code === code)
}

/** Whether `error` says that stored bytes cannot be read: damage in a version's number looks like a newer format. */
export function isUnreadable(error: unknown): error is VaultFailure {
  return isVaultFailure(error, 'damaged') || isVaultFailure(error, 'unsupported-format')
}
