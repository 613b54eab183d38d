import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Clock,
  createLog,
  createMetrics,
  Listener,
  mountService,
  type OpenApiDocument,
  Passwords,
  type Store,
  serverCertificate,
} from '@palisade/platform'
import { settableClock } from '@palisade/platform/testing'
import type { FirewallConfiguration } from '../configuration.ts'
import type { Kind } from '../kinds/kind.ts'
import { createFirewallService } from '../service.ts'

/** A firewall service behind a listener of its own. */
export interface RunningFirewall {
  /** "http://127.0.0.1:4711" */
  readonly origin: string
  readonly ports: { readonly http: number; readonly https: number }
  readonly openApi: OpenApiDocument
  close(): Promise<void>
}

export const administrator = { username: 'admin', password: 'a long enough secret', role: 'admin' }
const key = Buffer.alloc(32, 7)

/** Starts the firewall's management on two free loopback ports. */
export async function startFirewall(given: {
  store: Store
  clock?: Clock
  administrators?: FirewallConfiguration['administrators']
  kinds?: readonly Kind[]
}): Promise<RunningFirewall> {
  const { store, clock = settableClock(), administrators = [administrator], kinds } = given
  const log = createLog('silent')
  const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-firewall-'))
  const configuration = { administrators: [...administrators] }
  const service = await createFirewallService(
    { configuration, store, clock, log, key, dataDirectory, passwords: new Passwords() },
    kinds,
  )
  const listener = new Listener({ log, envelopeAt: () => service.envelope })
  const openApi = await mountService(listener.app, service, createMetrics())
  const certificate = await serverCertificate(dataDirectory, undefined, ['127.0.0.1'])
  const ports = await listener.listen({ host: '127.0.0.1', http: 0, https: 0 }, certificate)
  return {
    origin: `http://127.0.0.1:${ports.http}`,
    ports,
    openApi,
    close: async () => {
      await listener.close(1000)
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
