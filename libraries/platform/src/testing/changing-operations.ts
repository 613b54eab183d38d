import { isReadingScope, oauth2 } from '../openapi/with-security.ts'

interface OpenApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId?: string
            readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
          }
        >
      >
    >
  >
}

/** The operations of an OpenAPI document that change something, which needs a scope for it, in the order of the alphabet. */
export function changingOperations(document: unknown): string[] {
  return Object.values((document as OpenApiDocument).paths)
    .flatMap(({ get: _, ...methods }) => Object.values(methods))
    .flatMap(({ operationId = '', security = [] }) => {
      const scopes = security.flatMap((way) => way[oauth2] ?? [])
      return scopes.length > 0 && !scopes.every(isReadingScope) ? operationId : []
    })
    .sort()
}
