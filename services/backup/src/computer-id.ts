import { domainName } from '@palisade/agent-protocol'

/** Which computer is meant. */
export interface ComputerId {
  readonly accountId: string
  readonly computerId: string
}

/** The computer as one text, different for each: also the name of its domain in the vault. */
export function domainOf({ accountId, computerId }: ComputerId): string {
  return domainName(accountId, computerId)
}
