/**
 * A lock for storages that have none: object stores, and directories that several machines share. It needs no conditional
 * writes, only that whoever lists after a write sees what was written.
 *
 *     announce   write a record of one's own under a random id
 *     look       list all records; whoever else is there is judged:
 *                  its process has ended (same machine)                      ──► remove its record, look again
 *                  silent for `leaseMs` by the storage's clock, and for
 *                  a third of that while we watched; or while we watched
 *                  for all of it, since its time may be in the future        ──► remove its record, look again
 *                  alive and holding                                         ──► take our record away: `locked`; with
 *                                                                                `asksHolder` when it had time to look
 *                  alive and announcing too                                  ──► take it away, begin anew a little later
 *                  silent, but not for long enough                           ──► wait, write our record again, look again
 *     hold       nobody else is there; look and write the record again every sixth of `leaseMs`
 *
 * Of two who announce at the same time at least one sees the other, because each looks after it has announced. A holder
 * that could not renew its record for two thirds of `leaseMs` (no network, machine suspended) lets nothing more through:
 * it stops a good while before anybody may take its place. When it can reach the storage again and its record is still
 * there, nobody has taken its place, and it goes on under a new record; otherwise it has lost the lease for good. It has
 * also lost it when a write of the record was still on its way then: that may have brought back a record that was removed.
 *
 * A storage that says of a record that it is missing may err: a holder has lost its own only when neither a listing nor a reading shows
 * it; and one who finds that another renews a lease of its own, since it did not see this one, stops.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { isVaultFailure, VaultFailure } from '../../failure.ts'
import type { StorageLock } from '../backend.ts'
import { encodeLeaseRecord, type Holder, lifeOf, parseLeaseRecord } from './lease-record.ts'
import { elapsedMs, type Moment, now } from './moment.ts'

/** Where leases keep their records. Each call sees what calls that had ended before have done. */
export interface LeaseStorage {
  /** The ids of all records, with the time of their last write by the clock of the storage, in milliseconds. */
  list(): Promise<{ readonly id: string; readonly modifiedMs: number }[]>
  read(id: string): Promise<Uint8Array | undefined>
  /** Ends early when `signal` is aborted, where that is possible; what was on its way may nevertheless be written. */
  write(id: string, content: Uint8Array, signal?: AbortSignal): Promise<void>
  remove(id: string): Promise<void>
}

/** What a lease locks, for whom and how long. */
export interface LeaseSettings {
  readonly storage: LeaseStorage
  /** What is locked, for messages. */
  readonly description: string
  readonly holder: Holder
  /** A holder that is silent for so long has lost its lease. */
  readonly leaseMs: number
  /** Whether one who finds a holder that lives stays announced until that has looked, so that it can give way. */
  readonly asksHolder?: boolean
}

/** When to renew, when to stop, and how long to watch a silent holder, as parts of `leaseMs`. */
const renewFraction = 1 / 6
const heldFraction = 2 / 3
const watchFraction = 1 / 3
/** How long a holder that lives is asked, as a part of `leaseMs`: it looks once in that time. */
const askFraction = 1 / 4
const attemptsMax = 5
/** Two who met while announcing try again after a random part of this. */
const retryMaxMs = 1000

/** A lock for storage without file locks: a record that its holder renews and others watch. */
export class Lease implements StorageLock {
  readonly #settings: LeaseSettings
  #id: string
  /** The clocks when the last successful renewal began. */
  #renewed: Moment
  #state: 'held' | 'lost' | 'released' = 'held'
  #renewing: Promise<void> | undefined
  /** When the records of others were written that the last renewal saw: one that stayed behind is written no more. */
  #others: ReadonlyMap<string, number> = new Map()
  #isAsked = false
  #expiry = newExpiry()
  readonly #timer: NodeJS.Timeout

  /**
   * Takes the lease, after waiting for a holder that seems dead for at most `leaseMs`.
   *
   * @throws VaultFailure `locked` when somebody else holds it, `storage`
   */
  static async take(settings: LeaseSettings): Promise<Lease> {
    for (let attempt = 1; ; attempt++) {
      const announced = await announceAndWait(settings)
      if (announced) return new Lease(settings, announced)
      if (attempt === attemptsMax) throw lockedBy(settings, undefined)
      await delay(randomInt(retryMaxMs))
    }
  }

