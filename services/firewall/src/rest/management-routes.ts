import type { FastifyInstance } from 'fastify'
import type { Administrators } from '../access/administrators.ts'
import { refuseOutsiders } from '../access/reaching-addresses.ts'
import type { Tokens } from '../access/tokens.ts'
import type { CompiledCatalogue } from '../kinds/compiled-kind.ts'
import type { AuditLog } from '../logs/audit-log.ts'
import { Addresses } from './address.ts'
import { decorateWithToken } from './admission.ts'
import { answerErrors } from './errors.ts'
import { frontPage } from './front-page.ts'
import { objectRoutes } from './object-routes.ts'
import type { Observed } from './operational.ts'
import { sessionRoutes } from './session-routes.ts'
import type { SpecialOperation } from './special-operation.ts'
import type { WriteDependencies } from './write.ts'

/** The versions of the API, each with the same addresses and the same tokens. */
const versions = ['v3', 'v3.1', 'v3.2']

/** Where clients of v3 log in, too, and upload certificates; the other addresses of v1 had different names. */
const firstVersion = 'v1'

type Routes = (scope: FastifyInstance) => Promise<void>

/** What the management API is served with. */
export interface ManagementRoutesDependencies {
  readonly catalogue: CompiledCatalogue
  readonly operations: readonly SpecialOperation[]
  readonly administrators: Administrators
  readonly tokens: Tokens
  readonly audit: AuditLog
  readonly writing: WriteDependencies
  readonly observed: Observed
  /** What proxies ask, by a credential of their own. */
  readonly proxyRoutes: Routes
}

/**
 * The management API.
 *
 * @returns `own` for the firewall's own listener, with what proxies ask and the page for browsers; `besideOthers` for the listener of the
 *   other services
 */
export function managementRoutes(deps: ManagementRoutesDependencies): {
  readonly own: Routes
  readonly besideOthers: Routes
} {
  const { catalogue, operations, administrators, tokens, audit, writing, observed, proxyRoutes } = deps
  const { configuration, roles } = writing
  const uploads = operations.filter(({ method, path }) => method === 'POST' && path === 'certificates')
  const uploadsOnly = { addresses: new Addresses(new Map(), uploads), operations: uploads }
  const everything = { addresses: new Addresses(catalogue, operations), operations }

  function prepare(scope: FastifyInstance): void {
    answerErrors(scope)
    decorateWithToken(scope)
  }

  async function allVersions(scope: FastifyInstance): Promise<void> {
    for (const version of [firstVersion, ...versions]) {
      const prefix = `/restapi/${version}`
      const reached = version === firstVersion ? uploadsOnly : everything
      await scope.register(sessionRoutes({ administrators, roles, tokens, audit }), { prefix })
      await scope.register(objectRoutes({ ...reached, tokens, writing, observed }), { prefix })
    }
  }

  return {
    own: async (scope) => {
      prepare(scope)
      await scope.register(proxyRoutes)
      // Not asked of proxies, which come by a credential of their own.
      scope.addHook('onRequest', refuseOutsiders(configuration))
      await scope.register(frontPage)
      await scope.register(allVersions)
    },
    besideOthers: async (scope) => {
      prepare(scope)
      scope.addHook('onRequest', refuseOutsiders(configuration))
      await scope.register(allVersions)
    },
  }
}
