import type { Attention, Clock, Store } from '@palisade/platform'
import { LazyValidator } from '@palisade/platform'
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { AgentLinks } from '../agents/agent-links.ts'
import type { ComputerId } from '../computer-id.ts'
import { BackupFigures } from '../metrics/backup-figures.ts'
import { nextRun } from '../schedule/next-run.ts'
import { SetDefinition } from '../sets/set-definition.ts'
import { parseStored } from '../stored-json.ts'
import type { BackupTables } from '../tables.ts'
import type { LiveProgress } from '../tasks/live-progress.ts'
import type { DeletionTrouble } from './deletion-trouble.ts'

const definitions = new LazyValidator(SetDefinition)

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** An agent that is away for less may be on its way through a restart. */
const agentGoneMs = 15 * minuteMs
/** A set that is proved every so many days may be late by as many again. */
const lateProofs = 2
/** A computer without a set whose newest revision is younger is backed up by calls from elsewhere. */
const withoutSetMs = 7 * dayMs

/** What of all backups needs attention, as the store has it now. */
export class BackupAttention {
  readonly #tables: Kysely<BackupTables>
  readonly #figures: BackupFigures
  readonly #links: AgentLinks
  readonly #progress: LiveProgress
  readonly #trouble: DeletionTrouble
  readonly #clock: Clock

  constructor({
    store,
    clock,
    links,
    progress,
    trouble,
  }: {
    store: Store
    clock: Clock
    links: AgentLinks
    progress: LiveProgress
    trouble: DeletionTrouble
  }) {
    this.#tables = store.tables<BackupTables>()
    this.#figures = new BackupFigures({ store, clock })
    this.#links = links
    this.#progress = progress
    this.#trouble = trouble
    this.#clock = clock
  }

  async read(): Promise<Attention[]> {
    const parts = await Promise.all([
      this.#agentsGone(),
      this.#withoutSets(),
      this.#sets(),
      this.#damagedRevisions(),
    ])
    return [...parts.flat(), ...this.#waitingBackups(), ...this.#deletions()]
  }

  #deletions(): Attention[] {
    const { reason } = this.#trouble
    if (reason === undefined) return []
    return [
      {
        condition: 'vault-cannot-delete',
        subject: 'vault',
        severity: 'warning',
        isOfServer: true,
        message: `What was deleted, or is kept no longer, still takes its space in the vault: ${reason}.`,
        remedy:
          'docs/operating/emergencies.md#the-vault-cannot-be-reached; it is tried again with each collection of the vault',
      },
    ]
  }

