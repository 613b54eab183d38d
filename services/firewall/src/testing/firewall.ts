import { tmpdir } from 'node:os'
import { type Clock, createLog, type Log, Passwords, type Store } from '@palisade/platform'
import { type ServedService, serveOnLoopback, settableClock } from '@palisade/platform/testing'
import { catalogue } from '../catalogue/index.ts'
import type { FirewallConfiguration } from '../configuration.ts'
import type { Kind } from '../kinds/kind.ts'
import { createFirewallService } from '../service.ts'

export const administrator = { username: 'admin', password: 'a long enough secret', role: 'admin' }

const ownKindNames = ['system', 'user', 'administrator-role']
const ownKinds = catalogue.filter(({ name }) => ownKindNames.includes(name))

/** Serves the firewall's management on free loopback ports. */
export async function serveFirewall(given: {
  readonly store: Store
  readonly clock?: Clock
  readonly administrators?: FirewallConfiguration['administrators']
  /** Served instead of the catalogue, beside those kinds that the service itself works with. */
  readonly kinds?: readonly Kind[]
  readonly unknownMembers?: FirewallConfiguration['unknownMembers']
  /** The secret of the installation: 32 bytes. */
  readonly key?: Buffer
  readonly dataDirectory?: string
  /** Of the service and of its listener; written nowhere when left out. */
  readonly log?: Log
}): Promise<ServedService> {
  const {
    store,
    clock = settableClock(),
    administrators = [administrator],
    kinds,
    unknownMembers = 'refuse',
    key = Buffer.alloc(32, 7),
    dataDirectory = tmpdir(),
    log = createLog('silent'),
  } = given
  const service = await createFirewallService(
    {
      configuration: { administrators, unknownMembers },
      store,
      clock,
      log,
      key,
      dataDirectory,
      passwords: new Passwords(),
    },
    kinds && [...kinds, ...ownKinds],
  )
  return serveOnLoopback(service, { log })
}
