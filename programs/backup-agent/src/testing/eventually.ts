import { setTimeout as sleep } from 'node:timers/promises'

/** Looks every 20 ms until what is looked for is there; a loaded machine takes its time. */
export async function eventually(what: string, isThere: () => boolean, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!isThere()) {
    if (Date.now() > deadline) throw new Error(`${what} did not happen in ${timeoutMs} ms`)
    await sleep(20)
  }
}
