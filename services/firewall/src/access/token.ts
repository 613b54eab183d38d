import { digestOf } from '@palisade/platform'
import type { Administrator } from './administrators.ts'
import { inLines } from './token-text.ts'

/** One token that was found valid, as it is remembered between requests. */
export class Token {
  /** What the store knows it by. */
  readonly digest: string
  readonly issuedAt: number
  readonly expiresAt: number
  administrator: Administrator
  /** Until when the store need not be asked again. */
  trustedUntil: number
  hasEnded = false
  /** The token that replies to this one carry. */
  successor: Token | undefined
  /** The end of a JSON reply that has this token as its last member. */
  readonly replyTail: string
  readonly text: string

  constructor(
    reduced: string,
    given: { administrator: Administrator; issuedAt: number; expiresAt: number; trustedUntil: number },
  ) {
    this.digest = digestOf(reduced)
    this.text = inLines(reduced)
    this.replyTail = `,"token":${JSON.stringify(this.text)}}`
    this.administrator = given.administrator
    this.issuedAt = given.issuedAt
    this.expiresAt = given.expiresAt
    this.trustedUntil = given.trustedUntil
  }
}
