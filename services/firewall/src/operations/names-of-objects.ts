const nameLengthMax = 64

/** As much of a name as is never given up for the number at its end. */
const stemLength = nameLengthMax - '-9999999'.length

/** Names that differ, also when what they are made of is alike or long. */
export class NamesOfObjects {
  readonly #isTaken: (name: string) => boolean
  readonly #given = new Set<string>()
  /** The last number for each stem: names that are all alike are not counted from the beginning again. */
  readonly #numbers = new Map<string, number>()

  /** @param isTaken by something that is there already */
  constructor(isTaken: (name: string) => boolean) {
    this.#isTaken = isTaken
  }

  /** @param text of which as much is readable in the name as fits */
  next(text: string): string {
    const readable = text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'profile'
    const stem = readable.slice(0, stemLength)
    let number = this.#numbers.get(stem) ?? 1
    let name = readable.slice(0, nameLengthMax)
    while (this.#given.has(name) || this.#isTaken(name)) {
      const end = `-${++number}`
      name = readable.slice(0, nameLengthMax - end.length) + end
    }
    this.#numbers.set(stem, number)
    this.#given.add(name)
    return name
  }
}
