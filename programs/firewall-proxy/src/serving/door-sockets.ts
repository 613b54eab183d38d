import type { Server, Socket } from 'node:net'

/**
 * A socket on which a door listens, without a server that accepts from it: Node hands such sockets to other processes as they are.
 * While one process holds it, its address stays open, and clients that connect wait to be accepted.
 */
export interface DoorSocket {
  close(): void
}

/** The socket of a server that listens; undefined where Node does not show it. Node has no public type for it. */
export function socketOf(server: Server): DoorSocket | undefined {
  return (server as Server & { readonly _handle?: DoorSocket | null })._handle ?? undefined
}

/** As `send` of processes takes and gives sockets. */
export function asSent(socket: DoorSocket): Socket {
  return socket as unknown as Socket
}

/** The sockets of doors, which outlive this process: whoever takes its place goes on with them. */
export interface DoorSockets {
  /** That on which another process listened there, once; undefined where there is none. */
  adopt(place: string): DoorSocket | undefined
  /** Lets the socket of a door outlive this process. */
  share(place: string, socket: DoorSocket): void
  /** The door is closed, so that nobody needs its socket. */
  forget(place: string): void
}
