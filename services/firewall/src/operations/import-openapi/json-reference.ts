import type { Body } from '../../changes/members.ts'
import { ConfigurationRefused } from '../../failure.ts'

/** How many references may follow one another. */
const referencesMax = 32

/** An OpenAPI document, in which parts name other parts of it. */
export class ReferringDocument {
  readonly root: Body

  constructor(root: Body) {
    this.root = root
  }

  /**
   * A part with what it refers to in its place; an empty one for what is no object.
   *
   * @throws ConfigurationRefused not-acceptable, when it refers to another document, to nothing, or to itself
   */
  part(given: unknown): Body {
    let part = membersOf(given)
    for (let count = 0; count < referencesMax; count++) {
      const { $ref } = part
      if (typeof $ref !== 'string') return part
      part = this.#find($ref)
    }
    throw unacceptable('The document has a reference that leads to itself.')
  }

  /** The parts in a list; none when it is no list. */
  parts(given: unknown): Body[] {
    return Array.isArray(given) ? given.map((one) => this.part(one)) : []
  }

  /** @param pointer as RFC 6901 has it, behind "#" */
  #find(pointer: string): Body {
    const shown = JSON.stringify(pointer.slice(0, 100))
    if (!pointer.startsWith('#/')) throw unacceptable(`The document refers to another one: ${shown}.`)
    let found: unknown = this.root
    for (const escaped of pointer.slice(2).split('/')) {
      const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
      const members = membersOf(found)
      found = Object.hasOwn(members, name) ? members[name] : undefined
    }
    if (found === undefined) throw unacceptable(`The document refers to what it does not have: ${shown}.`)
    return membersOf(found)
  }
}

/** The members of an object; none when it is no object. */
export function membersOf(given: unknown): Body {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? { ...given } : {}
}

export function unacceptable(problem: string): ConfigurationRefused {
  return new ConfigurationRefused({ code: 'not-acceptable', problems: [problem] })
}
