import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
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
  const sockets: Socket[] = []
  const once = <Connect extends (...args: never[]) => Socket>(open: Connect) => {
    let isOpen = false
    return ((...args: Parameters<Connect>) => {
      if (isOpen) throw new Error('the directory has closed the connection')
      isOpen = true
      const socket = open(...args)
      sockets.push(socket)
      return socket
    }) as Connect
  }
  const client = new Client({
    url: `${encryption === 'tls' ? 'ldaps' : 'ldap'}://${address.includes(':') ? `[${address}]` : address}:${port}`,
    timeout: deadlineMs,
    connectTimeout: deadlineMs,
    strictDN: false,
    createConnection: once(connect),
    createSecureConnection: once(connectSecurely),
    ...(encryption === 'tls' ? { tlsOptions } : {}),
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
    // The library takes its own listeners away after some errors; one without a listener would end the process.
    for (const socket of sockets) socket.on('error', () => undefined).destroy()
  }
}
