/** A disk that gives nothing for so long is not going to, such as one on a server that is gone. */
const patienceMs = 60_000

/**
 * Waits for the system, and no longer than it makes sense.
 *
 * @throws Error when it takes too long, and the signal's reason
 */
export async function withinTimeout<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const timeout = Promise.withResolvers<never>()
  const abort = () => timeout.reject(signal.reason)
  const timer = setTimeout(
    () => timeout.reject(new Error(`nothing was read for ${patienceMs / 1000} seconds`)),
    patienceMs,
  )
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    // Nobody waits for it any more.
    work.catch(() => undefined)
  }
}
