/** Sets bit `n & 31` of word `n >>> 5`. */
export function setBit(words: Uint32Array, bit: number): void {
  words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31))
}

/** Whether bit `n & 31` of word `n >>> 5` is set. */
export function hasBit(words: Uint32Array, bit: number): boolean {
  return (((words[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1
}
