import { digestOf } from '@palisade/platform'
import type { Administrator } from './administrators.ts'
import { inLines } from './token-text.ts'

/** One token that was found valid, as it is remembered between requests. */
export class Token {
  /** What the store knows it by. */
  readonly digest: string
  readonly issuedAt: number
  readonly expiresAt: number
  /** The login that it comes from, itself or by its predecessors: an id that nobody sees. */
  readonly session: string
  /** The SHA-256 of that, by which servers tell each other that it has ended. */
  readonly sessionDigest: string
  /** Whether it opens nothing that changes something: it was given to an operator who may only read. */
  readonly readsOnly: boolean
  administrator: Administrator
  /** When the store was last known to have it, in milliseconds since 1970. */
  confirmedAt: number
  /** When the store was last asked whether it has it. */
  askedAt: number
  /** The token that replies to this one carry. */
  successor: Token | undefined
  /** The end of a JSON reply that has this token as its last member. */
  readonly replyTail: string
  readonly text: string

  constructor(
    reduced: string,
    facts: Pick<Token, 'session' | 'readsOnly' | 'administrator' | 'issuedAt' | 'expiresAt' | 'confirmedAt'>,
  ) {
    this.digest = digestOf(reduced)
    this.text = inLines(reduced)
    this.replyTail = `,"token":${JSON.stringify(this.text)}}`
    this.session = facts.session
    this.sessionDigest = digestOf(facts.session)
    this.readsOnly = facts.readsOnly
    this.administrator = facts.administrator
    this.issuedAt = facts.issuedAt
    this.expiresAt = facts.expiresAt
    this.confirmedAt = facts.confirmedAt
    this.askedAt = facts.confirmedAt
  }
}
