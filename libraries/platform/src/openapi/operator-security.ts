import type { ServiceContract } from './service-contract.ts'

/** The cookie of an operator's session. Browsers keep one of this name only from a secure origin, and give it to the host that has set it alone. */
export const sessionCookie = '__Host-palisade'

/** How operators show who they are, by name, as `components.securitySchemes` holds it. */
export const operatorSecuritySchemes: ServiceContract['securitySchemes'] = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description:
      "The cookie of an operator's session; what changes something also sends its csrfToken as X-CSRF-Token.",
  },
  token: { type: 'http', scheme: 'bearer', description: 'An API token of an operator.' },
}

/** What an operation says that operators may call. */
export const operatorSecurity: readonly Record<string, string[]>[] = [{ session: [] }, { token: [] }]
