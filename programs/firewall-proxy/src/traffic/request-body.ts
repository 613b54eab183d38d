import { PassThrough, type Readable } from 'node:stream'
import type { ClientRequest } from '../exchange/client-message.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Share } from '../rate-control/body-room.ts'
import type { RequestContext } from './request-context.ts'

/** How much of a body is held without asking whether there is room: forms get through while large files wait. */
const freeBytes = 64 * 1024

/** A request's body, or as much of it as was asked for. */
export interface BodyBeginning {
  readonly bytes: Buffer
  /** Whether that is all of it; otherwise the rest is still in the request, which is paused. */
  readonly isWhole: boolean
  /** Present when it ends here since there was no room for more, or it came too slowly for others that waited. */
  readonly lacksRoom: 'full' | 'slow' | undefined
}

/**
 * Reads a body until it ends or is longer than the limit. A long one waits until there is room for it; the client is not read from
 * meanwhile. The room is the exchange's until that is over.
 *
 * @throws Error when the client ends the connection before the body
 */
export function readBeginning(
  { exchange, runtime }: RequestContext,
  limitBytes: number,
): Promise<BodyBeginning> {
  const { request } = exchange
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let share: Share | undefined
    const settle = (isWhole: boolean, lacksRoom?: 'full' | 'slow') => {
      stop()
      share?.keep(size)
      resolve({ bytes: Buffer.concat(chunks), isWhole, lacksRoom })
    }
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      exchange.bytesTaken += chunk.length
      if (size > limitBytes) {
        request.pause()
        settle(false)
      } else if (size > freeBytes && share === undefined) {
        request.pause()
        const place = runtime.bodyRoom.ask(lengthAtMost(request, limitBytes), {
          granted: () => request.resume(),
          refused: (why) => {
            request.pause()
            settle(false, why)
          },
        })
        share = place
        exchange.leaveBodyRoom = () => place.leave()
      }
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

/** How long a body can be, as far as its request tells, in bytes. */
function lengthAtMost({ headers }: ClientRequest, limitBytes: number): number {
  const declared = Number(headers['content-length'])
  return Number.isSafeInteger(declared) ? Math.min(declared, limitBytes) : limitBytes
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
