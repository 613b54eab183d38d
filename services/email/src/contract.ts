import { ProblemDetails, type ServiceContract, tokenSecuritySchemes, tokenTags } from '@palisade/platform'
import type { Scope } from './scopes.ts'

/** What each scope of an access token opens. */
const emailScopes = {
  'ess:account:read': 'Read accounts, domains and statistics.',
  'ess:account:write': 'Have DNS asked for a domain, and report what became of its mail.',
} satisfies Record<Scope, string>

/**
 * What the service's OpenAPI document says beside its routes.
 *
 * @param basePath where the service lies on its listener
 */
export function emailContract(basePath: string): ServiceContract {
  return {
    description: 'Accounts of an email gateway, their domains, and what became of their mail.',
    tags: {
      ...tokenTags,
      Accounts: 'The accounts that the client has a part in.',
      Domains: 'The domains of an account, and how DNS shows that they are its own.',
      Statistics: 'What became of the mail of an account or a domain, by hours or days.',
    },
    securitySchemes: tokenSecuritySchemes(basePath, emailScopes),
    refusal: ProblemDetails,
  }
}
