import type { Store } from '@palisade/platform'
import { type ReceivedReply, send, serveOnLoopback, settableClock } from '@palisade/platform/testing'
import type { FastifyInstance } from 'fastify'
import { Token } from '../../access/token.ts'
import { Tokens } from '../../access/tokens.ts'
import { decorateWithToken } from '../../rest/admission.ts'
import { envelopeWith } from '../../rest/envelope.ts'
import { answerErrors } from '../../rest/errors.ts'
import { logRoutes } from '../log-routes.ts'
import type { LogName } from '../log-types.ts'
import { type FirewallLogs, openLogs } from '../open-logs.ts'
import type { Limits } from '../retention.ts'
import { statsRoutes } from '../stats/stats-routes.ts'

/** The logs behind real doors, and a client that is logged in. */
export interface ServedLogs extends FirewallLogs {
  readonly clock: ReturnType<typeof settableClock>
  /** @param path what follows the version: "access-logs?limit=1" */
  get(path: string): Promise<ReceivedReply>
  call(method: string, path: string, headers?: Record<string, string>): Promise<ReceivedReply>
  stop(): Promise<void>
}

/** Serves the logs and statistics on a free loopback port, with one administrator who has a token. */
export async function serveLogs(
  store: Store,
  limits?: Partial<Record<LogName, Limits>>,
): Promise<ServedLogs> {
  const clock = settableClock()
  const logs = await openLogs({ store, clock, dataDirectory: '/', ...(limits ? { limits } : {}) })
  const tokens = oneToken()
  const served = await serveOnLoopback({
    name: 'firewall',
    title: 'Logs',
    basePath: '/',
    envelope: envelopeWith(undefined),
    routes: async (scope: FastifyInstance) => {
      answerErrors(scope)
      decorateWithToken(scope)
      const prefix = '/restapi/v3.2'
      await scope.register(logRoutes({ tokens, ...logs }), { prefix })
      await scope.register(statsRoutes({ tokens, ...logs }), { prefix })
    },
  })
  const call = (method: string, path: string, headers: Record<string, string> = { authorization }) =>
    send(`${served.baseUrl}/restapi/v3.2/${path}`, { method, headers })
  const stop = async () => {
    await served.close()
    await logs.close()
  }
  return { ...logs, clock, call, get: (path) => call('GET', path), stop }
}

const tokenText = 'dG9rZW4='
const authorization = `Basic ${btoa(`${tokenText}:`)}`

/** Knows one token. What makes a token valid is tested where tokens are. */
function oneToken(): Tokens {
  const times = { issuedAt: 0, expiresAt: Number.MAX_SAFE_INTEGER, trustedUntil: Number.MAX_SAFE_INTEGER }
  const token = new Token(tokenText, {
    administrator: { username: 'admin', passwordHash: '', role: 'admin' },
    ...times,
  })
  return Object.assign(Object.create(Tokens.prototype), {
    recall: (presented: string) => (presented === authorization ? token : undefined),
    find: async () => undefined,
  })
}
