import type { Lease, Store, TextSeal } from '@palisade/platform'
import type { ExpressionBuilder, ExpressionWrapper, Kysely, SqlBool } from 'kysely'
import type { FirewallTables } from '../tables.ts'
import type { OngoingOrder, OrderMemory } from './order-memory.ts'

/** A certificate that something is due about; times in milliseconds since 1970. */
export interface QueuedCertificate {
  readonly name: string
  /** What `renewAt` follows from: another one, and the certificate is looked at anew. Empty for one that is not there yet. */
  readonly state: string
  readonly renewAt: number
  readonly dueAt: number
  readonly failures: number
  readonly problem: string
}

/** What is to be renewed, as the configuration has it. */
export interface RenewedCertificate {
  readonly name: string
  /** As in {@link QueuedCertificate}. */
  readonly state: string
  readonly renewAt: number
}

type Row = FirewallTables['firewall_acme_certificate']

type RowBuilder = ExpressionBuilder<FirewallTables, 'firewall_acme_certificate'>

/** Tells the certificates of services from those of listeners, whose names begin with "@". */
export const ofServices: QueueSelection = (row) => row('name', 'not like', '@%')

/** Which rows of the table belong to a queue. */
export type QueueSelection = (
  row: RowBuilder,
) => ExpressionWrapper<FirewallTables, 'firewall_acme_certificate', SqlBool>

/** When certificates are renewed, and which server is at it: kept in the store. */
export class CertificateQueue {
  readonly #tables: Kysely<FirewallTables>
  readonly #isOwn: QueueSelection
  readonly #seal: TextSeal

  /** @param isOwn leaves other rows of the table alone @param deps.seal of orders, which have keys */
  constructor({ store, seal }: { readonly store: Store; readonly seal: TextSeal }, isOwn: QueueSelection) {
    this.#tables = store.tables<FirewallTables>()
    this.#seal = seal
    this.#isOwn = isOwn
  }

