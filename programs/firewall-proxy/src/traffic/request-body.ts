import { PassThrough, type Readable } from 'node:stream'
import type { Exchange } from './exchange.ts'

/** A request's body, or as much of it as was asked for. */
export interface BodyBeginning {
  readonly bytes: Buffer
  /** Whether that is all of it; otherwise the rest is still in the request, which is paused. */
  readonly isWhole: boolean
}

/**
 * Reads a body until it ends or is longer than the limit.
 *
 * @throws Error when the client ends the connection before the body
 */
export function readBeginning(exchange: Exchange, limitBytes: number): Promise<BodyBeginning> {
  const { request } = exchange
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (isWhole: boolean) => {
      stop()
      resolve({ bytes: Buffer.concat(chunks), isWhole })
    }
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      exchange.bytesTaken += chunk.length
      if (size <= limitBytes) return
      request.pause()
      settle(false)
    }
    const onEnd = () => settle(true)
    const onClose = () => {
      stop()
      reject(new Error('the client ended the connection before its request'))
    }
    const stop = () => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
    }
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose).resume()
  })
}

/**
 * A body as a stream of its own: who ends it ends neither the request nor the client's connection, over which the answer is
 * still to be sent.
 *
 * @param beginning what was read of it already
 */
export function bodyStream(exchange: Exchange, beginning?: Buffer): Readable {
  const stream = new PassThrough()
  // Whoever ends it early says why to its own listeners; here nothing is left to be done.
  stream.on('error', () => undefined)
  if (beginning !== undefined) stream.write(beginning)
  exchange.request.on('data', (chunk: Buffer) => {
    exchange.bytesTaken += chunk.length
  })
  return exchange.request.pipe(stream)
}
