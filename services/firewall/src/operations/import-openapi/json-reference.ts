import { type Body, membersOf } from '../../changes/members.ts'
import { notAcceptable } from '../../failure.ts'

/** How many references may follow one another. */
const referencesMax = 32

/**
 * How many parts, members and items are looked at, each as often as it is named: a few that name each other in turn can
 * be put together in more ways than there is memory for.
 */
const partsMax = 1_000_000

/** How deep objects and lists may lie in each other: whoever follows them, or writes them out, calls itself as often. */
const depthMax = 256

/** An OpenAPI document, in which parts name other parts of it. */
export class ReferringDocument {
  readonly root: Body
  #partsSeen = 0

  /** @throws ConfigurationRefused not-acceptable, when it is nested too deep */
  constructor(root: Body) {
    if (isDeeper(root, depthMax))
      throw notAcceptable(`The document is nested deeper than ${depthMax} levels.`)
    this.root = root
  }

  /**
   * A part with what it refers to in its place; an empty one for what is no object.
   *
   * @throws ConfigurationRefused not-acceptable, when it refers to another document, to nothing, or to itself, or, as
   *   the other methods do, when too much was asked for
   */
  part(value: unknown): Body {
    this.#count(1)
    let part = membersOf(value)
    for (let count = 0; count < referencesMax; count++) {
      const { $ref } = part
      if (typeof $ref !== 'string') return part
      part = this.#find($ref)
    }
    throw notAcceptable('The document has a reference that leads to itself.')
  }

  /** The parts in a list; none when it is no list. */
  parts(value: unknown): Body[] {
    return Array.isArray(value) ? value.map((one) => this.part(one)) : []
  }

  /** The members of an object; none when it is no object. */
  members(value: unknown): [name: string, member: unknown][] {
    const members = Object.entries(membersOf(value))
    this.#count(members.length)
    return members
  }

  /** The texts in a list, or the only one; numbers and truth values are told as texts, and nothing else counts. */
  texts(value: unknown): string[] {
    const items: unknown[] = [value ?? []].flat()
    this.#count(items.length)
    return items.filter((item) => item !== null && typeof item !== 'object').map(String)
  }

  #count(parts: number): void {
    this.#partsSeen += parts
    if (this.#partsSeen <= partsMax) return
    throw notAcceptable(
      `The parts of the document name each other too often: more than ${partsMax} times in all.`,
    )
  }

  /** @param pointer as RFC 6901 has it, behind "#" */
  #find(pointer: string): Body {
    const shown = JSON.stringify(pointer.slice(0, 100))
    if (!pointer.startsWith('#/')) throw notAcceptable(`The document refers to another one: ${shown}.`)
    let value: unknown = this.root
    for (const escaped of pointer.slice(2).split('/')) {
      const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
      const members = membersOf(value)
      value = Object.hasOwn(members, name) ? members[name] : undefined
    }
    if (value === undefined) throw notAcceptable(`The document refers to what it does not have: ${shown}.`)
    return membersOf(value)
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
