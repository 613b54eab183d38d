import { type Static, Type } from 'typebox'

/** Why a host cannot be used, in a word for programs and a sentence for people. */
export const UnsupportedReason = Type.Object({ code: Type.String(), message: Type.String() })
export type UnsupportedReason = Static<typeof UnsupportedReason>

/** A hypervisor that was registered for a computer: the computer's agent reaches it. */
export interface Host {
  readonly id: number
  readonly hostName: string
  /** Whether it is the hypervisor of the agent's own machine. */
  readonly isLocal: boolean
  /** Why it could not be used when it was registered last; null when it could. */
  readonly unsupported: UnsupportedReason | null
  /** Who is logged on at it; null for the user that the agent runs as. */
  readonly sealedLogon: string | null
}

/** A time in which hosts are looked at and chosen; every use makes it last longer. */
export interface HostSession {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly expiresAt: number
}
