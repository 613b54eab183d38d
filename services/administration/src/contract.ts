import { operatorSecuritySchemes, ProblemDetails, type ServiceContract } from '@palisade/platform'

/** What the OpenAPI document of the administration says beside its routes. */
export function administrationContract(tags: Readonly<Record<string, string>>): ServiceContract {
  return {
    description:
      'Administration of Palisade itself: operators, their sessions and tokens, what they administer of each service, and the audit log.',
    tags,
    securitySchemes: operatorSecuritySchemes,
    refusal: ProblemDetails,
  }
}
