import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { errors } from 'undici'

/** A body that is being sent. */
export interface BodySending {
  /** Ends it before its end; nothing is told any more. */
  stop(): void
}

/**
 * Sends a stream as the body of a request, no faster than the server takes it.
 *
 * @param length in bytes, or in chunks of their own
 * @param done told once, with why it could not be sent
 */
export function sendBody(
  socket: Socket,
  body: Readable,
  length: number | 'chunked',
  done: (failure: Error | undefined) => void,
): BodySending {
  let sentBytes = 0
  const onData = (bytes: Buffer) => {
    sentBytes += bytes.length
    if (length !== 'chunked' && sentBytes > length) {
      settle(new errors.RequestContentLengthMismatchError())
      return
    }
    if (!(length === 'chunked' ? writeChunk(socket, bytes) : socket.write(bytes))) body.pause()
  }
  const onDrain = () => body.resume()
  const onEnd = () => {
    if (length === 'chunked') socket.write('0\r\n\r\n', 'latin1')
    settle(
      length === 'chunked' || sentBytes === length
        ? undefined
        : new errors.RequestContentLengthMismatchError(),
    )
  }
  const onError = (error: Error) => settle(error)
  const onClose = () => settle(new errors.RequestAbortedError())
  const stop = () => {
    body.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
    socket.off('drain', onDrain)
    body.destroy()
  }
  const settle = (failure: Error | undefined) => {
    stop()
    done(failure)
  }
  socket.on('drain', onDrain)
  body.on('end', onEnd).on('error', onError).on('close', onClose).on('data', onData)
  return { stop }
}

function writeChunk(socket: Socket, bytes: Buffer): boolean {
  if (bytes.length === 0) return true
  socket.cork()
  socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1')
  socket.write(bytes)
  const hasRoom = socket.write('\r\n', 'latin1')
  socket.uncork()
  return hasRoom
}