  /**
   * Takes a certificate that is to be obtained for the first time.
   *
   * @returns whether nobody else is at it
   */
  async begin(name: string, { holder, untilMs }: Lease, now: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#tables
      .insertInto('firewall_acme_certificate')
      .values({
        name,
        serial: '',
        renew_at: untilMs,
        due_at: untilMs,
        failures: 0,
        problem: '',
        lease_holder: holder,
        lease_until: untilMs,
        ongoing_order: '',
      })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({
            lease_holder: holder,
            lease_until: untilMs,
            serial: '',
            failures: 0,
            problem: '',
            ongoing_order: '',
          })
          .where('firewall_acme_certificate.lease_until', '<=', now),
      )
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }

  /** @returns whether the lease is the holder's */
  async claim({ name, dueAt }: QueuedCertificate, { holder, untilMs }: Lease, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#tables
      .updateTable('firewall_acme_certificate')
      .set({ lease_holder: holder, lease_until: untilMs })
      .where('name', '=', name)
      .where('due_at', '=', dueAt)
      .where('lease_until', '<=', now)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** @returns whether the holder still has the lease */
  renew(name: string, { holder, untilMs }: Lease): Promise<boolean> {
    return this.#update(name, holder, { lease_until: untilMs })
  }

  /** Ends the lease. */
  async giveBack(name: string, holder: string, dueAt: number): Promise<void> {
    await this.#update(name, holder, { ...free, due_at: dueAt })
  }

  /** Ends the lease of a certificate that is there. @returns whether the holder had it */
  settle({ name, state, renewAt }: RenewedCertificate, holder: string, dueAt: number): Promise<boolean> {
    return this.#update(name, holder, {
      ...free,
      serial: state,
      renew_at: renewAt,
      due_at: dueAt,
      failures: 0,
      problem: '',
      ongoing_order: '',
    })
  }

  /** Remembers the order of a certificate that the holder is at. */
  orderMemory(name: string, holder: string): OrderMemory {
    return {
      load: async () => {
        const row = await this.#tables
          .selectFrom('firewall_acme_certificate')
          .select('ongoing_order')
          .where('name', '=', name)
          .executeTakeFirst()
        const sealed = row?.ongoing_order ?? ''
        if (sealed === '') return undefined
        const order: OngoingOrder = JSON.parse(this.#seal.open(sealed, name))
        return order
      },
      save: async (order) => {
        await this.#update(name, holder, { ongoing_order: this.#seal.seal(JSON.stringify(order), name) })
      },
    }
  }

  /** Something else than a renewal was done about a certificate: ends the lease, and failures stay as they are. */
  async postpone(name: string, holder: string, renewAt: number, dueAt: number): Promise<void> {
    await this.#update(name, holder, { ...free, renew_at: renewAt, due_at: dueAt })
  }

  /** Ends the lease of one that could not be renewed. */
  async fail(
    { name, failures }: QueuedCertificate,
    holder: string,
    problem: string,
    dueAt: number,
  ): Promise<void> {
    await this.#update(name, holder, { ...free, failures: failures + 1, problem, due_at: dueAt })
  }

  /** Takes a certificate out that the holder is at. */
  async forget(name: string, holder: string): Promise<void> {
    await this.#tables
      .deleteFrom('firewall_acme_certificate')
      .where('name', '=', name)
      .where('lease_holder', '=', holder)
      .execute()
  }

  /** What is due and nobody is at, the longest due first. */
  async due(now: number, countMax: number): Promise<QueuedCertificate[]> {
    const rows = await this.#tables
      .selectFrom('firewall_acme_certificate')
      .selectAll()
      .where(this.#isOwn)
      .where('due_at', '<=', now)
      .where('lease_until', '<=', now)
      .orderBy('due_at')
      .limit(countMax)
      .execute()
    return rows.map(queued)
  }

  async nextDueAt(now: number): Promise<number | undefined> {
    const row = await this.#tables
      .selectFrom('firewall_acme_certificate')
      .select('due_at')
      .where(this.#isOwn)
      .where('lease_until', '<=', now)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst()
    return row?.due_at
  }

  /** Those that could not be renewed. */
  async failing(): Promise<QueuedCertificate[]> {
    const rows = await this.#tables
      .selectFrom('firewall_acme_certificate')
      .selectAll()
      .where(this.#isOwn)
      .where('failures', '>', 0)
      .orderBy('name')
      .execute()
    return rows.map(queued)
  }

  /** Makes the queue what the configuration says. Those that a server is at are left alone. */
  async synchronise(wanted: readonly RenewedCertificate[], now: number): Promise<void> {
    const rows = await this.#tables
      .selectFrom('firewall_acme_certificate')
      .selectAll()
      .where(this.#isOwn)
      .execute()
    const there = new Map(rows.map((row) => [row.name, row]))
    const names = new Set(wanted.map(({ name }) => name))
    for (const { name } of rows.filter((row) => !names.has(row.name))) {
      await this.#tables
        .deleteFrom('firewall_acme_certificate')
        .where('name', '=', name)
        .where('lease_until', '<=', now)
        .execute()
    }
    for (const { name, state, renewAt } of wanted.filter(
      (one) => there.get(one.name)?.serial !== one.state,
    )) {
      const content = {
        serial: state,
        renew_at: renewAt,
        due_at: now,
        failures: 0,
        problem: '',
        ongoing_order: '',
      }
      await this.#tables
        .insertInto('firewall_acme_certificate')
        .values({ name, ...content, ...free })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet(content)
            .where('firewall_acme_certificate.lease_until', '<=', now),
        )
        .execute()
    }
  }

  async #update(name: string, holder: string, values: Partial<Row>): Promise<boolean> {
    const { numUpdatedRows } = await this.#tables
      .updateTable('firewall_acme_certificate')
      .set(values)
      .where('name', '=', name)
      .where('lease_holder', '=', holder)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }
}

const free = { lease_holder: '', lease_until: 0 } as const

function queued(row: Row): QueuedCertificate {
  const { name, serial: state, renew_at: renewAt, due_at: dueAt, failures, problem } = row
  return { name, state, renewAt, dueAt, failures, problem }
}
