/** A request and its answer, of which no rule is to say anything; byte strings. */
export interface SpeedCase {
  readonly name: string
  readonly method: string
  readonly uri: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body?: string
  readonly response: { readonly type: string; readonly body: string }
}

/** Makes of a case what judges it once; throws when a rule says something. */
export type SpeedEngine = (speedCase: SpeedCase) => () => void

/** Where all requests seem to come from and to go. */
export const connection = {
  clientAddress: '127.0.0.1',
  clientPort: 40_000,
  serverAddress: '127.0.0.1',
  serverPort: 80,
}

/** All headers of the request, names and values in turn. */
export function requestHeaders({ headers, body }: SpeedCase): readonly string[] {
  const length = body === undefined ? [] : ['Content-Length', String(body.length)]
  return ['Host', 'shop.example.org', ...headers, ...length]
}

/** All headers of the answer, names and values in turn. */
export function responseHeaders({ response }: SpeedCase): readonly string[] {
  return ['Content-Type', response.type, 'Content-Length', String(response.body.length)]
}
