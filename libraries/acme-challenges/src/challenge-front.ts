import type { Socket } from 'node:net'
import { createServer } from 'node:tls'
import type { Challenges } from './challenges.ts'
import { readClientHello } from './client-hello.ts'

/** The protocol by which an authority tells its handshake from a client's (RFC 8737, section 4). */
const challengeProtocol = 'acme-tls/1'

/** Takes clients' connections, on which TLS is spoken then. */
export interface TlsFront {
  admit(socket: Socket): void
}

/** A first message that is longer is no authority's, in bytes. */
const helloSizeMax = 16 * 1024

/** Whoever takes longer for it is cut off, in milliseconds. */
const helloMaxMs = 20_000

/**
 * Answers the handshakes of authorities, and hands on all other connections. Which is which shows in the first message alone: Node chooses
 * the certificate before it tells for which protocol.
 *
 * @param front for clients
 */
export function challengeFront(challenges: Challenges, front: TlsFront): TlsFront {
  const server = createServer({
    ALPNProtocols: [challengeProtocol],
    SNICallback: (asked, answer) => {
      const context = challenges.ofHandshake(asked)
      answer(context ? null : new Error('nothing is to be proved about that host'), context)
    },
  })
  // The handshake is all that an authority wants.
  server.on('secureConnection', (socket) => socket.end())
  server.on('tlsClientError', (_error, socket) => socket.destroy())

  function route(socket: Socket, beginning: Buffer): void {
    const hello = readClientHello(beginning)
    const isAuthority =
      hello !== undefined &&
      hello !== 'incomplete' &&
      hello.protocols.length === 1 &&
      hello.protocols[0] === challengeProtocol &&
      challenges.ofHandshake(hello.serverName) !== undefined
    if (isAuthority) server.emit('connection', socket)
    else front.admit(socket)
  }

  return {
    admit: (socket) => {
      if (challenges.areInHandshakes) look(socket, (beginning) => route(socket, beginning))
      else front.admit(socket)
    },
  }
}

/** Waits for the first record of a connection, and puts it back before it is told of. */
function look(socket: Socket, onBeginning: (beginning: Buffer) => void): void {
  let beginning = Buffer.alloc(0)
  const giveUp = () => socket.destroy()
  const late = setTimeout(giveUp, helloMaxMs)
  const onReadable = () => {
    const chunk: Buffer | null = socket.read()
    if (chunk !== null) beginning = Buffer.concat([beginning, chunk])
    const isWhole = readClientHello(beginning) !== 'incomplete' || beginning.length > helloSizeMax
    if (!isWhole) return
    clearTimeout(late)
    socket.off('readable', onReadable).off('end', giveUp).off('error', giveUp)
    socket.unshift(beginning)
    onBeginning(beginning)
  }
  socket.once('close', () => clearTimeout(late))
  socket.on('error', giveUp).on('end', giveUp).on('readable', onReadable)
}
