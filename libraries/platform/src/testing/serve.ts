import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog, type Log } from '@palisade/log'
import type { AuditWriter } from '../http/audited-requests.ts'
import { serverCertificate } from '../http/certificate.ts'
import { Listener } from '../http/listener.ts'
import { type HttpService, mountService } from '../http/mount-service.ts'
import { createMetrics } from '../metrics.ts'

/** A service at real ports, which the system chooses. */
export interface ServedService {
  /** What was served. */
  readonly service: HttpService
  /** {base_url} of the service, over HTTP and over HTTPS. */
  readonly baseUrl: string
  readonly secureBaseUrl: string
  /** The certificate that the HTTPS port presents, PEM. */
  readonly certificate: string
  readonly openApiDocument: () => object
  /** Closes the ports and then the service, as the server does. The store stays open. */
  close(): Promise<void>
}

/** Puts one service on a listener on 127.0.0.1 and opens it, with a certificate made for the occasion. */
export async function serveOnLoopback(
  service: HttpService,
  options: {
    readonly trustedProxies?: readonly string[]
    readonly log?: Log
    readonly audit?: AuditWriter
  } = {},
): Promise<ServedService> {
  const listener = new Listener({
    log: options.log ?? createLog('silent'),
    trustedProxies: options.trustedProxies ?? [],
    envelopeAt: () => service.envelope,
  })
  const openApiDocument = await mountService(listener.app, service, createMetrics(), options.audit)
  const directory = mkdtempSync(join(tmpdir(), 'palisade-certificate-'))
  const certificate = await serverCertificate(directory, undefined, ['localhost', '127.0.0.1'])
  rmSync(directory, { recursive: true })
  const ports = await listener.listen({ host: '127.0.0.1', http: 0, https: 0 }, certificate)
  const path = service.basePath === '/' ? '' : service.basePath
  return {
    service,
    baseUrl: `http://127.0.0.1:${ports.http}${path}`,
    secureBaseUrl: `https://127.0.0.1:${ports.https}${path}`,
    certificate: certificate.cert,
    openApiDocument,
    close: async () => {
      await listener.close(1000)
      await service.close?.()
    },
  }
}
