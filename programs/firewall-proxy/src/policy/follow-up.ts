import type { SnapshotFollowUp } from '@palisade/proxy-protocol'
import type { Exchange } from '../exchange/exchange.ts'

/** What becomes of a client's further requests; `challenge`: it has to show first that it is no program. */
export interface FollowUp {
  readonly does: SnapshotFollowUp['does'] | 'challenge'
  readonly seconds: number
}

/** As administrators and logs call what becomes of a client. */
const names: Readonly<Record<FollowUp['does'], string>> = {
  block: 'Block Client-IP',
  tarpit: 'Tarpit Client',
  challenge: 'Challenge with CAPTCHA',
}

/** What an action or an access rule wants to become of the client of a refused request. */
export function followUpOf({
  followUp: told,
  captchaSeconds,
}: {
  readonly followUp?: SnapshotFollowUp
  readonly captchaSeconds?: number
}): FollowUp | undefined {
  return told ?? (captchaSeconds === undefined ? undefined : { does: 'challenge', seconds: captchaSeconds })
}

/** The name of a follow-up in the logs. */
export function nameOfFollowUp({ does }: FollowUp): string {
  return names[does]
}

/** From now on and for a while, the client's requests to this service are refused, wait, or are asked for a solution that is newer. */
export function followUp({ runtime, clientAddress }: Exchange, { does, seconds }: FollowUp): void {
  const now = runtime.now()
  runtime.memory.remember(keyOf(does, clientAddress), now + seconds * 1000, String(now))
}

/** Whether the client is refused, or waits. */
export function isFollowedUp(exchange: Exchange, does: FollowUp['does']): boolean {
  return followedUpSince(exchange, does) !== undefined
}

/** Since when the client is refused, waits, or is asked; in milliseconds since 1970. */
export function followedUpSince(
  { runtime, clientAddress }: Exchange,
  does: FollowUp['does'],
): number | undefined {
  const since = runtime.memory.recall(keyOf(does, clientAddress), runtime.now())
  return since === undefined ? undefined : Number(since)
}

function keyOf(does: FollowUp['does'], address: string): string {
  return `${does} ${address}`
}
