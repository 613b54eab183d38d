/** A set of entries of an index: one bit for each, so that even a check of a vault of many tebibytes takes little memory. */
export class EntrySet {
  #bits: Uint8Array

  /** For so many entries at first; it grows by itself. */
  constructor(size: number) {
    this.#bits = new Uint8Array((size >> 3) + 1)
  }

  add(entry: number): void {
    const byte = entry >> 3
    if (byte >= this.#bits.length) {
      const larger = new Uint8Array(byte * 2)
      larger.set(this.#bits)
      this.#bits = larger
    }
    this.#bits[byte] = (this.#bits[byte] ?? 0) | (1 << (entry & 7))
  }

  has(entry: number): boolean {
    return ((this.#bits[entry >> 3] ?? 0) & (1 << (entry & 7))) !== 0
  }
}
