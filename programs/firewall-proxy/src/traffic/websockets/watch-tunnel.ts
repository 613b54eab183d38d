import type { Duplex } from 'node:stream'
import { closeFrame } from '../../filters/websockets/frames.ts'
import type { SocketChecks } from '../../filters/websockets/socket-checks.ts'
import type { RequestContext } from '../request-context.ts'
import { SocketGuard } from './socket-guard.ts'
import { WatchedDirection } from './watched-direction.ts'

/** Something goes against the policy of whoever ends the WebSocket (RFC 6455, section 7.4.1). */
const policyViolation = 1008

/** How long either side has to take why it was ended, in milliseconds. */
const farewellMs = 2_000

/** How long a side may take what the other one has said last, in milliseconds. */
const lastWordsMs = 30_000

/**
 * Lets bytes pass both ways over a WebSocket as long as nothing is wrong with them. Otherwise both sides are told so, and it ends.
 *
 * @param early what the client has sent behind its request
 */
export function watchTunnel(
  context: RequestContext,
  checks: SocketChecks,
  { client, server, early }: { readonly client: Duplex; readonly server: Duplex; readonly early: Buffer },
): void {
  const guard = new SocketGuard(context, checks, () => {
    client.unpipe(toServer)
    server.unpipe(toClient)
    client.resume()
    server.resume()
    toClient.endWith(closeFrame(policyViolation, false))
    toServer.endWith(closeFrame(policyViolation, true))
    setTimeout(() => {
      client.destroy()
      server.destroy()
    }, farewellMs).unref()
  })
  const room = context.runtime.messageRoom
  const toServer = new WatchedDirection({ isFromClient: true, guard, room })
  const toClient = new WatchedDirection({ isFromClient: false, guard, room })
  if (early.length > 0) toServer.write(early)
  for (const [from, watched, to] of [
    [client, toServer, server],
    [server, toClient, client],
  ] as const) {
    from.pipe(watched).pipe(to)
    from.once('error', () => to.destroy())
    // What could not be judged does not go on.
    watched.once('error', (error) => {
      context.runtime.log.error(
        { err: error, requestId: context.exchange.id },
        'a WebSocket could not be watched',
      )
      from.destroy()
      to.destroy()
    })
    from.once('close', () => {
      if (guard.isRefused) return
      if (from.readableEnded) endBehind(watched, to)
      else {
        watched.destroy()
        to.destroy()
      }
    })
  }
}

/** One side has gone after it had said everything: the other one is to get all of that. */
function endBehind(watched: WatchedDirection, to: Duplex): void {
  const end = () => {
    watched.destroy()
    to.destroy()
  }
  setTimeout(end, lastWordsMs).unref()
  if (watched.readableEnded) to.end(end)
  else watched.once('end', () => to.end(end))
}
