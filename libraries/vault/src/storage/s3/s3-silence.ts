/**
 * How long the storage may say nothing. A request whose answer is swallowed looks like one that takes long: it is given up soon the first
 * time, and later each time that it is repeated, so that a storage that is only slow is waited for in the end. Bytes of either direction
 * count as an answer, whatever the size of the request.
 */
import { Agent as HttpAgent, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { getCACertificates } from 'node:tls'
import type { NodeHttpHandler } from '@smithy/node-http-handler'

type Handler = Pick<
  NodeHttpHandler,
  'metadata' | 'handle' | 'httpHandlerConfigs' | 'updateHttpClientConfig' | 'destroy'
>

/** For each attempt. */
const silenceMaxMs = [4_000, 8_000, 16_000, 32_000, 60_000] as const
export const requestAttemptsMax = silenceMaxMs.length
/** Of an answer that has begun; it is asked for again from its start. */
const silenceOfBodyMaxMs = 10_000
const connectMaxMs = 10_000
/** Until an answer begins, however much is sent before. */
const requestMaxMs = 120_000
const agentOptions = { maxSockets: 64, keepAlive: true }

/**
 * What sends the requests of a client, with these bounds.
 *
 * @param Node of `@smithy/node-http-handler`, which is loaded when it is needed
 * @param authorities in PEM, which are trusted besides the usual ones
 */
export function handlerWithSilenceBounds(
  Node: typeof NodeHttpHandler,
  authorities: readonly string[] = [],
): Handler {
  const trusted = authorities.length > 0 ? { ca: [...getCACertificates('default'), ...authorities] } : {}
  const agents = {
    httpAgent: new HttpAgent(agentOptions),
    httpsAgent: new HttpsAgent({ ...agentOptions, ...trusted }),
  }
  const handlers = silenceMaxMs.map(
    (socketTimeout) =>
      new Node({
        ...agents,
        socketTimeout,
        connectionTimeout: Math.min(socketTimeout, connectMaxMs),
        requestTimeout: requestMaxMs,
        throwOnRequestTimeout: true,
        // A warning on the console is nobody's who uses a library.
        socketAcquisitionWarningTimeout: requestMaxMs * requestAttemptsMax,
      }),
  )
  const [first = new Node(), ...repeats] = handlers
  return {
    metadata: first.metadata,
    async handle(request, options) {
      const handler = repeats[attemptOf(request.headers) - 2] ?? first
      const answer = await handler.handle(request, options)
      const { body } = answer.response
      if (body instanceof IncomingMessage) body.socket.setTimeout(silenceOfBodyMaxMs)
      return answer
    },
    httpHandlerConfigs: () => first.httpHandlerConfigs(),
    updateHttpClientConfig: (key, value) => {
      for (const handler of handlers) handler.updateHttpClientConfig(key, value)
    },
    destroy: () => {
      for (const handler of handlers) handler.destroy()
    },
  }
}

/** The client library counts them in a header: `attempt=2; max=5`. */
function attemptOf(headers: Readonly<Record<string, string>>): number {
  return Number(/^attempt=(\d+)/.exec(headers['amz-sdk-request'] ?? '')?.[1] ?? 1)
}
