import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { AddressGuard } from '@palisade/proxy-protocol'
import type { ChannelConfiguration } from '../notification-configuration.ts'
import { type Delivery, headlineOf, type Notice, type Sender } from './notice.ts'

const timeoutMs = 20_000

/** A mail server, and who gets mail from whom. */
export type MailOptions = Omit<NonNullable<ChannelConfiguration['email']>, 'caFile'> & {
  /** Authorities that are trusted besides the usual ones, PEM. */
  readonly authorities: readonly string[]
}

/** Sends mail by SMTP (RFC 5321), with TLS unless the configuration says otherwise. */
export class Mail implements Sender {
  readonly kind = 'email'
  readonly #options: MailOptions
  readonly #guard: AddressGuard

  constructor(options: MailOptions, guard: AddressGuard) {
    this.#options = options
    this.#guard = guard
  }

  async send({ id, server, notices }: Delivery): Promise<void> {
    const { host, port, tls, username, password, from, to, authorities } = this.#options
    // Most servers send none, and it takes long to load.
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      host,
      port,
      secure: tls === 'implicit',
      requireTLS: tls === 'starttls',
      ignoreTLS: tls === 'none',
      tls: { ca: [...rootCertificates, ...authorities], minVersion: 'TLSv1.2' },
      ...(username === undefined ? {} : { auth: { user: username, pass: password ?? '' } }),
      getSocket: (_options, done) => {
        this.#connected().then((connection) => done(null, { connection }), done)
      },
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      await transport.sendMail({
        from,
        to: [...to],
        subject: subjectOf(notices),
        text: textOf(notices, server),
        messageId: `<${id}@palisade>`,
        date: new Date(),
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    } catch (error) {
      if (isOfMailServer(error)) throw error
      throw new Error('what answers there is no mail server')
    } finally {
      transport.close()
    }
  }

  /** A connection that was judged by the address that it leads to. */
  async #connected(): Promise<Socket> {
    const { host, port } = this.#options
    this.#guard.refuse(host, port)
    const socket = connect({ host, port, lookup: this.#guard.lookupFor(port) })
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the mail server did not answer in time')))
    await once(socket, 'connect')
    socket.setTimeout(0)
    return socket
  }
}

/**
 * Whether a failure has no answer in it, or one that begins as those of a mail server do. Whoever names a channel may name any address:
 * he is not told what else there is in the network.
 */
function isOfMailServer(error: unknown): boolean {
  const { response } = Object(error)
  return typeof response !== 'string' || /^[2-5]\d\d(?:[ -]|$)/.test(response)
}

function subjectOf(notices: readonly Notice[]): string {
  const [first] = notices
  if (first === undefined) return '[Palisade]'
  const more = notices.length === 1 ? '' : ` and ${notices.length - 1} more`
  return `[Palisade] ${headlineOf(first)}${more}`
}

function textOf(notices: readonly Notice[], server: string): string {
  const parts = notices.map((notice) =>
    [
      headlineOf(notice),
      notice.message,
      `Since ${new Date(notice.since).toISOString()}`,
      ...(notice.resolvedAt === null
        ? [`What to do: ${notice.remedy}`]
        : [`Resolved at ${new Date(notice.resolvedAt).toISOString()}`]),
    ].join('\n'),
  )
  return `${parts.join('\n\n')}\n\n-- \nSent by Palisade on ${server}\n`
}
