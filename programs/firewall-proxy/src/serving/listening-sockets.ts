import type { Server, Socket } from 'node:net'

/**
 * A socket on which a listener listens, without a server that accepts from it: Node hands such sockets to other processes as they are.
 * While one process holds it, its address stays open, and clients that connect wait to be accepted.
 */
export interface ListeningSocket {
  close(): void
}

/** The socket of a server that listens; undefined where Node does not show it. Node has no public type for it. */
export function socketOf(server: Server): ListeningSocket | undefined {
  return (server as Server & { readonly _handle?: ListeningSocket | null })._handle ?? undefined
}

/** As `send` of processes takes and gives sockets. */
export function asTransferable(socket: ListeningSocket): Socket {
  return socket as unknown as Socket
}

/** The sockets of listeners, which outlive this process: whoever takes its place goes on with them. */
export interface ListeningSockets {
  /** That on which another process listened there, once; undefined where there is none. */
  adopt(place: string): ListeningSocket | undefined
  /** Lets the socket of a listener outlive this process. */
  share(place: string, socket: ListeningSocket): void
  /** The listener is closed, so that nobody needs its socket. */
  forget(place: string): void
}
