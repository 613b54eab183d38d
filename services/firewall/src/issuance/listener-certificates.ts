/**
 * The certificates of the program's own listeners. They lie in the store, by the hosts that they are for: listeners that are for
 * the same hosts share one, on whichever server they are.
 */
import { createHash } from 'node:crypto'
import type {
  Attention,
  JobRunner,
  ServerCertificate,
  Store,
  TextSeal,
  WatchedQueue,
} from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { Upload } from '../behaviours/certificates/read-upload.ts'
import { readCertificates } from '../certificates/index.ts'
import type { FirewallTables } from '../tables.ts'
import { CertificateQueue, type QueuedCertificate } from './certificate-queue.ts'
import {
  type CertificateSource,
  obtainedCertificate,
  type RenewableCertificate,
} from './renewable-certificate.ts'
import { Renewals, type RenewalsDependencies, runRenewals } from './renewals.ts'

/** Begins their names in the queue, and no name of an object. */
const namePrefix = '@listener:'

/** A listener whose certificate is obtained. */
export interface CertifiedListener {
  /** The member of the configuration that asks for it, such as "services.tls.acme". */
  readonly member: string
  /** In ASCII and lower case. */
  readonly domains: readonly string[]
}

/** One certificate, and what asks for it. */
interface Wanted {
  readonly name: string
  readonly members: readonly string[]
  readonly domains: readonly string[]
}

interface Stored {
  readonly certificate: ServerCertificate
  readonly directory: string
  /** As it is in the store; tells whether another server has renewed it. */
  readonly serial: string
}

/** Knows the certificates of listeners, and has them renewed. */
export class ListenerCertificates implements CertificateSource {
  readonly #tables: Kysely<FirewallTables>
  readonly #seal: TextSeal
  readonly #wanted: readonly Wanted[]
  readonly #listeners = new Set<() => void>()
  #stored: ReadonlyMap<string, Stored> = new Map()
  #renewals: Renewals | undefined
  #runner: JobRunner<QueuedCertificate> | undefined
  /** Those that were replaced while something was under way. */
  readonly #draining = new Set<JobRunner<QueuedCertificate>>()

  private constructor(
    { store, seal }: { readonly store: Store; readonly seal: TextSeal },
    listeners: readonly CertifiedListener[],
  ) {
    this.#tables = store.tables<FirewallTables>()
    this.#seal = seal
    const byName = Map.groupBy(listeners, ({ domains }) => nameOf(domains))
    this.#wanted = Array.from(byName, ([name, [first, ...others]]) => ({
      name,
      members: [first, ...others].flatMap((listener) => listener?.member ?? []),
      domains: [...new Set(first?.domains)],
    }))
  }

  /** Reads those that are there. Nothing is asked for before {@link begin}. */
  static async open(
    deps: { readonly store: Store; readonly seal: TextSeal },
    listeners: readonly CertifiedListener[],
  ): Promise<ListenerCertificates> {
    const certificates = new ListenerCertificates(deps, listeners)
    await certificates.refresh()
    return certificates
  }

  /**
   * Obtains those that are not there, and renews the others in time. When it is called again, what is under way ends as it was begun.
   *
   * @param deps.orders places orders for which the listeners answer, which are open by then
   */
  begin(
    deps: Omit<RenewalsDependencies, 'queue' | 'source'> & { readonly store: Store; readonly seal: TextSeal },
  ): void {
    const names = this.#wanted.map(({ name }) => name)
    this.suspend()
    if (names.length === 0) return
    const queue = new CertificateQueue(deps, (row) => row('name', 'in', names))
    const renewals = new Renewals({ ...deps, queue, source: this })
    this.#renewals = renewals
    this.#runner = runRenewals(renewals, { ...deps, source: this })
  }

  /** Renews nothing more until {@link begin} is called. What is under way ends by itself. */
  suspend(): void {
    const runner = this.#runner
    this.#renewals = undefined
    this.#runner = undefined
    if (runner !== undefined) void this.#drain(runner)
  }

  /** What a listener presents. @returns undefined while it was not obtained yet, and for a member that asks for none */
  of(member: string): ServerCertificate | undefined {
    const wanted = this.#wanted.find(({ members }) => members.includes(member))
    return wanted && this.#stored.get(wanted.name)?.certificate
  }

  /** Calls the listener whenever one is there that was not, whichever server has obtained it. It must not throw. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Which certificates are due; undefined while nothing is renewed, and where no listener asks for one. */
  get queue(): WatchedQueue | undefined {
    return this.#runner && { name: 'listener-certificates', runner: this.#runner }
  }

  /** What could not be obtained or renewed. */
  async attention(): Promise<Attention[]> {
    return (await this.#renewals?.attention()) ?? []
  }

  async close(): Promise<void> {
    const all = [...this.#draining, ...(this.#runner ? [this.#runner] : [])]
    await Promise.all(all.map((runner) => runner.close()))
  }

  async refresh(): Promise<void> {
    const names = this.#wanted.map(({ name }) => name)
    if (names.length === 0) return
    const rows = await this.#tables
      .selectFrom('firewall_acme_listener')
      .selectAll()
      .where('name', 'in', names)
      .execute()
    if (rows.every(({ name, serial }) => this.#stored.get(name)?.serial === serial)) return
    this.#stored = new Map(
      rows.map(({ name, chain, private_key: key, directory, serial }) => {
        const certificate = { cert: chain, key: this.#seal.open(key, name) }
        return [name, { certificate, directory, serial }]
      }),
    )
    for (const listener of this.#listeners) listener()
  }

  version(): unknown {
    return this.#stored
  }

  all(): readonly RenewableCertificate[] {
    return this.#wanted.map((wanted) => this.#renewable(wanted))
  }

  find(name: string): RenewableCertificate | undefined {
    const wanted = this.#wanted.find((one) => one.name === name)
    return wanted && this.#renewable(wanted)
  }

  async replace(
    { name, obtained }: RenewableCertificate,
    { certificate, privateKey = '', intermediates }: Upload,
    directory: string,
  ): Promise<void> {
    const content = {
      chain: [certificate.pem, ...intermediates].map((pem) => `${pem.trim()}\n`).join(''),
      private_key: this.#seal.seal(privateKey, name),
      serial: obtainedCertificate(certificate.pem, directory).serial,
      directory,
    }
    await this.#tables
      .insertInto('firewall_acme_listener')
      .values({ name, ...content })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(content)
          .where('firewall_acme_listener.serial', '=', obtained?.serial ?? ''),
      )
      .execute()
    await this.refresh()
  }

  async #drain(runner: JobRunner<QueuedCertificate>): Promise<void> {
    this.#draining.add(runner)
    await runner.drain()
    this.#draining.delete(runner)
  }

  #renewable({ name, members, domains }: Wanted): RenewableCertificate {
    const stored = this.#stored.get(name)
    const [first] = stored === undefined ? [] : readCertificates(stored.certificate.cert)
    return {
      name,
      title: members.join(', '),
      hosts: domains,
      daysBefore: undefined,
      obtained: stored && first && obtainedCertificate(first.pem, stored.directory),
    }
  }
}

/** The same for the same hosts, in whichever order they are. */
function nameOf(domains: readonly string[]): string {
  const text = [...new Set(domains)].sort().join(' ')
  return `${namePrefix}${createHash('sha256').update(text).digest('hex')}`
}
