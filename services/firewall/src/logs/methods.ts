import { RequestRefused } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import type { Tokens } from '../access/tokens.ts'
import { requireToken } from '../rest/admission.ts'

/**
 * Refuses every other method at an address with 405, once it is known who asks. Without this, the route of all
 * objects would take such requests for its own.
 */
export function refuseOtherMethods(
  scope: FastifyInstance,
  tokens: Tokens,
  url: string,
  allowed: readonly string[],
): void {
  const allow = allowed.join(', ')
  const refuse = async () => {
    throw new RequestRefused('method-not-allowed', `This address answers to ${allow} only.`, {
      headers: { allow },
    })
  }
  scope.route({
    method: scope.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    schema: { hide: true },
    onRequest: [requireToken(tokens, { renews: true }), refuse],
    handler: refuse,
  })
}
