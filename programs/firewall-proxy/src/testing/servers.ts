import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import type { TestContext } from 'node:test'
import type { SnapshotServerTls } from '@palisade/proxy-protocol'
import { http2Tls } from './http2-tls.ts'

/** How a proxy speaks TLS with the servers that are made here. */
export const serverTls: SnapshotServerTls = {
  validatesCertificate: false,
  oldestVersion: 'TLSv1.2',
  newestVersion: 'TLSv1.3',
}

/** Lets a server of an application listen until the test has ended. @returns its port on loopback */
export async function listenOnLoopback(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

/** The same with TLS, and with HTTP/2 for those who want it. */
export function openedTls(t: TestContext, application: RequestListener): Promise<number> {
  const [certificate] = http2Tls().certificates
  const secret = { cert: certificate?.chain, key: certificate?.privateKey }
  const server = createSecureServer({ ...secret, allowHTTP1: true })
  return listenOnLoopback(t, server.on('request', application))
}
