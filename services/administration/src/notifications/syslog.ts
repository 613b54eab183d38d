import { connect, rootCertificates } from 'node:tls'
import { syslogMessage, withLengthPrefix } from '@palisade/platform'
import type { AddressGuard } from '@palisade/proxy-protocol'
import { type Delivery, headlineOf, type Notice, type Sender } from './notice.ts'

const timeoutMs = 10_000

/** 16, local0. */
const facility = 16

/** As RFC 5424 numbers them, in table 2: critical, warning, informational; notice for what has passed. */
const severityOf = { critical: 2, warning: 4, info: 6 } as const
const noticeSeverity = 5

/** A receiver of syslog messages. */
export interface SyslogOptions {
  readonly host: string
  readonly port: number
  /** Authorities that are trusted besides the usual ones, PEM. */
  readonly authorities: readonly string[]
}

/** Sends messages as RFC 5424 says, over TLS as RFC 5425 says: one message for each condition. */
export class Syslog implements Sender {
  readonly kind = 'syslog'
  readonly #options: SyslogOptions
  readonly #guard: AddressGuard

  constructor(options: SyslogOptions, guard: AddressGuard) {
    this.#options = options
    this.#guard = guard
  }

  async send({ server, notices }: Delivery, now: number, signal: AbortSignal): Promise<void> {
    const { host, port, authorities } = this.#options
    const messages = notices.map((notice) => withLengthPrefix(messageOf(notice, server, now)))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#guard.refuse(host, port)
    const socket = connect({
      host,
      port,
      lookup: this.#guard.lookupFor(port),
      servername: host,
      ca: [...rootCertificates, ...authorities],
    })
    const abort = () => socket.destroy(new Error('sending was ended'))
    signal.addEventListener('abort', abort)
    socket.setTimeout(timeoutMs, () =>
      socket.destroy(new Error('the syslog receiver did not answer in time')),
    )
    socket.once('error', reject)
    socket.once('close', () => resolve())
    // Receivers say nothing; reading is how the end of the connection is noticed.
    socket.resume()
    socket.once('secureConnect', () => socket.end(Buffer.concat(messages)))
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
}

function messageOf(notice: Notice, server: string, now: number): Buffer {
  const severity = notice.kind === 'raised' ? severityOf[notice.severity] : noticeSeverity
  const remedy = notice.kind === 'raised' ? ` What to do: ${notice.remedy}` : ''
  const line = `${headlineOf(notice)}: ${notice.message}${remedy}`.replace(/\s+/g, ' ')
  return syslogMessage(
    { facility, severity, time: now, host: server, messageId: notice.condition.slice(0, 32) },
    line,
  )
}
