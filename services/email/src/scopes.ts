/** All that a client can be given. */
export const scopes = ['ess:account:read', 'ess:account:write'] as const

/** What an API client may do. */
export type Scope = (typeof scopes)[number]
