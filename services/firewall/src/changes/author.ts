/** On whose behalf a change is made. */
export interface Author {
  readonly username: string
  readonly role: string
  /** The network address that the request came from. */
  readonly address: string
}
