import type { Passwords } from '@palisade/platform'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { administratorRoles } from './administrator-roles.ts'
import type { Behaviours } from './behaviour.ts'
import { certificateBehaviours } from './certificates/index.ts'
import { securityPolicies } from './security-policies.ts'
import { servers } from './servers.ts'
import { services } from './services.ts'
import { users } from './users.ts'

/** What behaviours work with. */
export interface BehaviourDependencies {
  readonly configuration: LiveConfiguration
  readonly passwords: Passwords
  /** In milliseconds since 1970. */
  readonly now: () => number
}

/** Every behaviour that there is. */
export function allBehaviours(deps: BehaviourDependencies): Behaviours {
  const all = [
    users(deps),
    administratorRoles(deps),
    securityPolicies(),
    services(),
    servers('server'),
    servers('rule-group-server'),
    ...certificateBehaviours(deps),
  ]
  return new Map(all.map((behaviour) => [behaviour.kind, behaviour]))
}
