import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type ComputerId, domainOf } from '../computer-id.ts'

/**
 * Digests of enrolment keys: HMAC-SHA256 under a key of this installation, over the computer and the key. The
 * store alone does not suffice to guess even a weak enrolment key, and a check costs microseconds.
 */
export class EnrolmentDigests {
  readonly #key: Buffer

  /** @param installationKey 32 bytes that only this installation knows */
  constructor(installationKey: Buffer) {
    this.#key = Buffer.from(
      hkdfSync('sha256', installationKey, new Uint8Array(), 'palisade-backup/enrolment', 32),
    )
  }

  /** 64 hexadecimal digits. */
  of(computer: ComputerId, enrolmentKey: string): string {
    return this.#digest(computer, enrolmentKey).toString('hex')
  }

  /**
   * Whether the key is the one that was digested. Where there is no such computer, `stored` is undefined: the
   * answer is false after the same work.
   */
  matches(computer: ComputerId, enrolmentKey: string, stored: string | undefined): boolean {
    const digest = this.#digest(computer, enrolmentKey)
    const expected = Buffer.alloc(digest.length)
    expected.write(stored ?? '', 'hex')
    return timingSafeEqual(digest, expected) && stored !== undefined
  }

  #digest(computer: ComputerId, enrolmentKey: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(`${domainOf(computer)}\0${enrolmentKey}`)
      .digest()
  }
}
