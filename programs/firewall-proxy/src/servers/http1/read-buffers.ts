import type { LentBytes } from '../server-connections.ts'
import type { SocketReading } from './plain-socket.ts'

/** How much is read from a server at once, at most. The system gives a buffer memory only as far as something was read into it. */
const bufferBytes = 128 * 1024

/** What is as short as this is copied, and its buffer used for the next read. */
const copiedMax = 8 * 1024

/** How many buffers wait to be used again; others are left to the garbage collection. */
const freeMax = 256

/**
 * Memory that servers are read into, used again and again: if each piece of a large answer had its own, V8 would spend half of all
 * processor time on collecting them.
 */
export class ReadBuffers {
  readonly #free: Buffer[] = []

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(bufferBytes)
  }

  giveBack(buffer: Buffer): void {
    if (this.#free.length < freeMax) this.#free.push(buffer)
  }
}

/** Takes what a receiver is told; `lent` is present where it can be given back. */
type ReadReceiver = (bytes: Buffer, lent: ReadBuffer | undefined) => void

/** What one socket reads into. */
export class SocketBuffer implements SocketReading {
  /** Told what was read. */
  receiver: ReadReceiver | undefined
  readonly #buffers: ReadBuffers
  #next: Buffer

  constructor(buffers: ReadBuffers) {
    this.#buffers = buffers
    this.#next = buffers.take()
  }

  nextBuffer(): Buffer {
    return this.#next
  }

  onRead(size: number, buffer: Buffer): void {
    const bytes = buffer.subarray(0, size)
    if (size <= copiedMax) {
      this.receiver?.(Buffer.from(bytes), undefined)
      return
    }
    this.#next = this.#buffers.take()
    const lent = new ReadBuffer(buffer, this.#buffers)
    this.receiver?.(bytes, lent)
    lent.finish()
  }
}

/**
 * One buffer with what was read into it. It is used again when everything that was lent of it has been given back; whoever keeps
 * something just never gives it back.
 */
export class ReadBuffer implements LentBytes {
  readonly #buffer: Buffer
  readonly #buffers: ReadBuffers
  /** Bytes that are lent, and one more while pieces are still told. */
  #lent = 1

  constructor(buffer: Buffer, buffers: ReadBuffers) {
    this.#buffer = buffer
    this.#buffers = buffers
  }

  lend(bytes: Buffer): void {
    this.#lent += bytes.length
  }

  giveBack(bytes: Buffer): void {
    this.#settle(bytes.length)
  }

  /** All pieces have been told. */
  finish(): void {
    this.#settle(1)
  }

  #settle(count: number): void {
    this.#lent -= count
    if (this.#lent === 0) this.#buffers.giveBack(this.#buffer)
  }
}
