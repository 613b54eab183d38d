import type { SnapshotFollowUp } from '@palisade/proxy-protocol'
import type { Exchange } from '../exchange/exchange.ts'

/** As administrators and logs call what becomes of a client. */
const names: Readonly<Record<SnapshotFollowUp['does'], string>> = {
  block: 'Block Client-IP',
  tarpit: 'Tarpit Client',
}

/** The name of a follow-up in the logs. */
export function nameOfFollowUp({ does }: SnapshotFollowUp): string {
  return names[does]
}

/** From now on and for a while, the client's requests to this service are refused, or wait. */
export function followUp({ runtime, clientAddress }: Exchange, { does, seconds }: SnapshotFollowUp): void {
  runtime.memory.remember(keyOf(does, clientAddress), runtime.now() + seconds * 1000)
}

/** Whether the client is refused, or waits. */
export function isFollowedUp({ runtime, clientAddress }: Exchange, does: SnapshotFollowUp['does']): boolean {
  return runtime.memory.remembers(keyOf(does, clientAddress), runtime.now())
}

function keyOf(does: SnapshotFollowUp['does'], address: string): string {
  return `${does} ${address}`
}
