import type { ServiceContract } from '@palisade/platform'
import { RefusalEnvelope } from './envelope.ts'

const description = 'The access token that `authenticate` gave.'

/** The three ways in which a token may come, as `presentedToken` reads them. */
const schemes = {
  accessTokenHeader: { type: 'apiKey', in: 'header', name: 'access_token', description },
  accessTokenParameter: { type: 'apiKey', in: 'query', name: 'access_token', description },
  bearer: { type: 'http', scheme: 'bearer', description },
} satisfies ServiceContract['securitySchemes']

/** Any of the ways is enough. */
export const tokenSecurity = Object.keys(schemes).map((name) => ({ [name]: [] }))

/** What the service's OpenAPI document says beside its routes. */
export const awarenessContract: ServiceContract = {
  description: 'Results of awareness training: the campaigns, and what their recipients did.',
  tags: {
    Authentication: 'Access tokens, which listings ask for.',
    Campaigns: 'Simulated attacks and how many recipients opened, clicked, submitted or reported.',
  },
  securitySchemes: schemes,
  refusal: RefusalEnvelope,
}
