import type { LoggedEntry } from '@palisade/proxy-protocol'
import type { Exchange } from '../exchange/exchange.ts'
import { accessEntry } from '../logs/access-entry.ts'
import type { Masking } from '../logs/masking.ts'
import {
  type InspectionResult,
  type RefusedConnection,
  refusedConnectionEntry,
  violationEntries,
} from '../logs/violation-entries.ts'
import { Batch } from './batch.ts'
import type { FromWorker } from './messages.ts'

/** What the traffic of a worker is to the access log and the web firewall log; told in batches. */
export class TrafficLog {
  readonly #access: Batch<LoggedEntry>
  readonly #webFirewall: Batch<LoggedEntry>
  /** Exchanges whose violations are in the log already, since they were logged when their tunnel began. */
  readonly #tunnels = new WeakSet<Exchange>()
  readonly #onAttacks: (service: string, entries: readonly LoggedEntry[]) => void

  /** @param onAttacks is given the entries of the web firewall log that a request or a connection has made */
  constructor(
    batchMs: number,
    tell: (message: FromWorker) => void,
    onAttacks: (service: string, entries: readonly LoggedEntry[]) => void,
  ) {
    this.#onAttacks = onAttacks
    this.#access = new Batch(batchMs, (access) => tell({ type: 'logs', access, webFirewall: [] }))
    this.#webFirewall = new Batch(batchMs, (webFirewall) => tell({ type: 'logs', access: [], webFirewall }))
  }

  /** A request's response was sent, or its client has gone. */
  ended(exchange: Exchange, masking: Masking, now: number): void {
    if (exchange.logsAccess) this.#access.add(accessEntry(exchange, masking, now))
    if (!this.#tunnels.has(exchange)) this.#addViolations(exchange, masking)
  }

  /** A request's connection goes on as a tunnel: what is wrong with it need not wait for the end of that. */
  tunnelled(exchange: Exchange, masking: Masking): void {
    this.#tunnels.add(exchange)
    this.#addViolations(exchange, masking)
  }

  /** Something was found in a message over the WebSocket that a request has opened. */
  message(exchange: Exchange, masking: Masking, found: InspectionResult): void {
    this.#addViolations(exchange, masking, found)
  }

  /** A connection was ended before there was a request. */
  refused(connection: RefusedConnection, now: number): void {
    const entry = refusedConnectionEntry(connection, now)
    this.#onAttacks(connection.service.name, [entry])
    this.#webFirewall.add(entry)
  }

  /** Tells what there is, now. */
  flush(): void {
    this.#access.flush()
    this.#webFirewall.flush()
  }

  #addViolations(exchange: Exchange, masking: Masking, found?: InspectionResult): void {
    const entries = violationEntries(exchange, masking, found)
    this.#onAttacks(exchange.runtime.service.name, entries)
    for (const entry of entries) this.#webFirewall.add(entry)
  }
}
