/** The kind of administrators, of whom configuration documents tell names and roles only. */
export const administratorKind = 'user'

/** On whose behalf a change is made. */
export interface Author {
  readonly username: string
  readonly role: string
  /** The network address that the request came from. */
  readonly address: string
}
