import websocket from '@fastify/websocket'
import { agentMessageSizeMaxBytes, agentPaths } from '@palisade/agent-protocol'
import { clientAddress, RequestRefused } from '@palisade/platform'
import type { FastifyInstance } from 'fastify'
import type { AgentAuthentication } from '../agents/agent-authentication.ts'
import { instanceOf, type RivalAgents } from '../agents/rival-agents.ts'
import { ownVersions, versionFor } from './protocol-version.ts'
import { type LinkDependencies, serveLink } from './serve-link.ts'

/** An agent that does not answer the farewell is cut off after this long. */
const farewellMs = 1000
/** Close codes of RFC 6455, section 7.4.1: the server is going down, and who is not let in. */
const goingAway = 1001
const policyViolation = 1008

/** The one connection over which an agent is told what to do. */
export function linkRoute(
  deps: LinkDependencies & { readonly authentication: AgentAuthentication; readonly rivals: RivalAgents },
) {
  const { authentication, rivals } = deps
  return async (scope: FastifyInstance): Promise<void> => {
    await scope.register(websocket, {
      options: { maxPayload: agentMessageSizeMaxBytes, perMessageDeflate: false },
      errorHandler: (error, socket, request) => {
        request.log.warn({ err: error }, "an agent's link has failed")
        socket.terminate()
      },
      preClose: (done) => {
        for (const socket of scope.websocketServer.clients) {
          socket.close(goingAway)
          setTimeout(() => socket.terminate(), farewellMs).unref()
        }
        done()
      },
    })
    scope.websocketServer.on('headers', (lines) => {
      for (const [name, value] of Object.entries(ownVersions)) lines.push(`${name}: ${value}`)
    })
    scope.route({
      method: 'GET',
      url: agentPaths.link,
      onRequest: [
        authentication.check,
        async (request) => void versionFor(request),
        (request) => rivals.refuseSecondLink(authentication.senderOf(request), request),
      ],
      schema: { hide: true },
      handler: async () => {
        throw new RequestRefused('bad-request', 'This address is for WebSocket connections only.')
      },
      wsHandler: (socket, request) => {
        // The credential may have ended between the check and the upgrade.
        if (authentication.signalOf(request).aborted) {
          socket.close(policyViolation)
          return
        }
        const agent = {
          computer: authentication.senderOf(request),
          protocol: versionFor(request),
          instance: instanceOf(request),
          address: clientAddress(request),
        }
        serveLink(socket, agent, deps)
      },
    })
  }
}
