import { connect, type Socket } from 'node:net'
import { systemCode } from '@palisade/private-files'
import type { AddressGuard, SnapshotServer } from '@palisade/proxy-protocol'
import { errors } from 'undici'
import { connectTimeoutMs } from '../connecting.ts'

/** Where a socket reads into, and who is told. */
export interface SocketReading {
  /** Asked for before each read. */
  nextBuffer(): Buffer
  /** @param size how much was read, in bytes */
  onRead(size: number, buffer: Buffer): void
}

const keepAliveDelayMs = 60_000

/**
 * Opens a connection without TLS, which is read into memory that the caller chooses, and not as a stream.
 *
 * @throws AddressForbidden
 * @param guard keeps it from where the server may not lie
 * @param done told once: the error has the system's codes, or undici's when it took too long
 */
export function openPlainSocket(
  { host, port, localAddress }: SnapshotServer,
  guard: AddressGuard,
  reading: SocketReading,
  done: (error: Error | null, socket: Socket) => void,
): void {
  guard.refuse(host, port)
  const socket = connect({
    host,
    port,
    lookup: guard.lookupFor(port),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveDelayMs,
    ...(localAddress === undefined ? {} : { localAddress }),
    onread: {
      buffer: () => reading.nextBuffer(),
      callback: (size, buffer) => {
        // Whoever wants no more says so to the socket.
        if (Buffer.isBuffer(buffer)) reading.onRead(size, buffer)
        return true
      },
    },
  })
  const limit = setTimeout(() => socket.destroy(new errors.ConnectTimeoutError()), connectTimeoutMs)
  const onError = (error: Error) => {
    clearTimeout(limit)
    done(isTimeout(error) ? new errors.ConnectTimeoutError() : error, socket)
  }
  socket.once('error', onError)
  socket.once('connect', () => {
    clearTimeout(limit)
    socket.off('error', onError)
    done(null, socket)
  })
}

/** Of several addresses of a name, one that did not answer in time is enough: nobody knows that the others would always refuse. */
function isTimeout(error: Error): boolean {
  const all: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
  return all.some((one) => systemCode(one) === 'ETIMEDOUT')
}
