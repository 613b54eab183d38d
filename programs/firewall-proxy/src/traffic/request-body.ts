import { PassThrough, type Readable } from 'node:stream'
import { sendAtEndOfTurn } from '../event-loop-turn.ts'
import type { ClientRequest } from '../exchange/client-message.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Share } from '../rate-control/body-room.ts'
import { Pieces } from './pieces.ts'
import type { RequestContext } from './request-context.ts'

/** How much of a body is held without asking whether there is room: forms get through while large files wait. */
const freeBytes = 64 * 1024

/** What came of a body goes on at the end of a turn, or when it is as much as this, in bytes. */
const sentAtOnceBytes = 16 * 1024

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
    const pieces = new Pieces()
    let share: Share | undefined
    const settle = (isWhole: boolean, lacksRoom?: 'full' | 'slow') => {
      stop()
      share?.keep(pieces.length)
      resolve({ bytes: pieces.take(), isWhole, lacksRoom })
    }
    const onData = (chunk: Buffer) => {
      pieces.add(chunk)
      exchange.bytesTaken += chunk.length
      if (pieces.length > limitBytes) {
        request.pause()
        settle(false)
      } else if (pieces.length > freeBytes && share === undefined) {
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
 * still to be sent. Pieces that come together go on together: to send each costs much more than to read it.
 *
 * @param beginning what was read of it already
 */
export function bodyStream(exchange: Exchange, beginning?: Buffer): Readable {
  const { request } = exchange
  const stream = new PassThrough()
  const pieces = new Pieces()
  let isAskedFor = false
  const send = () => {
    if (pieces.length > 0 && stream.writable && !stream.write(pieces.take())) request.pause()
  }
  const sendSoon = () => {
    isAskedFor = true
    sendAtEndOfTurn(() => {
      isAskedFor = false
      send()
    })
  }
  if (beginning !== undefined) stream.write(beginning)
  request
    .on('data', (chunk: Buffer) => {
      exchange.bytesTaken += chunk.length
      if (!stream.writable) return
      pieces.add(chunk)
      if (pieces.length >= sentAtOnceBytes) send()
      else if (!isAskedFor) sendSoon()
    })
    .once('end', () => {
      send()
      stream.end()
    })
  return (
    stream
      .on('drain', () => request.resume())
      .once('close', () => {
        if (!request.readableEnded) request.pause()
      })
      // Whoever ends it early says why to its own listeners; here nothing is left to be done.
      .on('error', () => undefined)
  )
}
