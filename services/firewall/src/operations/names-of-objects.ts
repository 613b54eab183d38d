const nameLengthMax = 64

/** Names that differ, also when what they are made of is alike or long. */
export class NamesOfObjects {
  readonly #isTaken: (name: string) => boolean
  readonly #given = new Set<string>()

  /** @param isTaken by something that is there already */
  constructor(isTaken: (name: string) => boolean) {
    this.#isTaken = isTaken
  }

  /** @param text of which as much is readable in the name as fits */
  next(text: string): string {
    const readable = text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'profile'
    for (let number = 1; ; number++) {
      const end = number === 1 ? '' : `-${number}`
      const name = readable.slice(0, nameLengthMax - end.length) + end
      if (this.#given.has(name) || this.#isTaken(name)) continue
      this.#given.add(name)
      return name
    }
  }
}
