import type { Authorisation } from './authorisation.ts'
import { ConnectionFailed, reachable } from './errors.ts'

/** How often a call is tried, and how long is waited between. */
export interface Retries {
  /** Tries of one call, the first one included; 1 never tries again. 4 by default. */
  readonly tries?: number
  /** Milliseconds before the second try; each further wait is twice as long, and up to half of it is left out at random. 200 by default. */
  readonly firstWaitMs?: number
  /** The longest wait in milliseconds, also where the server asks for more (`Retry-After`). 30,000 by default. */
  readonly longestWaitMs?: number
}

/** Is told of a call that was answered, whatever the answer; its body may be read, the answer's may not. */
export type AnsweredCall = (request: Request, answer: Response) => void

const temporaryFailures = new Set([502, 503, 504])

/**
 * A `fetch` that says who calls, renews a token that has expired, and tries again what is safe to try again: reads that failed for a
 * time, and any call that was refused with 429, since that was not carried out.
 *
 * @throws ConnectionFailed when no reply comes
 */
export function createTransport(
  authorisation: Authorisation,
  { tries = 4, firstWaitMs = 200, longestWaitMs = 30_000 }: Retries = {},
  onAnswered?: AnsweredCall,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    let hasRenewed = false
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await send(request, authorisation)
      if (outcome instanceof Response && outcome.status === 401 && authorisation.renew && !hasRenewed) {
        hasRenewed = true
        authorisation.renew()
        continue
      }
      const isWorthAnother =
        outcome instanceof Response
          ? outcome.status === 429 || (isRead && temporaryFailures.has(outcome.status))
          : isRead
      if (attempt >= tries || !isWorthAnother) {
        if (!(outcome instanceof Response)) throw outcome
        onAnswered?.(request, outcome)
        return outcome
      }
      const retryAfterMs =
        outcome instanceof Response ? Number(outcome.headers.get('retry-after') ?? 0) * 1000 : 0
      const backOff = firstWaitMs * 2 ** (attempt - 1) * (1 - Math.random() / 2)
      await wait(Math.min(Math.max(backOff, retryAfterMs || 0), longestWaitMs), request.signal)
    }
  }
}

/** The request itself stays unread, so that it can be sent again. */
async function send(request: Request, authorisation: Authorisation): Promise<Response | ConnectionFailed> {
  const copy = request.clone()
  for (const [name, value] of Object.entries(await authorisation.headers())) copy.headers.set(name, value)
  const { credentials } = authorisation
  try {
    return await reachable(() => fetch(copy, credentials ? { credentials } : {}))
  } catch (error) {
    if (error instanceof ConnectionFailed) return error
    throw error
  }
}

/**
 * Waits; ends early when the signal aborts.
 *
 * @throws the signal's reason
 */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