  #waitingBackups(): Attention[] {
    const [first, ...others] = this.#progress.reasonsToWait
    if (first === undefined) return []
    return [
      {
        condition: 'vault-not-writable',
        subject: 'vault',
        severity: 'critical',
        isOfServer: true,
        message: `${first.message} Backups that wait for it: ${1 + others.length}.`,
        remedy: `docs/operating/emergencies.md#${first.code === 'VaultFull' ? 'the-disk-is-full' : 'the-vault-cannot-be-reached'}; the backups go on by themselves as soon as it can be written`,
      },
    ]
  }

  async #agentsGone(): Promise<Attention[]> {
    const rows = await this.#tables
      .selectFrom('backup_computer')
      .select(['account_id as accountId', 'id as computerId', 'name', 'last_seen_at as lastSeenAt'])
      .where('credential_digest', 'is not', null)
      .where('deleted_at', 'is', null)
      .where('last_seen_at', '<', this.#clock.now() - agentGoneMs)
      .execute()
    return rows
      .filter((computer) => !this.#links.isOnline(computer))
      .map(({ name, lastSeenAt, ...computer }) => ({
        condition: 'agent-gone',
        subject: `computer ${shown(computer)}`,
        severity: 'warning',
        message: `The agent of ${name} has not been there since ${new Date(lastSeenAt ?? 0).toISOString()}.`,
        remedy: 'systemctl start palisade-agent, on the computer',
      }))
  }

  /** Computers that have an agent, and that nothing backs up. */
  async #withoutSets(): Promise<Attention[]> {
    const rows = await this.#tables
      .selectFrom('backup_computer')
      .select(['account_id as accountId', 'id as computerId', 'name'])
      .where('credential_digest', 'is not', null)
      .where('deleted_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('backup_set')
              .select('backup_set.id')
              .whereRef('backup_set.account_id', '=', 'backup_computer.account_id')
              .whereRef('backup_set.computer_id', '=', 'backup_computer.id'),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('backup_revision')
              .select('backup_revision.id')
              .whereRef('backup_revision.account_id', '=', 'backup_computer.account_id')
              .whereRef('backup_revision.computer_id', '=', 'backup_computer.id')
              .where('backup_revision.created_at', '>', this.#clock.now() - withoutSetMs)
              .where('backup_revision.deleted_at', 'is', null),
          ),
        ),
      )
      .execute()
    return rows.map(({ name, ...computer }) => ({
      condition: 'no-backup-set',
      subject: `computer ${shown(computer)}`,
      severity: 'warning',
      message: `${name} has an agent but no backup set, and no backup of the last seven days: nothing of it is backed up.`,
      remedy: setOf(computer),
    }))
  }

  async #sets(): Promise<Attention[]> {
    const now = this.#clock.now()
    const [sets, ages, endings] = await Promise.all([
      this.#tables
        .selectFrom('backup_set')
        .select(['id', 'account_id as accountId', 'computer_id as computerId', 'name', 'definition'])
        .select('created_at as createdAt')
        .where('enabled', '=', 1)
        .where(isOfComputerNotDeleted('backup_set'))
        .execute(),
      this.#figures.ages(),
      this.#lastEndings(),
    ])
    const ageOf = new Map(
      ages.map(({ ageSeconds, set, ...computer }) => [JSON.stringify([shown(computer), set]), ageSeconds]),
    )
    return sets.flatMap(({ id, name, createdAt, ...set }) => {
      const { schedule, timeZone, settings } = parseStored(definitions, set.definition)
      const ageSeconds = ageOf.get(JSON.stringify([shown(set), name])) ?? Number.POSITIVE_INFINITY
      const goodAt = Number.isFinite(ageSeconds) ? now - ageSeconds * 1000 : createdAt
      const subject = `set ${shown(set)}/${name}`
      const lastRun = endings.get(`run-set ${id}`)
      const lastProof = endings.get(`prove-set ${id}`)
      const attention: Attention[] = []
      // The run after the one that should have made it is over by then as well.
      const first = nextRun(schedule, timeZone, goodAt)
      const second = first && nextRun(schedule, timeZone, first.atMs)
      if (second && now > second.atMs + hourMs) {
        attention.push({
          condition: 'no-good-backup',
          subject,
          severity: 'critical',
          message: Number.isFinite(ageSeconds)
            ? `Its newest good backup is of ${new Date(goodAt).toISOString()}, older than its schedule promises.`
            : 'It has no good backup yet, and should have had one by now.',
          remedy: runOf(id, set),
        })
      }
      if (lastRun && lastRun.state !== 'SUCCESS') {
        attention.push({
          condition: 'backup-failed',
          subject,
          severity: lastRun.state === 'ERROR' ? 'critical' : 'warning',
          message: `Its last run failed: ${lastRun.reason}`,
          remedy: runOf(id, set),
        })
      }
      if (settings.proof) {
        const provedAt = lastProof?.at ?? createdAt
        const isLate = now - provedAt > settings.proof.everyDays * lateProofs * dayMs
        if (isLate || (lastProof && lastProof.state !== 'SUCCESS')) {
          attention.push({
            condition: 'not-proved',
            subject,
            severity: 'warning',
            message:
              lastProof && lastProof.state !== 'SUCCESS'
                ? `Its last proof of recovery failed: ${lastProof.reason}`
                : `That its machine starts was not proved since ${new Date(provedAt).toISOString()}.`,
            remedy: proofOf(set),
          })
        }
      }
      return attention
    })
  }

  /** How the newest run and the newest proof of each set ended, by kind and set. */
  async #lastEndings() {
    const rows = await this.#tables
      .selectFrom('backup_action')
      .select(['kind', 'set_id as setId', 'state', 'reason', 'ended_at as at'])
      .where('id', 'in', (query) =>
        query
          .selectFrom('backup_action as ended')
          .select(sql<number>`max(ended.id)`.as('id'))
          .where('ended.kind', 'in', ['run-set', 'prove-set'])
          .where('ended.ended_at', 'is not', null)
          .groupBy(['ended.kind', 'ended.set_id']),
      )
      .execute()
    return new Map(rows.map(({ kind, setId, ...ending }) => [`${kind} ${setId}`, ending]))
  }

  async #damagedRevisions(): Promise<Attention[]> {
    const rows = await this.#tables
      .selectFrom('backup_revision')
      .select(['account_id as accountId', 'computer_id as computerId'])
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('deleted_at', 'is', null)
      .where(isOfComputerNotDeleted('backup_revision'))
      .where('verification', 'like', '%"state":"DAMAGED"%')
      .groupBy(['account_id', 'computer_id'])
      .execute()
    return rows.map(({ count, ...computer }) => ({
      condition: 'revision-damaged',
      subject: `computer ${shown(computer)}`,
      severity: 'critical',
      message: `${count} of its revisions are damaged: what they lack is stored again by the next backup, where the computer still has it.`,
      remedy: runOf('SET', computer),
    }))
  }
}

/** Whether the computer that a row of a table is of is not deleted. */
function isOfComputerNotDeleted(table: 'backup_set' | 'backup_revision') {
  return sql<SqlBool>`exists (
    select 1 from backup_computer where backup_computer.account_id = ${sql.ref(`${table}.account_id`)}
    and backup_computer.id = ${sql.ref(`${table}.computer_id`)} and backup_computer.deleted_at is null)`
}

/** The commands that name the newest revisions of a computer, and prove some of them. */
function proofOf({ accountId, computerId }: ComputerId): string {
  return `palisade backup volumes --account ${accountId} --computer ${computerId}; palisade backup prove --revision ID --account ${accountId} --computer ${computerId}`
}

/** The command that makes a set of all volumes, which runs every night. */
function setOf({ accountId, computerId }: ComputerId): string {
  return `palisade backup sets create nightly --account ${accountId} --computer ${computerId}`
}

/** The command that runs a set now. */
function runOf(set: string, { accountId, computerId }: ComputerId): string {
  return `palisade backup sets run ${set} --account ${accountId} --computer ${computerId}`
}

/** As messages name a computer. */
function shown({ accountId, computerId }: ComputerId): string {
  return `${accountId}/${computerId}`
}
