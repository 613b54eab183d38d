import type { TSchema } from 'typebox'
import type { ErrorEnvelope } from '../refusal.ts'

/** A JSON Schema, draft 2020-12, or any other object of an OpenAPI 3.1 document. */
export type JsonObject = Readonly<Record<string, unknown>>

/** One way in which callers show who they are. */
export type SecurityScheme = { readonly description: string } & (
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: 'basic' | 'bearer' }
  | {
      readonly type: 'oauth2'
      readonly flows: {
        readonly clientCredentials: { readonly tokenUrl: string; readonly scopes: Record<string, string> }
      }
    }
)

/** What the routes of a service do not say by themselves in its OpenAPI document. */
export interface ServiceContract {
  /** What the service is for, in a sentence or two. */
  readonly description: string
  /** Every tag that operations have, with a sentence on what they are about. */
  readonly tags: Readonly<Record<string, string>>
  /** How callers show who they are, by name, as `components.securitySchemes` holds it. */
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  /** The body of the service's error envelope; its title becomes the name of the component. */
  readonly refusal: TSchema
}

/** What {@link completeDocument} has to know of a service. */
export interface ContractedService {
  readonly contract: ServiceContract
  readonly envelope: ErrorEnvelope
}
