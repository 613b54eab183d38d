import type { SwaggerTransform } from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import { operatorSecurity } from './operator-security.ts'

/** The name under which services that issue access tokens for client credentials have them in `securitySchemes`. */
export const oauth2 = 'oauth2'

/** A hook that lets requests through whose access token has a scope. */
export interface ScopeHook {
  readonly requiredScope: string
}

/** Notes on a hook which scope it asks for, so that the OpenAPI document says it of every route that has the hook. */
export function withRequiredScope<Hook extends object>(scope: string, hook: Hook): Hook & ScopeHook {
  return Object.assign(hook, { requiredScope: scope })
}

/** Whether a scope opens reading alone, as its last word says: `ess:account:read`, `computers_read`. */
export function isReadingScope(scope: string): boolean {
  return /[:_]read$/.test(scope)
}

/**
 * Says of each operation what its hooks ask for, which an operator's grants may open as well; of the others, what their schema says, and that they ask for nothing where that says
 * nothing.
 */
export const withSecurity: SwaggerTransform = ({ schema, url, route }) => {
  const scopes = requiredScopes(route)
  const { security = [] }: FastifySchema = schema ?? {}
  const ofScopes = [{ [oauth2]: scopes }, ...operatorSecurity]
  return { schema: { ...schema, security: scopes.length > 0 ? ofScopes : security }, url }
}

/** The scopes that the hooks of a route ask for. */
export function requiredScopes({ onRequest }: { readonly onRequest?: unknown }): string[] {
  return [onRequest].flat().flatMap((hook) => (isScopeHook(hook) ? [hook.requiredScope] : []))
}

function isScopeHook(hook: unknown): hook is ScopeHook {
  return typeof hook === 'function' && 'requiredScope' in hook
}
