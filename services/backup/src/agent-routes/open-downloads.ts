import { type ComputerId, domainOf } from '../computer-id.ts'

/** A reply that is under way. */
export interface OpenDownload {
  /** Its client has taken something. */
  readonly goesOn: () => void
  readonly ended: () => void
}

/**
 * How many downloads of a computer are open at once. Each holds some megabytes for as long as its client takes nothing, and the connections
 * that a lost network leaves behind are noticed late: the next one takes the place of the one that has stood still for longest.
 */
export class OpenDownloads {
  readonly #downloadsMax: number
  /** How each is cut, by computer; the one that went on last comes last. */
  readonly #open = new Map<string, Set<() => void>>()

  constructor(downloadsMax: number) {
    this.#downloadsMax = downloadsMax
  }

  /** @param cut ends this download; its own, no other one has it */
  begin(computer: ComputerId, cut: () => void): OpenDownload {
    const domain = domainOf(computer)
    const open = this.#open.get(domain) ?? new Set()
    this.#open.set(domain, open)
    const [stillest] = open
    if (stillest !== undefined && open.size >= this.#downloadsMax) {
      open.delete(stillest)
      stillest()
    }
    open.add(cut)
    return {
      goesOn() {
        if (open.delete(cut)) open.add(cut)
      },
      ended: () => {
        open.delete(cut)
        if (open.size === 0 && this.#open.get(domain) === open) this.#open.delete(domain)
      },
    }
  }
}
