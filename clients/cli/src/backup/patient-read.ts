import { setTimeout } from 'node:timers/promises'
import { ApiError, type ComputerPath, ConnectionFailed } from '@palisade/sdk'
import { exitStatusOf, explain, UsageError } from '../exit-status.ts'

/** A server that is restarted is back sooner. */
export const awayMaxMs = 60_000
const lookEveryMs = 1000
/** What a server that ends, or a proxy before one that is not there, answers. */
const unavailable = new Set([502, 503, 504])

/** What a command waits for. */
interface Awaited {
  /** Such as "backup". */
  readonly title: string
  /** The command that shows it, without "palisade backup" and without the computer. */
  readonly again: string
  readonly path: ComputerPath
  /** Whether it goes on after a restart of the server. */
  readonly outlivesServer: boolean
}

/**
 * Reads something of the server that a command waits for, also while the server is restarted.
 *
 * @throws UsageError when the server has been away for a minute: what becomes of what was waited for, and where to see it
 */
export async function readPatiently<Result>(
  read: () => Promise<Result>,
  { title, again, path, outlivesServer }: Awaited,
): Promise<Result> {
  let awaySince: number | undefined
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!isAway(error)) throw error
      const now = performance.now()
      awaySince ??= now
      if (now - awaySince >= awayMaxMs) {
        const command = `palisade backup ${again} --account ${path.account_id} --computer ${path.computer_id}`
        throw new UsageError(
          `${explain(error).replace(/\.?$/, '.')} This command has stopped waiting for the ${title}${outlivesServer ? ', which goes on when the server is there again' : ''}. See what becomes of it: ${command}`,
          exitStatusOf(error),
        )
      }
      await setTimeout(lookEveryMs)
    }
  }
}

/** Whether a request failed because the server was away, as it is while it is restarted. */
export function isAway(error: unknown): boolean {
  return error instanceof ConnectionFailed || (error instanceof ApiError && unavailable.has(error.status))
}
