import type { Exchange } from '../traffic/exchange.ts'

/** Refuses all further requests of the client to this service for a while. */
export function blockClient({ runtime, clientAddress }: Exchange, seconds: number): void {
  runtime.memory.remember(keyOf(clientAddress), runtime.now() + seconds * 1000)
}

export function isClientBlocked({ runtime, clientAddress }: Exchange): boolean {
  return runtime.memory.remembers(keyOf(clientAddress), runtime.now())
}

function keyOf(address: string): string {
  return `blocked ${address}`
}
