import type { Outcome, ProofResult } from '@palisade/agent-protocol'
import type { Clock, Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { ComputerId } from '../computer-id.ts'
import type { BackupMetrics } from '../metrics/backup-metrics.ts'
import { singleLine } from '../single-line.ts'
import type { BackupTables } from '../tables.ts'
import type { RestoreRecord } from '../tasks/task.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { RevisionProof } from './proof.ts'
import { forgetUnusedScreenshots } from './screenshots.ts'

const reasonLengthMax = 500

/**
 * Proofs of recovery in the store. The picture of a screen comes before the verdict, and is kept as long as a revision whose
 * newest proof it belongs to.
 */
export class Proofs {
  readonly #tables: Kysely<BackupTables>
  readonly #tasks: Tasks
  readonly #metrics: BackupMetrics
  readonly #clock: Clock

  constructor(deps: { store: Store; tasks: Tasks; metrics: BackupMetrics; clock: Clock }) {
    this.#tables = deps.store.tables<BackupTables>()
    this.#tasks = deps.tasks
    this.#metrics = deps.metrics
    this.#clock = deps.clock
  }

  /**
   * Keeps the picture of a screen, in the place of the one before.
   *
   * @param png see `isScreenshot`
   * @returns whether there is an unfinished proof of the computer with this id
   */
  async keepScreenshot(computer: ComputerId, restoreId: string, png: Buffer): Promise<boolean> {
    const restore = await this.#unfinished(computer, restoreId)
    if (restore === undefined) return false
    const content = png.toString('base64')
    await this.#tables
      .insertInto('backup_screenshot')
      .values({ restore_id: restore.id, png: content })
      .onConflict((conflict) => conflict.column('restore_id').doUpdateSet({ png: content }))
      .execute()
    return true
  }

  /** The picture that belongs to a proof. */
  async screenshot({ restoreId }: RevisionProof): Promise<Buffer | undefined> {
    const row = await this.#tables
      .selectFrom('backup_screenshot')
      .select('png')
      .where('restore_id', '=', restoreId)
      .executeTakeFirst()
    return row && Buffer.from(row.png, 'base64')
  }

  /**
   * Keeps what an agent says of a proof with its revisions, before the restore is ended: a server that is killed in between is
   * told again. Of a restore that gave no verdict the picture goes.
   */
  async take(computer: ComputerId, restoreId: string, outcome: Outcome): Promise<void> {
    const restore = await this.#unfinished(computer, restoreId)
    if (restore === undefined) return
    const proof = outcome.state === 'SUCCESS' ? outcome.proof : undefined
    if (proof !== undefined) {
      await this.#note(computer, restore, proof)
      this.#metrics.proofEnded(proof.verdict)
    } else await forgetUnusedScreenshots(this.#tables, [restoreId])
  }

  async #note(
    computer: ComputerId,
    { id, request }: RestoreRecord,
    { verdict, reason, tookMs }: ProofResult,
  ) {
    const atMs = this.#clock.now()
    await this.#tables.transaction().execute(async (transaction) => {
      const picture = await transaction
        .selectFrom('backup_screenshot')
        .select('restore_id')
        .where('restore_id', '=', id)
        .executeTakeFirst()
      const proof: RevisionProof = {
        verdict,
        reason: singleLine(reason, reasonLengthMax),
        tookMs,
        atMs,
        restoreId: id,
        hasScreenshot: picture !== undefined,
      }
      const revisionIds = request.revisions.map(({ revisionId }) => revisionId)
      const before = await transaction
        .selectFrom('backup_revision')
        .select('proof_restore_id')
        .where('id', 'in', revisionIds)
        .execute()
      await transaction
        .updateTable('backup_revision')
        .set({
          proof: JSON.stringify(proof),
          proof_restore_id: id,
          ...(verdict === 'runs' ? { proved_bootable_at: atMs } : {}),
        })
        .where('account_id', '=', computer.accountId)
        .where('computer_id', '=', computer.computerId)
        .where('id', 'in', revisionIds)
        .execute()
      const replaced = before.flatMap(({ proof_restore_id }) => proof_restore_id ?? [])
      await forgetUnusedScreenshots(transaction, replaced)
    })
  }

  async #unfinished(computer: ComputerId, restoreId: string): Promise<RestoreRecord | undefined> {
    const restore = await this.#tasks.findRestore(computer, restoreId)
    return restore?.endedAt === null && restore.request.machine?.make.proof ? restore : undefined
  }
}
