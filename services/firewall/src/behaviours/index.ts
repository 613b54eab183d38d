import type { Passwords } from '@palisade/platform'
import type { AddressGuard } from '@palisade/proxy-protocol'
import type { Behaviours } from '../changes/behaviour.ts'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { administratorRoles } from './administrator-roles.ts'
import { ruleGroups } from './application-id.ts'
import { certificateBehaviours } from './certificates/index.ts'
import { clusters } from './clusters.ts'
import { customIpBlocklists } from './custom-ip-blocklist.ts'
import { localUsers } from './local-users.ts'
import { securityPolicies } from './security-policies.ts'
import { servers } from './servers.ts'
import { services } from './services.ts'
import { syslogServers } from './syslog-servers.ts'
import { users } from './users.ts'

/** What behaviours work with. */
export interface BehaviourDependencies {
  readonly configuration: LiveConfiguration
  readonly passwords: Passwords
  /** In milliseconds since 1970. */
  readonly now: () => number
  /** Keeps connections from where the operator has forbidden them. */
  readonly guard: () => AddressGuard
}

/** Every behaviour that there is. */
export function allBehaviours(deps: BehaviourDependencies): Behaviours {
  const all = [
    users(deps),
    localUsers(deps),
    administratorRoles(deps),
    securityPolicies(),
    services(),
    ruleGroups(),
    clusters(),
    servers('server', deps),
    servers('rule-group-server', deps),
    syslogServers(deps),
    customIpBlocklists(deps),
    ...certificateBehaviours(deps),
  ]
  return new Map(all.map((behaviour) => [behaviour.kind, behaviour]))
}
