import type { Clock, Log } from '@palisade/platform'
import { type Finding, isVaultFailure, type Vault } from '@palisade/vault'
import { type ComputerId, domainOf } from '../computers/computer-id.ts'
import type { Revision, Revisions } from '../revisions/revisions.ts'
import type { RevisionVerification } from '../revisions/verification.ts'
import type { BackupSet } from '../sets/sets.ts'
import type { Timers } from './timers.ts'
import { type VerificationFindings, verifyRevision } from './verify-revision.ts'

/** A sentence names so many objects of the storage. */
const namedObjectsMax = 3
const notInVault = 'the vault does not have it'

/** Verifies revisions, keeps with each what came of it, and has damage repaired. */
export class Verifications {
  readonly #vault: Vault
  readonly #revisions: Revisions
  readonly #timers: Timers
  readonly #clock: Clock
  readonly #log: Log

  constructor(deps: { vault: Vault; revisions: Revisions; timers: Timers; clock: Clock; log: Log }) {
    this.#timers = deps.timers
    this.#vault = deps.vault
    this.#revisions = deps.revisions
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /**
   * Verifies one revision.
   *
   * @param samplePercent 1 to 100, which is all of it
   * @throws VaultFailure when the vault cannot say: `storage`, `closed`; `revision-missing` when it was deleted meanwhile
   */
  async verify(
    computer: ComputerId,
    id: number,
    samplePercent: number,
    signal: AbortSignal,
  ): Promise<RevisionVerification> {
    const message = await this.#faultOf(computer, id, samplePercent, signal)
    const [revision] = await this.#revisions.find(computer, [id])
    const verification = this.#verificationOf(message, samplePercent, revision)
    await this.#revisions.noteVerification(computer, [id], verification)
    if (message !== '') {
      this.#log.error({ computer: domainOf(computer), revision: id, message }, 'a revision is damaged')
      if (message !== notInVault) await this.#haveRepaired(domainOf(computer))
    }
    return verification
  }

  /** Verifies all revisions of a set at once; what they share is read once, but for what is patched in each. */
  async verifySet(set: BackupSet, samplePercent: number, signal: AbortSignal): Promise<void> {
    const domain = domainOf(set)
    const revisions = await this.#revisions.ofSet(set, set.id)
    if (revisions.length === 0) return
    const sample = { fraction: samplePercent / 100, seed: String(this.#clock.now()) }
    const readData = samplePercent >= 100 ? true : sample
    const findings = await this.#vault.check({ domain, readData, signal })
    const found = damagedRevisions(findings)
    const missing = await this.#missing(set, revisions)
    const damaged = new Map([...found, ...missing.map((id) => [id, notInVault] as const)])
    for (const revision of revisions) {
      const verification = this.#verificationOf(damaged.get(revision.id) ?? '', samplePercent, revision)
      await this.#revisions.noteVerification(set, [revision.id], verification)
    }
    if (damaged.size === 0) return
    const objects = findings.map(({ object, code }) => `${object}: ${code}`)
    this.#log.error({ computer: domain, revisions: [...damaged.keys()], objects }, 'revisions are damaged')
    if (found.size > 0) await this.#haveRepaired(domain)
  }

  /** Those of the revisions that the vault does not have. One that is being deleted has been taken out of the list before. */
  async #missing(computer: ComputerId, revisions: readonly Revision[]): Promise<number[]> {
    const held = await this.#vault.revisionIds(domainOf(computer))
    const missing = revisions.map(({ id }) => id).filter((id) => !held.has(String(id)))
    return (await this.#revisions.find(computer, missing)).map(({ id }) => id)
  }

  /** Until then the next backups would rely on chunks that are damaged. */
  #haveRepaired(domain: string): Promise<void> {
    return this.#timers.setAtLatest('repair', domain, this.#clock.now())
  }

  #verificationOf(
    message: string,
    samplePercent: number,
    revision: Revision | undefined,
  ): RevisionVerification {
    const state = message === '' ? 'SUCCESS' : 'DAMAGED'
    const compared = (revision?.endToEndKeyCheck ?? null) === null ? 'content' : 'sealed-bytes'
    return { state, atMs: this.#clock.now(), samplePercent, compared, message }
  }

  /** The packs that are gone and that a revision needs, as far as the rest of the vault knows of them. */
  async #missingPacks(computer: ComputerId, id: number, signal: AbortSignal): Promise<string[]> {
    const findings = await this.#vault.check({ domain: domainOf(computer), signal })
    return findings
      .filter(({ code, revisions }) => code === 'pack-missing' && revisions.includes(String(id)))
      .map(({ object }) => object)
  }

  async #faultOf(
    computer: ComputerId,
    id: number,
    samplePercent: number,
    signal: AbortSignal,
  ): Promise<string> {
    try {
      const findings = await verifyRevision(this.#vault, computer, id, samplePercent, signal)
      const lostObjects = findings.chunksLost > 0 ? await this.#missingPacks(computer, id, signal) : []
      return faultIn(findings, lostObjects)
    } catch (error) {
      if (isVaultFailure(error, 'damaged')) return 'the list of its chunks cannot be read'
      const isListed = async () => (await this.#revisions.find(computer, [id])).length > 0
      if (isVaultFailure(error, 'revision-missing') && (await isListed())) return notInVault
      throw error
    }
  }
}

/** @param lostObjects packs that are known to have held what is lost */
function faultIn(
  { chunksRead, chunksDamaged, chunksLost, chunksMisfit, damagedObjects }: VerificationFindings,
  lostObjects: readonly string[],
): string {
  const faults = [
    ...(chunksLost > 0 ? [`${chunksLost} chunks are lost${named(', with', lostObjects)}`] : []),
    ...(chunksDamaged > 0
      ? [
          `${chunksDamaged} of ${chunksRead} chunks that were read are damaged${named(', in', [...damagedObjects])}`,
        ]
      : []),
    ...(chunksMisfit > 0
      ? [`${chunksMisfit} patched chunks do not have the content that was backed up`]
      : []),
  ]
  return faults.join('; ')
}

/** Some objects of the storage, for the end of a sentence; nothing when there are none. */
function named(before: string, objects: readonly string[]): string {
  if (objects.length === 0) return ''
  const more = objects.length > namedObjectsMax ? ' …' : ''
  return `${before} ${objects.slice(0, namedObjectsMax).join(' and ')}${more} of the vault`
}

/** The revisions that findings name, with what the first of them says. */
function damagedRevisions(findings: readonly Finding[]): Map<number, string> {
  const damaged = new Map<number, string>()
  for (const { revisions, message } of findings) {
    for (const revision of revisions) {
      if (!damaged.has(Number(revision))) damaged.set(Number(revision), message)
    }
  }
  return damaged
}
