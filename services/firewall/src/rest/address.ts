import { RequestRefused } from '@palisade/platform'
import type { CompiledCatalogue, CompiledKind, CompiledSection } from '../kinds/compiled-kind.ts'
import { canonicalSpelling } from '../kinds/field-set.ts'

/** What a path leads to; whether the named objects exist is another matter. */
export type Target =
  | { readonly type: 'collection'; readonly kind: CompiledKind; readonly parentPath: readonly string[] }
  | { readonly type: 'object'; readonly kind: CompiledKind; readonly path: readonly string[] }
  | {
      readonly type: 'section'
      readonly kind: CompiledKind
      readonly path: readonly string[]
      readonly section: CompiledSection
    }

/** A place in the tree of fixed path segments. */
interface Place {
  readonly next: Map<string, Place>
  /** The kind whose objects are listed here, or whose single object is here. */
  kind?: CompiledKind
  section?: CompiledSection
}

/**
 * Finds what paths lead to. Fixed segments are understood with hyphens and underscores, in any case; names are
 * taken as they are.
 */
export class Addresses {
  readonly #top: Place
  /** The places inside an object, by kind. */
  readonly #inside = new Map<CompiledKind, Place>()

  constructor(catalogue: CompiledCatalogue) {
    this.#top = { next: new Map() }
    for (const kind of catalogue.values()) {
      const isSingle = kind.identifiedBy === undefined
      this.#inside.set(kind, isSingle ? placeAt(this.#top, kind.segments) : { next: new Map() })
    }
    for (const [kind, inside] of this.#inside) {
      const parent = kind.lineage.at(-2)
      const from = parent ? this.#inside.get(parent) : this.#top
      if (from) placeAt(from, kind.segments).kind = kind
      for (const section of kind.sections) placeAt(inside, [section.segment]).section = section
    }
  }

  /** @param path what follows the version: "services/shop/url-encryption", still percent-encoded */
  resolve(path: string): Target | undefined {
    const segments = path.split('/').map(decoded)
    segments.push((segments.pop() ?? '').trimEnd())
    return this.#follow(segments.filter((segment) => segment !== ''))
  }

  #follow(segments: readonly string[]): Target | undefined {
    let target: Target | undefined
    let place = this.#top
    let path: readonly string[] = []
    /** The kind of the object in which the place lies. */
    let around: CompiledKind | undefined
    for (const segment of segments) {
      const next = target?.type === 'collection' ? undefined : place.next.get(canonicalSpelling(segment))
      if (target?.type === 'collection') {
        path = [...path, segment]
        around = target.kind
        target = { type: 'object', kind: around, path }
        place = this.#inside.get(around) ?? place
      } else if (next === undefined) {
        return undefined
      } else {
        place = next
        target = targetAt(next, path, around)
        if (target?.type === 'object') {
          path = target.path
          around = target.kind
        }
      }
    }
    return target
  }
}

function targetAt(
  { kind, section }: Place,
  path: readonly string[],
  around: CompiledKind | undefined,
): Target | undefined {
  if (section && around) return { type: 'section', kind: around, path, section }
  if (!kind) return undefined
  if (kind.identifiedBy === undefined) return { type: 'object', kind, path: [kind.title] }
  return { type: 'collection', kind, parentPath: path }
}

function placeAt(from: Place, segments: readonly string[]): Place {
  let place = from
  for (const segment of segments.map(canonicalSpelling)) {
    const next = place.next.get(segment) ?? { next: new Map() }
    place.next.set(segment, next)
    place = next
  }
  return place
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new RequestRefused('bad-request', 'The address is not encoded correctly.')
  }
}
