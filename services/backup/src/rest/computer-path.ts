import type { ComputerId } from '../computer-id.ts'

/** Where everything of a computer lies; with `:account_id` and `:computer_id` for the routes. */
export const computerPattern = '/v2/accounts/:account_id/computers/:computer_id'

/** The address of something of a computer, below the listener's root. */
export function addressOf(basePath: string, { accountId, computerId }: ComputerId, rest: string): string {
  return `${basePath}/v2/accounts/${encodeURIComponent(accountId)}/computers/${encodeURIComponent(computerId)}${rest}`
}
