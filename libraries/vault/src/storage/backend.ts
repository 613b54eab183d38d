import { isVaultFailure, ObjectMissing, VaultFailure } from '../failure.ts'

/**
 * Where a vault keeps its objects: a flat set of named byte strings, as a directory or an object store offers it.
 *
 * What the vault relies on, and `backend-conformance.ts` tests:
 *
 * - **Names** are `/`-separated segments of `[A-Za-z0-9._-]` that do not begin with a dot, at most 512 characters.
 * - **Atomicity.** An object is absent or complete. It appears when `put` or `commit` has resolved, possibly shortly
 *   before; a process killed or a machine losing power in between leaves either the whole object or none, and
 *   never a visible part. `put` on an existing name replaces it in one step.
 * - **Durability.** What has resolved survives a power cut.
 * - **Ordering.** An operation that starts after another has resolved sees its effect: read after write, list after
 *   write, absence after delete. Operations under way together may take effect in any order.
 * - **Retries** are the backend's: it repeats what may pass by itself (timeouts, throttling). A rejection is final for
 *   the operation; the vault reports it and does not try again. A `put` or `commit` that rejected may nevertheless
 *   have taken effect; the vault copes with both.
 * - **Calls twice.** `delete` of an absent object and `abort` after `abort` succeed. After `commit` has resolved `abort`
 *   does nothing; after `abort` or a failed `write`, `write` and `commit` reject.
 * - **Concurrency.** Any number of reads and of objects being written at once; one object writer is used by one
 *   writer at a time (no `write` before the former one has settled).
 * - **Failures** are `VaultFailure`s: `damaged` when an object that is read is absent (then it is an `ObjectMissing`) or too
 *   short, or cannot be read at this place by a storage that works otherwise; `storage` with the cause for everything else.
 * - **After the lock is lost** (a lease that could not be renewed, see lease/lease.ts) whatever changes the storage
 *   rejects with `locked`; reading goes on.
 */
export interface StorageBackend {
  /** A short text for messages: the directory, the bucket. */
  readonly description: string

  /**
   * Takes the whole storage for this process until `release` or the end of the process, however it ends.
   *
   * @throws VaultFailure `locked` when somebody else has it
   */
  lock(): Promise<StorageLock>

  /**
   * One of these objects is there as long as the storage is. Where a storage can vanish unnoticed, as a folder does that is emptied or
   * unmounted, or a bucket that is emptied, whatever is written, deleted, listed or found absent while none of them is there rejects
   * with `storage` from now on, until the lock is released. In a bucket, parts of large objects and deletions may be up to five seconds late to notice.
   */
  relyOn?(names: readonly string[]): void

  /** Removes what `create` left behind in a process that died. Called only under the lock, before any `create`. */
  removeUnfinished(): Promise<void>

  /** Stores a small object as a whole. */
  put(name: string, content: Uint8Array): Promise<void>

  /** The same, unless there is an object of this name already, which then stays as it is; says whether it was stored. */
  putNew(name: string, content: Uint8Array): Promise<boolean>

  /** Begins an object that is written piece by piece and becomes visible at its `commit`. */
  create(name: string): Promise<ObjectWriter>

  /** Size of an object, or undefined when there is none. */
  sizeBytes(name: string): Promise<number | undefined>

  /** Fills `into` with the object's bytes from `offsetBytes` on. */
  read(name: string, offsetBytes: number, into: Uint8Array): Promise<void>

  /** All names that start with `prefix`, which is empty or ends in `/`; in no particular order. */
  list(prefix: string): Promise<string[]>

  /** Removes an object durably, whether it is there or not. */
  delete(name: string): Promise<void>
}

/** An exclusive lock of the storage. Releasing twice does nothing. */
export interface StorageLock {
  /** False while the lock could not be renewed for too long, or is lost: the storage takes nothing then. It is always true where it is left out. */
  readonly isHeld?: boolean
  /** Whether somebody else waits for the lock, as far as that is known. */
  readonly isAsked?: boolean
  /** What the storage lacks that the vault can be without, each as the end of "the storage …". */
  readonly weaknesses?: readonly string[]
  release(): Promise<void>
}

/** An object on its way. Memory does not grow with its size. */
export interface ObjectWriter {
  /** Appends the pieces in order. They may be reused once this has resolved. */
  write(pieces: readonly Uint8Array[]): Promise<void>
  /** Makes the object durable and visible. */
  commit(): Promise<void>
  /** Gives the object up and frees what it holds. */
  abort(): Promise<void>
}

/** Reads a whole object; nothing when there is none. */
export function readObject(backend: StorageBackend, name: string): Promise<Buffer | undefined> {
  return readPresent(backend, name, async (sizeBytes) => {
    const content = Buffer.allocUnsafe(sizeBytes)
    await backend.read(name, 0, content)
    return content
  })
}

/**
 * For whoever does not rely on an acknowledgement: reads an object back.
 *
 * @throws VaultFailure `storage` when it is not there, or is another
 */
export async function assertStored(
  backend: StorageBackend,
  name: string,
  content: Uint8Array,
): Promise<void> {
  if ((await readObject(backend, name))?.equals(content)) return
  throw new VaultFailure('storage', `${backend.description} acknowledged ${name} and does not give it back`)
}

/**
 * Reads a stretch of an object into memory of its own; nothing when it is damaged there.
 *
 * @throws ObjectMissing; VaultFailure `storage`
 */
export async function readUnlessDamaged(
  backend: StorageBackend,
  name: string,
  offsetBytes: number,
  lengthBytes: number,
): Promise<Buffer | undefined> {
  const bytes = Buffer.allocUnsafeSlow(lengthBytes)
  try {
    await backend.read(name, offsetBytes, bytes)
    return bytes
  } catch (error) {
    if (isVaultFailure(error, 'damaged') && !(error instanceof ObjectMissing)) return undefined
    throw error
  }
}

/** Lets `read` read an object of the size it is given; nothing when there is none, or none any more when it is read. */
export async function readPresent<Content>(
  backend: StorageBackend,
  name: string,
  read: (sizeBytes: number) => Promise<Content>,
): Promise<Content | undefined> {
  const sizeBytes = await backend.sizeBytes(name)
  if (sizeBytes === undefined) return undefined
  try {
    return await read(sizeBytes)
  } catch (error) {
    if (isVaultFailure(error, 'damaged') && (await backend.sizeBytes(name)) === undefined) return undefined
    throw error
  }
}
