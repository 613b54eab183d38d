import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { systemCode } from '@palisade/private-files'
import { AddressRefused, addressOf, mayConnectTo } from './allowed-addresses.ts'

/** What is connected to, and how far one goes there. */
export interface ConnectionTarget {
  readonly host: string
  readonly port: number
  /**
   * - `tcp`: connecting is all.
   * - `tls`: and the certificate of the host has to be one that is trusted.
   * - `ftp`: and it has to greet as an FTP server does (RFC 959), and to log the user in.
   * - `ftps`: the same, over TLS that is asked for with AUTH TLS (RFC 4217), or spoken at once on port 990.
   */
  readonly protocol: 'tcp' | 'tls' | 'ftp' | 'ftps'
  readonly username?: string
  readonly password?: string
}

/** What came of a connection. */
export interface ConnectionOutcome {
  readonly isReached: boolean
  /** A whole sentence. Nothing that the other side said is repeated in it. */
  readonly message: string
}

const timeoutMs = 5000
const implicitTlsPort = 990

/** A greeting, or a reply, has to end within as many bytes. */
const replySizeMax = 4096

/**
 * Connects, goes as far as the protocol says, and ends the connection; all of it within five seconds.
 *
 * @param isAllowed which addresses may be connected to
 */
export async function testConnection(
  target: ConnectionTarget,
  isAllowed = mayConnectTo,
): Promise<ConnectionOutcome> {
  const signal = AbortSignal.timeout(timeoutMs)
  const where = `${target.host}, port ${target.port}`
  try {
    const address = await addressOf(target.host, isAllowed)
    const line = await Connection.open(address, target.port, signal)
    try {
      return { isReached: true, message: `${await visit(line, target)} (${where})` }
    } finally {
      line.close()
    }
  } catch (error) {
    if (error instanceof AddressRefused || error instanceof OtherSide) {
      return { isReached: false, message: `${error.message} (${where})` }
    }
    return { isReached: false, message: `${reasonOf(error)} (${where})` }
  }
}

async function visit(line: Connection, { protocol, port, host, ...user }: ConnectionTarget): Promise<string> {
  switch (protocol) {
    case 'tcp':
      return 'The connection was opened; nothing was tried beyond that.'
    case 'tls':
      await line.secure(host)
      return 'The connection was opened, and the certificate is trusted; no file was read or written.'
    case 'ftp':
      await line.expect('220')
      return logIn(line, user)
    case 'ftps':
      if (port === implicitTlsPort) await line.secure(host)
      await line.expect('220')
      if (port !== implicitTlsPort) {
        await line.ask('AUTH TLS', '234')
        await line.secure(host)
      }
      return logIn(line, user)
  }
}

async function logIn(
  line: Connection,
  { username = '', password = '' }: { username?: string; password?: string },
): Promise<string> {
  if (username === '') return 'The server answers; no user was given to log in.'
  const reply = await line.ask(`USER ${username}`, '331', '230')
  if (reply === '331') await line.ask(`PASS ${password}`, '230')
  return 'The server answers, and the user could log in.'
}

/** The other side does not do what its protocol says. */
class OtherSide extends Error {}

/** A connection on which lines are exchanged as FTP does. */
class Connection {
  readonly #signal: AbortSignal
  #socket: Socket

  private constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket
    this.#signal = signal
  }

  static async open(host: string, port: number, signal: AbortSignal): Promise<Connection> {
    const socket = connect({ host, port })
    socket.on('error', () => undefined)
    try {
      await once(socket, 'connect', { signal })
    } catch (error) {
      socket.destroy()
      throw error
    }
    return new Connection(socket, signal)
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Goes on in TLS, with a host that has a trusted certificate for its name. */
  async secure(host: string): Promise<void> {
    const secured = connectTls({
      socket: this.#socket,
      host,
      ...(isIP(host) ? {} : { servername: host }),
    })
    this.#socket = secured
    await once(secured, 'secureConnect', { signal: this.#signal })
  }

  /** @throws OtherSide when the reply has none of the codes */
  async ask(command: string, ...codes: readonly string[]): Promise<string> {
    if (/[\r\n\0]/.test(command)) throw new OtherSide('The name or the password cannot be sent.')
    this.#socket.write(`${command}\r\n`)
    return this.expect(...codes)
  }

  /** The code of the reply that comes, after its last line: three digits and a blank. */
  async expect(...codes: readonly string[]): Promise<string> {
    let text = ''
    while (!/^\d{3} .*\r?\n/m.test(text)) {
      const chunk: Buffer | null = this.#socket.read()
      if (chunk !== null) text += chunk.toString('latin1')
      else if (this.#socket.readableEnded) throw new OtherSide('The server ended the connection.')
      else await once(this.#socket, 'readable', { signal: this.#signal })
      if (text.length > replySizeMax) throw new OtherSide('The server does not speak FTP.')
    }
    const code = /^(\d{3}) /m.exec(text)?.[1] ?? ''
    if (codes.includes(code)) return code
    if (code === '530') throw new OtherSide('The server does not let the user in.')
    throw new OtherSide(`The server answers with the code ${code} where ${codes.join(' or ')} was expected.`)
  }
}

function reasonOf(error: unknown): string {
  const code = systemCode(error) ?? ''
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) {
    return 'There was no answer within five seconds.'
  }
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'The host cannot be reached.'
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) return 'The certificate is not one that is trusted.'
  return 'The connection failed.'
}
