import { timingSafeEqual } from 'node:crypto'

/** Whether two secrets are the same; how long that takes tells nothing but whether they are of one length. */
export function areSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
