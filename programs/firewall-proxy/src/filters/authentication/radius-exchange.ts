import { randomBytes, randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { AddressGuard, SnapshotRadiusServer } from '@palisade/proxy-protocol'
import {
  type AccessAnswer,
  type AccessRequest,
  decodeAnswer,
  encodeRequest,
  UnauthenticatedAnswer,
} from './radius-packet.ts'

/**
 * Asks a RADIUS server over UDP, from a port of this question alone; what is not answered is sent again, the same to the last byte (RFC 5080,
 * section 2.2.1).
 *
 * @throws what the network failed with; after the last timeout, or an answer that proves nothing, a sentence without a full stop
 */
export async function askRadiusServer(
  { address, port, sharedSecret, retries, timeoutSeconds }: SnapshotRadiusServer,
  guard: AddressGuard,
  request: AccessRequest,
): Promise<AccessAnswer> {
  guard.refuse(address, port)
  const identity = { identifier: randomInt(256), authenticator: randomBytes(16) }
  const packet = encodeRequest(request, identity, sharedSecret)
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise((resolve, reject) => {
      let sent = 0
      const send = () => {
        if (sent > retries) return reject(new Error('no answer to what it was asked with this shared-secret'))
        sent++
        socket.send(packet)
        timer = setTimeout(send, timeoutSeconds * 1000)
      }
      socket.on('error', reject)
      socket.on('message', (bytes) => {
        try {
          const answer = decodeAnswer(bytes, identity, sharedSecret)
          if (answer !== undefined) resolve(answer)
        } catch (error) {
          reject(
            error instanceof UnauthenticatedAnswer
              ? new Error('it accepts without a Message-Authenticator, which anybody on the way could forge')
              : error,
          )
        }
      })
      // Connected, it takes packets of this address and port alone, and hears that nobody listens there.
      socket.on('connect', send)
      socket.connect(port, address)
    })
  } finally {
    clearTimeout(timer)
    socket.close()
  }
}
