import type { Clock, Log } from '@palisade/platform'
import { type Finding, isVaultFailure, type LostRevision, type Vault } from '@palisade/vault'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { BackupMetrics } from '../metrics/backup-metrics.ts'
import type { Damage } from '../revisions/damage.ts'
import type { Revision, Revisions } from '../revisions/revisions.ts'
import { listUnreadable, notInVault, type RevisionVerification } from '../revisions/verification.ts'
import type { BackupSet } from '../sets/sets.ts'
import type { Timers } from '../timers.ts'
import { type VerificationFindings, verifyRevision } from './verify-revision.ts'

/** A sentence names so many objects of the storage. */
const namedObjectsMax = 3
/** Findings that a repair puts right. */
const repairable: ReadonlySet<Finding['code']> = new Set([
  'pack-missing',
  'pack-damaged',
  'chunk-damaged',
  'index-wrong',
])

/** Verifies revisions, keeps with each what came of it, and has damage repaired. */
export class Verifications {
  readonly #vault: Vault
  readonly #revisions: Revisions
  readonly #timers: Timers
  readonly #damage: Damage
  readonly #metrics: BackupMetrics
  readonly #clock: Clock
  readonly #log: Log

  constructor(deps: {
    vault: Vault
    revisions: Revisions
    timers: Timers
    damage: Damage
    metrics: BackupMetrics
    clock: Clock
    log: Log
  }) {
    this.#timers = deps.timers
    this.#damage = deps.damage
    this.#metrics = deps.metrics
    this.#vault = deps.vault
    this.#revisions = deps.revisions
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /**
   * Verifies one revision: all of it when it is marked as damaged and a part shows nothing, which ends no mark.
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
    if (message === '' && revision?.verification?.foundBy === 'agent') return revision.verification
    if (message === '' && samplePercent < 100 && revision?.verification?.state === 'DAMAGED') {
      return this.verify(computer, id, 100, signal)
    }
    const verification = this.#verificationOf(message, samplePercent, revision)
    if (message !== '') {
      this.#log.error({ computer: domainOf(computer), revision: id, message }, 'a revision is damaged')
      if (message !== notInVault) {
        // Others may share what is damaged.
        await this.#damage.found(computer, { finder: 'verification', message, revisions: [id] })
      }
    }
    await this.#revisions.noteVerification(computer, [id], verification)
    // Not before it is marked: the repair ends the marks of what it finds whole.
    if (message !== '' && message !== notInVault) await this.#haveRepaired(domainOf(computer))
    this.#metrics.revisionVerified(verification.state)
    return verification
  }

  /** Verifies all revisions of a set at once; what they share is read once, but for what is patched in each. */
  async verifySet(set: BackupSet, samplePercent: number, signal: AbortSignal): Promise<void> {
    const revisions = await this.#revisions.ofSet(set, set.id)
    if (revisions.length === 0) return
    const sample = { fraction: samplePercent / 100, seed: String(this.#clock.now()) }
    const findings = await this.#vault.check({
      domain: domainOf(set),
      signal,
      readData: samplePercent >= 100 ? true : sample,
    })
    const damaged = damagedRevisions(findings)
    const [message] = damaged.values()
    // Before they are marked: what is marked already begins nothing.
    if (message !== undefined) {
      await this.#damage.found(set, { finder: 'verification', message, revisions: [...damaged.keys()] })
    }
    await this.#noteFindings(set, revisions, findings, samplePercent)
    // A part that is whole ends no mark; what may have healed is read as a whole.
    if (samplePercent < 100) await this.lookAgain(set, signal)
  }

  /** Verifies everything of a computer: what no revision needs as well, since the next backup may. */
  async verifyComputer(computer: ComputerId, signal: AbortSignal): Promise<void> {
    const domain = domainOf(computer)
    const findings = await this.#vault.check({ domain, readData: true, signal })
    const revisions = await this.#revisions.all(computer)
    const damaged = await this.#noteFindings(computer, revisions, findings, 100)
    const parameters = { computer: domain, revisions: revisions.length, damaged: damaged.size }
    this.#log.info(parameters, 'all backups of a computer were verified')
  }

  /**
   * Looks, without reading chunks, for what a computer's revisions lack, and marks those that lack something.
   *
   * @returns what it lacks, in a sentence; undefined when nothing
   */
  async checkStructure(computer: ComputerId, signal: AbortSignal): Promise<string | undefined> {
    const findings = await this.#vault.check({ domain: domainOf(computer), signal })
    const revisions = await this.#revisions.all(computer)
    const suffering = new Set(damagedRevisions(findings).keys())
    const lacking = revisions.filter(({ id }) => suffering.has(id))
    if (lacking.length === 0) return undefined
    const damaged = await this.#noteFindings(computer, lacking, findings, 100)
    return [...damaged.values()][0]
  }

  /** Whether there is a revision again that is marked since the vault did not have it, as when another folder was mounted in its place. */
  async haveComeBack(computer: ComputerId): Promise<boolean> {
    const missingRevisions = (await this.#revisions.damaged(computer)).filter(
      ({ verification }) => verification?.message === notInVault,
    )
    if (missingRevisions.length === 0) return false
    const storedIds = await this.#vault.revisionIds(domainOf(computer))
    return missingRevisions.some(({ id }) => storedIds.has(String(id)))
  }

  /** Marks what a repair could not save. */
  async noteLost(computer: ComputerId, lost: readonly LostRevision[]): Promise<void> {
    for (const { revision: name, chunksLost } of lost) {
      const id = Number(name)
      const [revision] = Number.isSafeInteger(id) ? await this.#revisions.find(computer, [id]) : []
      if (!revision || revision.verification?.state === 'DAMAGED') continue
      const message = chunksLost === null ? listUnreadable : `${chunksLost} chunks are lost`
      this.#log.error(
        { computer: domainOf(computer), revision: revision.id, message },
        'a revision is damaged',
      )
      await this.#revisions.noteVerification(
        computer,
        [revision.id],
        this.#verificationOf(message, 100, revision),
      )
    }
  }

  /** Verifies again what is marked as damaged and has all its chunks now: another backup may have stored them. */
  async lookAgain(computer: ComputerId, signal: AbortSignal): Promise<void> {
    for (const { id, verification } of await this.#revisions.damaged(computer)) {
      signal.throwIfAborted()
      if (verification?.foundBy === 'agent' || !(await this.#hasAllChunks(computer, id))) continue
      const { state } = await this.verify(computer, id, 100, signal)
      if (state === 'SUCCESS') {
        this.#log.info({ computer: domainOf(computer), revision: id }, 'a damaged revision is whole again')
      }
    }
  }

  async #hasAllChunks(computer: ComputerId, id: number): Promise<boolean> {
    try {
      const reader = await this.#vault.openRevision(domainOf(computer), String(id))
      try {
        return reader.lost(0, reader.chunks.length).length === 0
      } finally {
        reader.close()
      }
    } catch (error) {
      if (isVaultFailure(error, 'damaged') || isVaultFailure(error, 'revision-missing')) return false
      throw error
    }
  }

  /**
   * Keeps with each of the revisions what a check says of it, logs what is damaged, and has it repaired.
   *
   * @returns the revisions that are damaged, with what is wrong
   */
  async #noteFindings(
    computer: ComputerId,
    revisions: readonly Revision[],
    findings: readonly Finding[],
    samplePercent: number,
  ): Promise<Map<number, string>> {
    const damage = damagedRevisions(findings)
    const missing = await this.#missing(computer, revisions)
    const damaged = new Map([...damage, ...missing.map((id) => [id, notInVault] as const)])
    for (const revision of revisions) {
      const verification = this.#verificationOf(damaged.get(revision.id) ?? '', samplePercent, revision)
      this.#metrics.revisionVerified(verification.state)
      if (verification.state === 'SUCCESS' && staysMarked(revision, samplePercent)) continue
      await this.#revisions.noteVerification(computer, [revision.id], verification)
    }
    const needsRepair = damage.size > 0 || findings.some(({ code }) => repairable.has(code))
    if (damaged.size > 0 || needsRepair) {
      const objects = findings.map(({ object, code }) => `${object}: ${code}`)
      this.#log.error(
        { computer: domainOf(computer), revisions: [...damaged.keys()], objects },
        damaged.size > 0 ? 'revisions are damaged' : 'chunks are damaged that no revision needs',
      )
    }
    if (needsRepair) await this.#haveRepaired(domainOf(computer))
    return damaged
  }

  /** Those of the revisions that the vault does not have. One that is being deleted has been taken out of the list before. */
  async #missing(computer: ComputerId, revisions: readonly Revision[]): Promise<number[]> {
    const storedIds = await this.#vault.revisionIds(domainOf(computer))
    const missing = revisions.map(({ id }) => id).filter((id) => !storedIds.has(String(id)))
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
      if (findings.chunksLost === 0) return faultIn(findings, [])
      // The check takes up packs that the storage did not list before: what was lost may be there.
      const lostObjects = await this.#missingPacks(computer, id, signal)
      return faultIn(await verifyRevision(this.#vault, computer, id, samplePercent, signal), lostObjects)
    } catch (error) {
      if (isVaultFailure(error, 'damaged')) return listUnreadable
      const isListed = async () => (await this.#revisions.find(computer, [id])).length > 0
      if (isVaultFailure(error, 'revision-missing') && (await isListed())) return notInVault
      throw error
    }
  }
}

/** Whether a revision is marked for what a verification of so much of it in the vault cannot take back when it finds nothing. */
function staysMarked({ verification }: Revision, samplePercent: number): boolean {
  return verification?.state === 'DAMAGED' && (verification.foundBy === 'agent' || samplePercent < 100)
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
