import { ProblemDetails, type ServiceContract } from '@palisade/platform'
import { sessionCookie } from './authentication/authentication.ts'

/** What the OpenAPI document of the administration says beside its routes. */
export function administrationContract(tags: Readonly<Record<string, string>>): ServiceContract {
  return {
    description:
      'Administration of Palisade itself: operators, their sessions and tokens, what they administer of each service, and the audit log.',
    tags,
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: sessionCookie,
        description:
          'The cookie of a session; what changes something also sends its csrfToken as X-CSRF-Token.',
      },
      token: { type: 'http', scheme: 'bearer', description: 'An API token of an operator.' },
    },
    refusal: ProblemDetails,
  }
}