  private constructor(settings: LeaseSettings, { id, began }: Announced) {
    this.#settings = settings
    this.#id = id
    this.#renewed = began
    this.#timer = setInterval(() => this.#tick(), settings.leaseMs * renewFraction)
    this.#timer.unref()
  }

  /** Aborted when the lease has expired: requests under way that change the storage end then. */
  get signal(): AbortSignal {
    return this.#expiry.signal
  }

  /** False while it could not be renewed for too long, or when it is lost. */
  get isHeld(): boolean {
    return this.#state === 'held' && !this.#isExpired()
  }

  /** Whether somebody else wanted the storage when the lease was renewed last, and lives. */
  get isAsked(): boolean {
    return this.#isAsked
  }

  /**
   * Resolves when the storage is certainly ours at this moment; renews the lease first when that is not certain.
   *
   * @throws VaultFailure `locked` when the lease was lost, `storage` when it cannot be renewed at present
   */
  async ensureHeld(): Promise<void> {
    if (this.#state === 'held' && this.#isExpired()) await this.#renew()
    if (this.#state === 'held') return
    throw new VaultFailure(
      'locked',
      `${this.#settings.description} was taken over while this process was cut off`,
    )
  }

  async release(): Promise<void> {
    if (this.#state === 'released') return
    const owned = this.#state === 'held'
    this.#state = 'released'
    clearInterval(this.#timer)
    // A renewal that ends later would bring the record back.
    await this.#renewing?.catch(() => undefined)
    if (owned) await this.#settings.storage.remove(this.#id)
  }

  #tick(): void {
    if (this.#isExpired())
      this.#expiry.abort(new VaultFailure('storage', 'the lock could not be renewed in time'))
    // A failure is no news: whoever changes something next hears of it.
    this.#renew().catch(() => undefined)
  }

  #renew(): Promise<void> {
    if (this.#state !== 'held') return Promise.resolve()
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renewOnce(): Promise<void> {
    const began = now()
    if (!this.#isExpired() && !(await this.#isOurs())) return this.#lose()
    // The look may have taken so long that others have come since.
    if (this.#isExpired()) return this.#return()
    await this.#writeHeld()
    this.#renewed = began
  }

  /** Whether our record is there, and no other that its holder renews. */
  async #isOurs(): Promise<boolean> {
    const { storage } = this.#settings
    const records = await storage.list()
    const isListed = records.some(({ id }) => id === this.#id)
    if (!isListed && (await storage.read(this.#id)) === undefined) return false
    const others = records.filter(({ id }) => id !== this.#id)
    const former = this.#others
    this.#others = new Map(others.map(({ id, modifiedMs }) => [id, modifiedMs]))
    this.#isAsked = others.some(({ id, modifiedMs }) => former.get(id) !== modifiedMs)
    for (const { id, modifiedMs } of others) {
      if (!former.has(id) || former.get(id) === modifiedMs) continue
      const content = await storage.read(id)
      if (content && parseLeaseRecord(content)?.state === 'held') return false
    }
    return true
  }

  /** Goes on after a silence that was long enough for others to take over, if none has. */
  async #return(): Promise<void> {
    const { storage, holder } = this.#settings
    const began = now()
    const former = this.#id
    const id = newId()
    await storage.write(id, encodeLeaseRecord({ ...holder, state: 'taking' }))
    const present = new Set((await storage.list()).map((record) => record.id))
    if (present.has(former) && present.size === 2) {
      await storage.remove(former)
      this.#id = id
      this.#renewed = began
      this.#expiry = newExpiry()
      return this.#writeHeld()
    }
    await storage.remove(id)
    if (!present.has(former)) return this.#lose()
    throw new VaultFailure('storage', `another process is trying to take over ${this.#settings.description}`)
  }

  /** Writes the record of a holder. When that ends after the lease, the record no longer tells whether others came and went. */
  async #writeHeld(): Promise<void> {
    const { storage, holder } = this.#settings
    try {
      await storage.write(this.#id, encodeLeaseRecord({ ...holder, state: 'held' }), this.#expiry.signal)
    } finally {
      if (this.#isExpired()) {
        this.#lose()
        // A record that stays behind is judged by the next who comes.
        await storage.remove(this.#id).catch(() => undefined)
      }
    }
  }

  #lose(): void {
    this.#state = 'lost'
    clearInterval(this.#timer)
    this.#expiry.abort(new VaultFailure('locked', `${this.#settings.description} was taken over`))
  }

  #isExpired(): boolean {
    return elapsedMs(this.#renewed) > this.#settings.leaseMs * heldFraction
  }
}

/** A record of ours that was there when nobody else was. */
interface Announced {
  readonly id: string
  /** When the write began after which nobody else was seen. */
  readonly began: Moment
}

/** Our record when nobody else is there; nothing when others were announcing at the same time. */
async function announceAndWait(settings: LeaseSettings): Promise<Announced | undefined> {
  const { storage, holder } = settings
  const id = newId()
  const watch = new Watch(settings)
  const askedUntilMs = performance.now() + (settings.asksHolder ? settings.leaseMs * askFraction : 0)
  const isAsking = (error: unknown) => isVaultFailure(error, 'locked') && performance.now() < askedUntilMs
  try {
    for (;;) {
      const began = now()
      await storage.write(id, encodeLeaseRecord({ ...holder, state: 'taking' }))
      const records = await storage.list()
      const ownMs = records.find((record) => record.id === id)?.modifiedMs
      const others = records.filter((record) => record.id !== id)
      if (ownMs !== undefined && others.length === 0) {
        await storage.write(id, encodeLeaseRecord({ ...holder, state: 'held' }))
        return { id, began }
      }
      const judged = Promise.all(others.map((other) => watch.judge(other, ownMs)))
      const verdicts = await judged.catch((error: unknown): Verdict[] => {
        if (isAsking(error)) return ['silent']
        throw error
      })
      if (verdicts.includes('announcing')) {
        await storage.remove(id)
        return undefined
      }
      for (const [index, verdict] of verdicts.entries()) {
        if (verdict === 'dead') await storage.remove(others[index]?.id ?? '')
      }
      if (verdicts.includes('silent')) await delay(settings.leaseMs * renewFraction * 0.5)
    }
  } catch (error) {
    // What failed first is what counts; a record that stays behind is judged by the next who comes.
    await storage.remove(id).catch(() => undefined)
    throw error
  }
}

type Verdict = 'dead' | 'silent' | 'announcing'

/** Watches other holders until it can judge them. */
class Watch {
  readonly #settings: LeaseSettings
  /** By the clock that is never set and stands still while the machine is suspended. */
  readonly #seen = new Map<string, { readonly modifiedMs: number; readonly sinceMs: number }>()

  constructor(settings: LeaseSettings) {
    this.#settings = settings
  }

  /** @throws VaultFailure `locked` when the other one holds the storage and lives */
  async judge(
    other: { readonly id: string; readonly modifiedMs: number },
    ownModifiedMs: number | undefined,
  ): Promise<Verdict> {
    const { storage, holder, leaseMs } = this.#settings
    const content = await storage.read(other.id)
    // Removed since it was listed: look again.
    if (!content) return 'silent'
    const record = parseLeaseRecord(content)
    const life = record ? await lifeOf(record, holder) : 'unknown'
    if (life === 'ended') return 'dead'
    const first = this.#seen.get(other.id) ?? { modifiedMs: other.modifiedMs, sinceMs: performance.now() }
    this.#seen.set(other.id, first)
    const lives = life === 'lives' || other.modifiedMs !== first.modifiedMs
    if (lives && record?.state === 'taking') return 'announcing'
    if (lives) throw lockedBy(this.#settings, record)
    const silentMs = (ownModifiedMs ?? other.modifiedMs) - other.modifiedMs
    const watchedMs = performance.now() - first.sinceMs
    return watchedMs >= leaseMs * (silentMs >= leaseMs ? watchFraction : 1) ? 'dead' : 'silent'
  }
}

function lockedBy({ description }: LeaseSettings, holder: Holder | undefined): VaultFailure {
  const by = holder ? `process ${holder.process} on ${holder.host}` : 'another process'
  return new VaultFailure('locked', `${description} is in use by ${by}`)
}

function newId(): string {
  return randomBytes(16).toString('hex')
}

function newExpiry(): AbortController {
  const expiry = new AbortController()
  setMaxListeners(0, expiry.signal)
  return expiry
}
