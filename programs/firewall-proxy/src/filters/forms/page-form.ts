import type { OfferedValues } from '../../exchange/form-evidence.ts'
import { parameterKey, valueDigest } from './form-seal.ts'

/** Values of one form that are told apart; what comes beyond may be anything. */
const valuesMax = 4096

/** Longer names no application has, in characters; such fields are passed over. */
const nameMax = 1024

/** What a form has under one name. */
interface Field {
  digests: Set<string> | 'any'
  isHidden: boolean
  /** Whether people write something there. */
  isFree: boolean
}

/** How a value came into a form. */
export type FieldKind = 'hidden' | 'chosen' | 'free'

/** A form of a page, while it is read. */
export class PageForm {
  method: 'get' | 'post'
  /** Whether its bytes reach the server as they stand in the page. */
  readonly takesAnyLetter: boolean
  /** Where it and its buttons lead; `elsewhere` for pages of others. */
  readonly targets: (URL | 'elsewhere')[] = []
  readonly #fields = new Map<string, Field>()
  #size = 0

  constructor(method: 'get' | 'post', { takesAnyLetter }: { readonly takesAnyLetter: boolean }) {
    this.method = method
    this.takesAnyLetter = takesAnyLetter
  }

  /** @param value a byte string without character references; undefined where it cannot be told */
  add(name: string, value: string | undefined, kind: FieldKind): void {
    if (name.length > nameMax) return
    const key = parameterKey(name)
    const field = this.#fields.get(key) ?? { digests: new Set(), isHidden: false, isFree: false }
    if (this.#size >= valuesMax && !this.#fields.has(key)) return
    this.#fields.set(key, field)
    this.#size++
    field.isHidden ||= kind === 'hidden'
    field.isFree ||= kind === 'free'
    if (value === undefined || this.#size >= valuesMax) field.digests = 'any'
    else if (field.digests !== 'any') field.digests.add(valueDigest(value))
  }

  /** What it offers, by parameter. @param wants whether a parameter is to be sealed */
  offered(wants: (key: string, isFixed: boolean) => boolean): [string, OfferedValues][] {
    return Array.from(this.#fields).flatMap(([key, { digests, isHidden, isFree }]) => {
      const isFixed = isHidden && !isFree
      if (!wants(key, isFixed)) return []
      return [[key, { isFixed, digests: digests === 'any' ? digests : [...digests] }]]
    })
  }
}
