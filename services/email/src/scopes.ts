/** All that a client can be given. */
export const scopes = ['ess:account:read', 'ess:account:write'] as const

export type Scope = (typeof scopes)[number]
