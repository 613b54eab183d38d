/** Which computer is meant. */
export interface ComputerId {
  readonly accountId: string
  readonly computerId: string
}

/**
 * The computer as one text, different for each: also the name of its domain in the vault. Both halves are
 * percent-encoded, which changes nothing about usual ids, so that a slash in one of them cannot make two
 * computers look like one. What a stranger claims to be may be no valid text; it is not the id of any computer.
 */
export function domainOf({ accountId, computerId }: ComputerId): string {
  return [accountId, computerId].map((id) => encodeURIComponent(id.toWellFormed())).join('/')
}
