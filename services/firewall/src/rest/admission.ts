import { markAuthenticated, RequestRefused } from '@palisade/platform'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Token } from '../access/token.ts'
import type { Tokens } from '../access/tokens.ts'

const decorator = 'firewallToken'

/** Prepares the scope's requests for {@link requireToken}. */
export function decorateWithToken(scope: FastifyInstance): void {
  scope.decorateRequest(decorator, null)
}

/** The token that a request presented, once it was found valid. */
export function presentedTokenOf(request: FastifyRequest): Token | null {
  return request.getDecorator<Token | null>(decorator)
}

/** The token behind an admitted request. */
export function tokenOf(request: FastifyRequest): Token {
  const token = presentedTokenOf(request)
  if (token === null) throw new Error('the request was not admitted')
  return token
}

/**
 * Admits requests with a valid token, before their bodies are read.
 *
 * @param renews whether replies will carry a fresh token, which is then at hand
 */
export function requireToken(tokens: Tokens, { renews }: { renews: boolean }): onRequestHookHandler {
  return (request, _reply, done) => {
    const { authorization = '' } = request.headers
    const recalled = tokens.recall(authorization)
    if (recalled) {
      request.setDecorator(decorator, recalled)
      markAuthenticated(request)
      done()
      return
    }
    const admit = async () => {
      const token = await tokens.find(authorization)
      if (!token || (renews && !(await tokens.renew(token)))) throw unauthenticated()
      request.setDecorator(decorator, token)
      markAuthenticated(request)
    }
    admit().then(() => done(), done)
  }
}

/**
 * Refuses whatever may change something to operators who may only read the firewall, wherever it leads, before it is looked for. It
 * runs after {@link requireToken}.
 */
export const refuseChangesToReaders: onRequestHookHandler = (request, _reply, done) => {
  if (request.method === 'GET' || !tokenOf(request).readsOnly) done()
  else {
    const message =
      'You may only read the firewall. To change it you need the role operator for it, which an owner can grant you.'
    done(new RequestRefused('forbidden', message))
  }
}

function unauthenticated(): RequestRefused {
  return new RequestRefused(
    'unauthenticated',
    'The token is missing or unknown, or it has expired: log in.',
    {
      headers: { 'www-authenticate': 'Basic realm="firewall"' },
    },
  )
}
