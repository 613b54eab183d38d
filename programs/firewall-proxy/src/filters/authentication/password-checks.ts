import { randomBytes } from 'node:crypto'
import { verify } from '@node-rs/argon2'

/** How many passwords are checked at once in one process: each takes 19 MiB and a thread, of which there are four. */
const concurrentMax = 2

/** How many checks wait for their turn, and how many of one network. */
const waitingMax = 64
const waitingOfOneMax = 8

/** Has the form of a digest and is that of no password: checking it takes as long as any other check. */
const decoy = `$argon2id$v=19$m=19456,t=2,p=1$${unpadded(16)}$${unpadded(32)}`

function unpadded(size: number): string {
  return randomBytes(size).toString('base64').replace(/=+$/, '')
}

/** Too many passwords wait to be checked. */
export class TooManyChecks extends Error {}

const waiting: { readonly network: string; readonly begin: () => void }[] = []
let running = 0

/**
 * Whether a password is the one of a digest, found out by a thread beside those that carry traffic. Checks have their turns, so that a
 * flood of logins takes neither memory nor processors from requests.
 *
 * @param digest argon2id in the PHC string format; undefined where there is no such user, which takes as long
 * @param network that of the client: each may have a few checks waiting
 * @throws TooManyChecks
 */
export async function isPassword(
  password: string,
  digest: string | undefined,
  network: string,
): Promise<boolean> {
  if (running >= concurrentMax) await turn(network)
  else running++
  try {
    const isRight = await verify(digest ?? decoy, password)
    return isRight && digest !== undefined
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next.begin()
  }
}

function turn(network: string): Promise<void> {
  const ofOne = waiting.filter((one) => one.network === network).length
  if (waiting.length >= waitingMax || ofOne >= waitingOfOneMax) throw new TooManyChecks()
  return new Promise((begin) => waiting.push({ network, begin }))
}
