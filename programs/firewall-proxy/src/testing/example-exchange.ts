import type { Exchange } from '../exchange/exchange.ts'

/** What a test says of a request. */
export interface ExampleRequest {
  readonly method?: string
  readonly httpVersion?: string
  /** Path and query. */
  readonly target?: string
  /** Names and values in turn. */
  readonly headers?: readonly string[]
  readonly clientAddress?: string
}

/** An exchange with what conditions look at, for tests without connections. */
export function exampleExchange(request: ExampleRequest): Exchange {
  const { method = 'GET', httpVersion = '1.1', target = '/', headers = ['Host', 'shop.example'] } = request
  const facts = {
    request: { method, httpVersion },
    target,
    headers,
    clientAddress: request.clientAddress ?? '192.0.2.7',
  }
  return facts as unknown as Exchange
}
