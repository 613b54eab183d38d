import { type Clock, createLog, Passwords, type Store } from '@palisade/platform'
import { type ServedService, serveOnLoopback, settableClock } from '@palisade/platform/testing'
import type { FirewallConfiguration } from '../configuration.ts'
import type { Kind } from '../kinds/kind.ts'
import { createFirewallService } from '../service.ts'

export const administrator = { username: 'admin', password: 'a long enough secret', role: 'admin' }

/** Serves the firewall's management on free loopback ports. */
export async function serveFirewall(given: {
  readonly store: Store
  readonly clock?: Clock
  readonly administrators?: FirewallConfiguration['administrators']
  readonly kinds?: readonly Kind[]
}): Promise<ServedService> {
  const { store, clock = settableClock(), administrators = [administrator], kinds } = given
  const service = await createFirewallService(
    {
      configuration: { administrators },
      store,
      clock,
      log: createLog('silent'),
      key: Buffer.alloc(32, 7),
      dataDirectory: '/nonexistent',
      passwords: new Passwords(),
    },
    kinds,
  )
  return serveOnLoopback(service)
}
