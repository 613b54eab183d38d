import type { Exchange } from '../exchange/exchange.ts'

/** Takes the client of a refused request for suspicious for a while, where something asks for that. */
export function suspect({ runtime, clientAddress }: Exchange): void {
  const { captcha } = runtime.service.checks ?? {}
  if (!captcha?.policies.some(({ asks }) => asks === 'suspicious')) return
  const now = runtime.now()
  runtime.memory.remember(`suspicious ${clientAddress}`, now + captcha.suspicionSeconds * 1000, String(now))
}

/** Since when the client is suspicious, in milliseconds since 1970; undefined where it is not. */
export function suspiciousSince({ runtime, clientAddress }: Exchange): number | undefined {
  const since = runtime.memory.recall(`suspicious ${clientAddress}`, runtime.now())
  return since === undefined ? undefined : Number(since)
}
