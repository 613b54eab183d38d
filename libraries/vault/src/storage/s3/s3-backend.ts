/**
 * Objects in a bucket of an S3-compatible object store.
 *
 *     <prefix><object name>      complete objects
 *     <prefix>.leases/<id>       who holds the vault, see ../lease/lease.ts
 *     <prefix>.probes/<id>       for a moment when the vault is opened, see probe-storage.ts
 *     uploads in parts           objects being written; those left behind are given up when the vault is opened
 *
 * There is no renaming: an object appears with the request that stores or completes it, as a whole. Beyond that the vault needs
 * that a listing shows what was stored before it began, which Amazon's and all known servers promise. Where a server knows
 * conditional writes (`If-None-Match`) a new object never replaces one that is there, even if somebody ignores the lock.
 */
import { ObjectMissing, VaultFailure } from '../../failure.ts'
import { domainsPrefix } from '../../object-names.ts'
import type { ObjectWriter, StorageBackend, StorageLock } from '../backend.ts'
import { Lease, type LeaseStorage } from '../lease/lease.ts'
import { thisHolder } from '../lease/lease-record.ts'
import { assertObjectName, assertPrefix } from '../object-name.ts'
import { ReliedObjects } from '../relied-objects.ts'
import { Places } from './places.ts'
import { probeStorage } from './probe-storage.ts'
import { S3Bucket } from './s3-bucket.ts'
import { assertS3Options, type S3Options } from './s3-options.ts'
import { partsAtOnceMax, S3Writer } from './s3-writer.ts'

const leasesPrefix = '.leases/'
const leaseDefaultMs = 120_000

/** So long the bucket counts as the one that it was: a request for each that writes would double their number. */
const seenForMs = 5_000

/** A backend that keeps its objects in a bucket, which exists already. */
export class S3Backend implements StorageBackend {
  readonly #bucket: S3Bucket
  readonly #places = new Places(partsAtOnceMax)
  readonly #leaseMs: number
  readonly #asksHolder: boolean
  readonly #relied: ReliedObjects
  #lease: Lease | undefined

  /** @throws VaultFailure `invalid-argument` */
  constructor(options: S3Options) {
    assertS3Options(options)
    this.#bucket = new S3Bucket(options)
    this.#leaseMs = options.leaseMs ?? leaseDefaultMs
    this.#asksHolder = options.asksHolder ?? false
    this.#relied = new ReliedObjects({
      exists: async (name) => (await this.#bucket.sizeBytes(name)) !== undefined,
      cause: 'the bucket was emptied or replaced',
      description: this.description,
    })
  }

  get description(): string {
    return this.#bucket.description
  }

  async lock(): Promise<StorageLock> {
    const lease = await Lease.take({
      storage: leasesIn(this.#bucket),
      description: this.description,
      holder: await thisHolder(),
      leaseMs: this.#leaseMs,
      asksHolder: this.#asksHolder,
    })
    const weaknesses = await probeStorage(this.#bucket).catch(async (error: unknown) => {
      await lease.release().catch(() => undefined)
      throw error
    })
    this.#lease = lease
    return {
      weaknesses,
      get isHeld() {
        return lease.isHeld
      },
      get isAsked() {
        return lease.isAsked
      },
      release: async () => {
        if (this.#lease === lease) {
          this.#lease = undefined
          this.#relied.set([])
        }
        await lease.release()
      },
    }
  }

  relyOn(names: readonly string[]): void {
    this.#relied.set(names)
  }

  async removeUnfinished(): Promise<void> {
    await this.#permit()
    for (const { name, upload } of await this.#bucket.listUploads()) {
      // Without a prefix the bucket may hold uploads of others. Of a vault's objects only packs are so large.
      if (name.startsWith(domainsPrefix)) await this.#bucket.abortUpload(name, upload)
    }
  }

  async put(name: string, content: Uint8Array): Promise<void> {
    assertObjectName(name)
    await this.#relied.ensureThere()
    await this.#bucket.put(name, content, { signal: await this.#permit() })
  }

  async putNew(name: string, content: Uint8Array): Promise<boolean> {
    assertObjectName(name)
    if ((await this.#bucket.sizeBytes(name)) !== undefined) return false
    await this.#relied.ensureThere()
    const outcome = await this.#bucket.put(name, content, { onlyNew: true, signal: await this.#permit() })
    if (outcome === 'stored') return true
    // The client repeats a request whose reply was lost; then what is there may be ours.
    return (await this.#bucket.readAll(name))?.equals(content) ?? false
  }

  async create(name: string): Promise<ObjectWriter> {
    assertObjectName(name)
    return new S3Writer(name, { bucket: this.#bucket, places: this.#places, permit: () => this.#permit() })
  }

  async sizeBytes(name: string): Promise<number | undefined> {
    assertObjectName(name)
    const sizeBytes = await this.#bucket.sizeBytes(name)
    if (sizeBytes === undefined) await this.#relied.ensureThere()
    return sizeBytes
  }

  async read(name: string, offsetBytes: number, into: Uint8Array): Promise<void> {
    assertObjectName(name)
    const isEmptyRead = into.length === 0
    const complete = isEmptyRead
      ? (await this.#bucket.sizeBytes(name)) !== undefined || undefined
      : await this.#bucket.read(name, offsetBytes, into)
    if (complete === undefined) {
      await this.#relied.ensureThere()
      throw new ObjectMissing(name, this.description)
    }
    if (!complete) throw new VaultFailure('damaged', `${name} in ${this.description} is too short`)
  }

  async list(prefix: string): Promise<string[]> {
    assertPrefix(prefix)
    const objects = await this.#bucket.list(prefix)
    await this.#relied.ensureThere(objects.length === 0 ? 0 : seenForMs)
    return objects.map((object) => object.name).filter((name) => !name.startsWith('.'))
  }

  async delete(name: string): Promise<void> {
    assertObjectName(name)
    await this.#bucket.delete(name, await this.#permit())
  }

  /** Without a lock everything is allowed: whoever does not take one knows why. */
  async #permit(): Promise<AbortSignal | undefined> {
    await this.#lease?.ensureHeld()
    await this.#relied.ensureThere(seenForMs)
    return this.#lease?.signal
  }
}

function leasesIn(bucket: S3Bucket): LeaseStorage {
  return {
    list: async () =>
      (await bucket.list(leasesPrefix)).map(({ name, modifiedMs }) => ({
        id: name.slice(leasesPrefix.length),
        modifiedMs,
      })),
    read: (id) => bucket.readAll(leasesPrefix + id),
    write: async (id, content, signal) => {
      await bucket.put(leasesPrefix + id, content, { signal })
    },
    remove: (id) => bucket.delete(leasesPrefix + id),
  }
}
