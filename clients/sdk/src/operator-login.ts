import type { components } from './admin.generated.ts'
import { type Authorisation, operatorSession } from './authorisation.ts'
import { type AdministrationClient, answer, createAdministrationClient } from './clients.ts'

/** A session of an operator, for what an API token may not do. */
export interface OperatorSession {
  readonly session: components['schemas']['Session']
  readonly administration: AdministrationClient
  /** For other clients than that. */
  readonly authorisation: Authorisation
}

/**
 * Logs an operator in. Whoever does so ends the session with `DELETE /session`.
 *
 * @param baseUrl of the administration, such as https://palisade.example.org:8081/admin/v1
 * @throws NotAuthenticated when it is refused; its `field` is `code` where that of the second factor is missing or wrong
 */
export async function logInOperator(
  baseUrl: string,
  login: components['schemas']['Login'],
): Promise<OperatorSession> {
  const nobody = { headers: async () => ({}) }
  const call = createAdministrationClient({ baseUrl, authorisation: nobody }).POST('/session', {
    body: login,
  })
  const session = await answer(call)
  const cookies = (await call).response.headers.getSetCookie().map((cookie) => cookie.replace(/;.*/s, ''))
  const authorisation = operatorSession(session.csrfToken ?? '', cookies.join('; '))
  return { session, authorisation, administration: createAdministrationClient({ baseUrl, authorisation }) }
}
