/** All that a client can be given; nothing asks for `accounts_write` yet. */
export const scopes = ['accounts_read', 'accounts_write', 'computers_read', 'computers_write'] as const

/** What a client is granted, one of {@link scopes}. */
export type Scope = (typeof scopes)[number]
