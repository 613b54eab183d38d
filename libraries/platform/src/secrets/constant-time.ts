import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares two secrets of any length without telling by its duration where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
