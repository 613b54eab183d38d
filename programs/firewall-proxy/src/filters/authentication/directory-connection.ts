import { connect, type Socket } from 'node:net'
import type { AddressGuard, SnapshotLdapDirectory } from '@palisade/proxy-protocol'
import { Client } from 'ldapts'

/** How long all questions of one login to one directory may take. */
const deadlineMs = 5_000

/**
 * Asks a directory over a connection of its own, which ends with the questions. With StartTLS nothing is sent before the connection is
 * encrypted, and a connection that breaks is not made anew: the library would go on without TLS.
 *
 * @throws what the connection or the directory failed with, after five seconds at most
 */
export async function askDirectory<Result>(
  { address, port, encryption }: SnapshotLdapDirectory,
  guard: AddressGuard,
  ask: (client: Client) => Promise<Result>,
): Promise<Result> {
  guard.refuse(address, port)
  const tlsOptions = { host: address, port, minVersion: 'TLSv1.2' } as const
  let socket: Socket | undefined
  const client = new Client({
    url: `${encryption === 'tls' ? 'ldaps' : 'ldap'}://${address.includes(':') ? `[${address}]` : address}:${port}`,
    timeout: deadlineMs,
    connectTimeout: deadlineMs,
    strictDN: false,
    ...(encryption === 'tls'
      ? { tlsOptions }
      : {
          createConnection: (() => {
            if (socket !== undefined) throw new Error('the directory has closed the connection')
            socket = connect({ host: address, port })
            return socket
          }) as typeof connect,
        }),
  })
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${deadlineMs / 1000} seconds`)), deadlineMs)
  })
  const work = async () => {
    if (encryption === 'start-tls') await client.startTLS({ ...tlsOptions })
    return ask(client)
  }
  try {
    return await Promise.race([work(), deadline])
  } finally {
    clearTimeout(timer)
    socket?.destroy()
    if (encryption === 'tls') client.unbind().catch(() => undefined)
  }
}
