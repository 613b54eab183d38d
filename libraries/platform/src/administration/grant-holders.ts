import { pluralize } from './pluralize.ts'

/** An account of a service. */
export interface ServiceAccount {
  readonly service: string
  readonly accountId: string
}

/** How many operators and API tokens of operators have a grant. */
export interface GrantHolders {
  readonly operators: number
  readonly tokens: number
}

/** What operators and tokens lose with an account, in sentences; nothing where none of them has a grant for it. */
export function lossOfGrants({ operators, tokens }: GrantHolders): string[] {
  const holders = [
    ...(operators === 0 ? [] : [pluralize(operators, 'operator')]),
    ...(tokens === 0 ? [] : [pluralize(tokens, 'API token')]),
  ]
  return holders.length === 0 ? [] : [`the grants of ${holders.join(' and of ')} for the account`]
}
