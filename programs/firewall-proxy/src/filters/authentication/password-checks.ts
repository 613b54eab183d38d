import { randomBytes } from 'node:crypto'
import { CheckQueue } from './check-queue.ts'

/** Each check takes 19 MiB and a thread, of which a process has four. */
const turns = new CheckQueue({ concurrentMax: 2, waitingMax: 64, waitingOfOneMax: 8 })

/** Has the form of a digest and is that of no password: checking it takes as long as any other check. */
const decoy = `$argon2id$v=19$m=19456,t=2,p=1$${unpadded(16)}$${unpadded(32)}`

function unpadded(size: number): string {
  return randomBytes(size).toString('base64').replace(/=+$/, '')
}

/**
 * Whether a password is the one of a digest, found out by a thread beside those that carry traffic. Checks have their turns.
 *
 * @param digest argon2id in the PHC string format; undefined where there is no such user, which takes as long
 * @param network that of the client: each may have a few checks waiting
 * @throws TooManyChecks
 */
export function isPassword(password: string, digest: string | undefined, network: string): Promise<boolean> {
  return turns.run(network, async () => {
    // Machine code, which most proxies never need.
    const { verify } = await import('@node-rs/argon2')
    const isRight = await verify(digest ?? decoy, password)
    return isRight && digest !== undefined
  })
}
