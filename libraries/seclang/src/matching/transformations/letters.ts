import { foldCase } from '../fold-case.ts'

export const lowercase = foldCase

/** a–z as A–Z, nothing else. */
export function uppercase(value: string): string {
  return value.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
}
