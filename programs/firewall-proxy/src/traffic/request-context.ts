import type { Exchange } from '../exchange/exchange.ts'
import type { Judge } from '../judging/judge.ts'
import type { ServiceRuntime } from './service-runtime.ts'

/** What those work with who carry a request: what is known of it, the service that carries it, and who judges it. */
export interface RequestContext {
  readonly exchange: Exchange
  readonly runtime: ServiceRuntime
  readonly judge: Judge
}
