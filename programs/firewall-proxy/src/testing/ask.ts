import type { AnswerControl, ServerConnections, ServerRequest } from '../servers/server-connections.ts'

/** What came of a request. */
interface Outcome {
  status: number
  /** Names and values in turn. */
  headers: readonly string[]
  body: string
  trailers: readonly string[]
  /** Undefined when it was answered to the end. */
  failure: Error | undefined
}

/** Sends a request to a server, a plain GET but for what is given, and waits for what comes of it. */
export function ask(
  connections: ServerConnections,
  options: Partial<ServerRequest> = {},
  onControl: (control: AnswerControl) => void = () => undefined,
  onHead: () => void = () => undefined,
): Promise<Outcome> {
  const request = {
    method: 'GET',
    path: '/',
    headers: ['Host', 'shop'],
    body: undefined,
    asksForWebSocket: false,
    ...options,
  }
  const outcome: Outcome = { status: 0, headers: [], body: '', trailers: [], failure: undefined }
  return new Promise((resolve) => {
    connections.dispatch(request, {
      onStart: onControl,
      onHead: ({ status, headers }) => {
        Object.assign(outcome, { status, headers })
        onHead()
      },
      onData: (bytes) => {
        outcome.body += bytes.toString('latin1')
      },
      onEnd: (trailers) => resolve({ ...outcome, trailers }),
      onTunnel: () => resolve(outcome),
      onFailure: (failure) => resolve({ ...outcome, failure }),
    })
  })
}
