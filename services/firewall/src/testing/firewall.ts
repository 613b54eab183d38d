import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, createLog, type Log, type Passwords, type Store } from '@palisade/platform'
import {
  quickPasswords,
  type ServedService,
  serveOnLoopback,
  settableClock,
} from '@palisade/platform/testing'
import { catalogue } from '../catalogue/index.ts'
import type { FirewallConfiguration } from '../configuration.ts'
import type { Kind } from '../kinds/kind.ts'
import { createFirewallService, type FirewallService, type FirewallServiceDependencies } from '../service.ts'

/** Who may do everything. */
export const administrator = { username: 'admin', password: 'a long enough secret', role: 'admin' }

const ownKindNames = [
  'system',
  'user',
  'administrator-role',
  'admin-ip-range',
  'local-host',
  'module-log-level',
  'trap-receiver',
]
const ownKinds = catalogue.filter(({ name }) => ownKindNames.includes(name))

/** What a test may say of the firewall's management; the rest is chosen for it. */
export interface GivenFirewall {
  /** Quick ones unless given. */
  readonly passwords?: Passwords
  readonly store: Store
  readonly clock?: Clock
  readonly administrators?: FirewallConfiguration['administrators']
  /** Served instead of the catalogue, beside those kinds that the service itself works with. */
  readonly kinds?: readonly Kind[]
  readonly unknownMembers?: FirewallConfiguration['unknownMembers']
  readonly forbiddenAddresses?: FirewallConfiguration['forbiddenAddresses']
  readonly acme?: FirewallConfiguration['acme']
  readonly ownEndpoints?: FirewallServiceDependencies['ownEndpoints']
  /** Who knows operators; none has a token when left out. */
  readonly operators?: FirewallServiceDependencies['operators']
  /** The secret of the installation: 32 bytes. */
  readonly key?: Buffer
  readonly dataDirectory?: string
  readonly renewalLookMs?: FirewallServiceDependencies['renewalLookMs']
  /** Of the service and of its listener; written nowhere when left out. */
  readonly log?: Log
}

/** Its configuration unless a test says something else. */
export const firewallConfiguration: FirewallConfiguration = {
  administrators: [administrator],
  unknownMembers: 'refuse',
  forbiddenAddresses: ['169.254.0.0/16'],
}

/** Serves the firewall's management on free loopback ports. */
export async function serveFirewall(options: GivenFirewall): Promise<ServedService> {
  const { log = createLog('silent') } = options
  return serveOnLoopback(await firewallService({ ...options, log }), { log })
}

/** The firewall's management, before it is served. */
export function firewallService(options: GivenFirewall): Promise<FirewallService> {
  const {
    store,
    clock = settableClock(),
    administrators = firewallConfiguration.administrators,
    kinds,
    unknownMembers = firewallConfiguration.unknownMembers,
    forbiddenAddresses = firewallConfiguration.forbiddenAddresses,
    acme,
    ownEndpoints = () => [],
    operators,
    key = Buffer.alloc(32, 7),
    dataDirectory = folderOfThisProcess(),
    log = createLog('silent'),
    renewalLookMs,
    passwords = quickPasswords(),
  } = options
  return createFirewallService(
    {
      configuration: { ...(acme ? { acme } : {}), administrators, unknownMembers, forbiddenAddresses },
      ownEndpoints,
      ...(operators ? { operators } : {}),
      ...(renewalLookMs === undefined ? {} : { renewalLookMs }),
      store,
      clock,
      log,
      key,
      dataDirectory,
      passwords,
    },
    kinds && [...kinds, ...ownKinds],
  )
}

let ownFolder: string | undefined

/** Made when it is first asked for, and removed when this process ends. */
function folderOfThisProcess(): string {
  if (ownFolder === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'palisade-firewall-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    ownFolder = folder
  }
  return ownFolder
}
