import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import { connect as connectTcp, isIPv6, type Socket } from 'node:net'
import { connect as connectTls, rootCertificates } from 'node:tls'
import { framed } from './syslog-message.ts'

/** A receiver of syslog messages. */
export interface SyslogReceiver {
  readonly host: string
  readonly port: number
  readonly over: 'udp' | 'tcp' | 'tls'
  /** Whether its certificate has to be trusted, and issued for its name. */
  readonly validatesCertificate: boolean
  /** Authorities that are trusted besides the usual ones, PEM. */
  readonly authorities: readonly string[]
}

/** Messages that wait for a receiver that is away, at most; then the oldest are given up. */
const waitingMax = 20_000
const waitingBytesMax = 32 * 1024 * 1024

const connectTimeoutMs = 10_000
const retryFirstMs = 500
const retryLastMs = 30_000

/**
 * Sends messages to one receiver, in their order. While it is away messages wait for it, in memory and bounded; how many were given
 * up is told when it is back.
 */
export class SyslogSender {
  readonly #receiver: SyslogReceiver
  readonly #onGivenUp: (count: number) => void
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #givenUp = 0
  #socket: Socket | undefined
  #datagrams: DatagramSocket | undefined
  /** Datagrams that the system has not taken yet. */
  #datagramsLeft = 0
  #isConnected = false
  #retryMs = retryFirstMs
  #retrying: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param onGivenUp told how many messages were lost, when messages can be sent again */
  constructor(receiver: SyslogReceiver, onGivenUp: (count: number) => void) {
    this.#receiver = receiver
    this.#onGivenUp = onGivenUp
  }

  send(message: Buffer): void {
    if (this.#isClosed) return
    if (this.#receiver.over === 'udp') {
      this.#sendAlone(message)
      return
    }
    this.#waiting.push(framed(message))
    this.#waitingBytes += message.length
    while (this.#waiting.length > waitingMax || this.#waitingBytes > waitingBytesMax) this.#giveUpOldest()
    this.#flush()
  }

  /** Sends what can be sent at once, and ends. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retrying)
    this.#closeWhenSent()
    if (this.#isConnected) this.#socket?.end()
    else this.#socket?.destroy()
  }

  #giveUpOldest(): void {
    this.#waitingBytes -= this.#waiting.shift()?.length ?? 0
    this.#givenUp++
  }

  #flush(): void {
    if (this.#socket === undefined) {
      if (this.#retrying === undefined) this.#connect()
      return
    }
    if (!this.#isConnected || this.#socket.writableNeedDrain) return
    if (this.#givenUp > 0) this.#onGivenUp(this.#givenUp)
    this.#givenUp = 0
    if (this.#waiting.length === 0) return
    const messages = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    this.#socket.write(messages)
  }

  #connect(): void {
    const { host, port, over, validatesCertificate, authorities } = this.#receiver
    const socket =
      over === 'tls'
        ? connectTls({
            host,
            port,
            rejectUnauthorized: validatesCertificate,
            ca: [...rootCertificates, ...authorities],
          })
        : connectTcp({ host, port })
    this.#socket = socket
    socket.unref()
    socket.setTimeout(connectTimeoutMs, () => socket.destroy())
    socket.once(over === 'tls' ? 'secureConnect' : 'connect', () => {
      socket.setTimeout(0)
      this.#isConnected = true
      this.#retryMs = retryFirstMs
      this.#flush()
    })
    socket.on('drain', () => this.#flush())
    socket.on('error', () => undefined)
    // Receivers say nothing; reading is how the end of the connection is noticed.
    socket.resume()
    socket.once('close', () => this.#lost())
  }

  #lost(): void {
    this.#socket = undefined
    this.#isConnected = false
    if (this.#isClosed) return
    this.#retrying = setTimeout(() => {
      this.#retrying = undefined
      if (this.#waiting.length > 0) this.#connect()
    }, this.#retryMs).unref()
    this.#retryMs = Math.min(retryLastMs, this.#retryMs * 2)
  }

  /** Nobody learns whether a datagram arrives. One socket sends all of them, since each takes one of the files that may be open. */
  #sendAlone(message: Buffer): void {
    const { host, port } = this.#receiver
    this.#datagrams ??= createSocket(isIPv6(host) ? 'udp6' : 'udp4')
      .on('error', () => undefined)
      .unref()
    this.#datagramsLeft++
    this.#datagrams.send(message, port, host, () => {
      this.#datagramsLeft--
      if (this.#isClosed) this.#closeWhenSent()
    })
  }

  #closeWhenSent(): void {
    if (this.#datagramsLeft === 0) this.#datagrams?.close()
  }
}
