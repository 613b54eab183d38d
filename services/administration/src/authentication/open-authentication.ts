import type { OperatorAuthority, ServiceFoundation } from '@palisade/platform'
import { countGrantHolders, endGrants } from '../access/ended-grants.ts'
import { accountsOf, may } from '../access/identity.ts'
import type { AdministrationConfiguration } from '../configuration.ts'
import { Sessions } from '../sessions/sessions.ts'
import { Authentication } from './authentication.ts'

/** Whereby operators are known. */
export interface AuthenticationDependencies extends Pick<ServiceFoundation, 'store' | 'clock' | 'key'> {
  readonly configuration: Pick<AdministrationConfiguration, 'sessionHours' | 'sessionIdleMinutes'>
}

const minuteMs = 60_000

/** Sessions, and what tells by them and by API tokens who calls. Neither keeps anything in memory: two of them know the same. */
export function openAuthentication({ store, clock, key, configuration }: AuthenticationDependencies): {
  readonly sessions: Sessions
  readonly authentication: Authentication
} {
  const limits = {
    lifetimeMs: configuration.sessionHours * 60 * minuteMs,
    idleMs: configuration.sessionIdleMinutes * minuteMs,
  }
  const sessions = new Sessions({ store, clock, key, limits })
  return { sessions, authentication: new Authentication({ sessions, store, clock }) }
}

/** Who tells the other services which operator calls them. Its tables are there once `createAdministrationService` has migrated them. */
export function createOperatorAuthority(deps: AuthenticationDependencies): OperatorAuthority {
  const { authentication } = openAuthentication(deps)
  return {
    async identify(request) {
      const identity = await authentication.operatorOf(request)
      if (identity === undefined) return undefined
      const { kind, name } = identity.actor
      return {
        caller: { kind, name },
        accountsIn: (service, kind) => accountsOf(identity, { kind, service }),
      }
    },
    async mayStill(kind, service, credential) {
      const grants = await authentication.grantsOf(credential)
      return grants !== undefined && may({ grants }, { kind, service })
    },
    countGrantHolders,
    endGrants: (tables, account) => endGrants(tables, account, deps.clock.now()),
  }
}
