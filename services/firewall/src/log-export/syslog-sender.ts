import { createSocket, type Socket as DatagramSocket, type SocketOptions } from 'node:dgram'
import { connect as connectTcp, isIP, isIPv6, type Socket } from 'node:net'
import { connect as connectTls, rootCertificates } from 'node:tls'
import { withLengthPrefix } from '@palisade/platform'
import type { AddressGuard } from '@palisade/proxy-protocol'

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

/** What is told of how messages health. */
export interface SyslogEvents {
  /** Messages were lost; told when messages can be sent again. @param count how many */
  onGivenUp(count: number): void
  /** Messages cannot be sent; told once until one was. @param reason without a full stop */
  onAway(reason: string): void
}

const connectTimeoutMs = 10_000
const retryFirstMs = 500
const retryLastMs = 30_000

/**
 * Sends messages to one receiver, in their order. While it is away messages wait for it, in memory and bounded; how many were given
 * up is told when it is back.
 */
export class SyslogSender {
  readonly #receiver: SyslogReceiver
  readonly #guard: AddressGuard
  readonly #events: SyslogEvents
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #givenUp = 0
  #socket: Socket | undefined
  #datagrams: DatagramSocket | undefined
  /** Datagrams that the system has not taken yet. */
  #datagramsLeft = 0
  #isConnected = false
  #isToldAway = false
  #retryMs = retryFirstMs
  #retrying: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param guard says where messages are not sent; they are given up as if nobody were there */
  constructor(receiver: SyslogReceiver, guard: AddressGuard, events: SyslogEvents) {
    this.#receiver = receiver
    this.#guard = guard
    this.#events = events
  }

  send(message: Buffer): void {
    const { host, port } = this.#receiver
    if (this.#isClosed) return
    if (this.#guard.forbids(host, port)) {
      this.#away(new Error('the operator of this installation has forbidden the address'))
      return
    }
    if (this.#receiver.over === 'udp') {
      this.#sendAlone(message)
      return
    }
    this.#waiting.push(withLengthPrefix(message))
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
    if (this.#givenUp > 0) this.#events.onGivenUp(this.#givenUp)
    this.#givenUp = 0
    if (this.#waiting.length === 0) return
    const messages = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    this.#socket.write(messages)
  }

  #connect(): void {
    const { host, port, over, validatesCertificate, authorities } = this.#receiver
    const lookup = this.#guard.lookupFor(port)
    const socket =
      over === 'tls'
        ? connectTls({
            host,
            port,
            lookup,
            rejectUnauthorized: validatesCertificate,
            ca: [...rootCertificates, ...authorities],
          })
        : connectTcp({ host, port, lookup })
    this.#socket = socket
    socket.unref()
    socket.setTimeout(connectTimeoutMs, () =>
      socket.destroy(new Error(`it did not answer within ${connectTimeoutMs / 1000} seconds`)),
    )
    socket.once(over === 'tls' ? 'secureConnect' : 'connect', () => {
      socket.setTimeout(0)
      this.#isConnected = true
      this.#isToldAway = false
      this.#retryMs = retryFirstMs
      this.#flush()
    })
    socket.on('drain', () => this.#flush())
    socket.on('error', (error) => this.#away(error))
    // Receivers say nothing; reading is how the end of the connection is noticed.
    socket.resume()
    socket.once('close', () => this.#lost())
  }

  #away(error: Error): void {
    if (this.#isToldAway || this.#isClosed) return
    this.#isToldAway = true
    this.#events.onAway(error.message.trim())
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

  /** Nobody learns whether a datagram arrives, but only that it was not sent. One socket sends all of them, since each takes one of the files that may be open. */
  #sendAlone(message: Buffer): void {
    const { host, port } = this.#receiver
    this.#datagrams ??= createSocket({
      type: isIPv6(host) ? 'udp6' : 'udp4',
      lookup: datagramLookup(this.#guard, port),
    })
      .on('error', () => undefined)
      .unref()
    this.#datagramsLeft++
    this.#datagrams.send(message, port, host, (error) => {
      if (error) this.#away(error)
      else this.#isToldAway = false
      this.#datagramsLeft--
      if (this.#isClosed) this.#closeWhenSent()
    })
  }

  #closeWhenSent(): void {
    if (this.#datagramsLeft === 0) this.#datagrams?.close()
  }
}

/** Addresses were judged before; the socket's own, at which it listens, is looked up here as well. */
function datagramLookup(guard: AddressGuard, port: number): NonNullable<SocketOptions['lookup']> {
  const lookup = guard.lookupFor(port)
  return (name, options, done) => {
    if (isIP(name) !== 0) done(null, name, isIP(name))
    else
      lookup(name, { ...options, all: false }, (error, address, family = 0) =>
        done(error, String(address), family),
      )
  }
}
