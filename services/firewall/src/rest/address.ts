import { RequestRefused } from '@palisade/platform'
import { nearestName } from '@palisade/start-up'
import { LRUCache } from 'lru-cache'
import type { CompiledCatalogue, CompiledKind, CompiledSection } from '../kinds/compiled-kind.ts'
import { canonicalSpelling } from '../kinds/field-set.ts'
import type { Operation } from '../kinds/kind.ts'
import type { SpecialOperation } from './special-operation.ts'

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

/** What answers at an address. */
export interface Address {
  /** Undefined where only special operations answer. */
  readonly target: Target | undefined
  /** The methods by which the target is reached, and what they do. */
  readonly methods: ReadonlyMap<string, Operation>
  readonly specials: readonly SpecialAtAddress[]
}

/** A special operation, with what the path has in the place of its names in braces. */
export interface SpecialAtAddress {
  readonly operation: SpecialOperation
  readonly names: Readonly<Record<string, string>>
}

/** What each method does at each type of address. */
const operationsByMethod = {
  collection: { GET: 'list', POST: 'create' },
  object: { GET: 'read', PUT: 'update', DELETE: 'delete' },
  single: { GET: 'read', POST: 'create', PUT: 'update' },
  section: { GET: 'read', POST: 'create', PUT: 'update' },
} as const satisfies Record<Target['type'] | 'single', Readonly<Record<string, Operation>>>

/** The methods that the address answers to, with what they do. */
export function methodsAt(target: Target): ReadonlyMap<string, Operation> {
  const isSingle = target.type === 'object' && target.kind.identifiedBy === undefined
  const all: [string, Operation][] = Object.entries(operationsByMethod[isSingle ? 'single' : target.type])
  const { operations } = target.type === 'section' ? target.section : target.kind
  return new Map(all.filter(([, operation]) => operations.has(operation)))
}

/** How many of the addresses that were asked for last are remembered. */
const rememberedAddressesMax = 1000

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
  readonly #specials: readonly {
    readonly operation: SpecialOperation
    readonly segments: readonly string[]
  }[]
  readonly #remembered = new LRUCache<string, Address>({ max: rememberedAddressesMax })

  constructor(catalogue: CompiledCatalogue, specials: readonly SpecialOperation[] = []) {
    this.#specials = specials.map((operation) => ({ operation, segments: operation.path.split('/') }))
    this.#top = { next: new Map() }
    for (const kind of catalogue.values()) {
      const isSingle = kind.identifiedBy === undefined
      this.#inside.set(kind, isSingle ? placeAt(this.#top, kind.segments) : { next: new Map() })
    }
    for (const [kind, inside] of this.#inside) {
      const parent = kind.lineage.at(-2)
      const from = parent ? this.#inside.get(parent) : this.#top
      for (const segments of [kind.segments, ...kind.segmentsElsewhere]) {
        if (from) placeAt(from, segments).kind = kind
      }
      for (const section of kind.sections) placeAt(inside, section.segment.split('/')).section = section
    }
  }

  /**
   * @param url as the request line has it: "/restapi/v3.2/services/shop%20two/url-encryption?parameters=status"
   * @param segmentsBefore how many segments of its path stand before those that are looked for
   */
  resolve(url: string, segmentsBefore = 2): Address | undefined {
    const [path = ''] = url.split('?', 1)
    const remembered = this.#remembered.get(path)
    if (remembered) return remembered
    const segments = decodedSegments(path, segmentsBefore)
    const target = this.#follow(segments)
    const specials = this.#specialsAt(segments).filter((special) => !target || isBeside(special))
    if (!target && specials.length === 0) return undefined
    const address = { target, methods: target ? methodsAt(target) : new Map(), specials }
    this.#remembered.set(path, address)
    return address
  }

  /**
   * For a path that leads nowhere, the fixed segment that was probably meant where it goes wrong, such as "services" for "servces";
   * undefined where none is near. The parameters are those of {@link resolve}.
   */
  nearestSegment(url: string, segmentsBefore = 2): string | undefined {
    const [path = ''] = url.split('?', 1)
    let nearest: string | undefined
    this.#follow(decodedSegments(path, segmentsBefore), (segment, { next }) => {
      nearest = nearestName(segment, next.keys())
    })
    return nearest
  }

  #specialsAt(segments: readonly string[]): SpecialAtAddress[] {
    return this.#specials.flatMap(({ operation, segments: pattern }) => {
      const names = namesIn(segments, pattern)
      return names ? [{ operation, names }] : []
    })
  }

  /** @param lost is called where the path leads nowhere, with the segment at fault and the place where others are */
  #follow(segments: readonly string[], lost?: (segment: string, place: Place) => void): Target | undefined {
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
        lost?.(segment, place)
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

/** Whether the operation answers beside a kind at the same address, which a name in braces does not stand for. */
function isBeside({ operation, names }: SpecialAtAddress): boolean {
  return operation.when !== undefined || Object.keys(names).length === 0
}

/** What the segments have in the place of the pattern's names in braces; undefined when they do not fit it. */
function namesIn(
  segments: readonly string[],
  pattern: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (segments.length !== pattern.length) return undefined
  const names: [name: string, value: string][] = []
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? ''
    if (part.startsWith('{')) names.push([part.slice(1, -1), segment])
    else if (part !== canonicalSpelling(segment)) return undefined
  }
  return Object.fromEntries(names)
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

/** "//restapi/v3.2/services/my%20shop/%20" has the segments "services" and "my shop" after the first two. */
function decodedSegments(path: string, segmentsBefore: number): string[] {
  const segments = segmentsOf(path).slice(segmentsBefore).map(decoded)
  segments.push((segments.pop() ?? '').trimEnd())
  return segments.filter((segment) => segment !== '')
}

/** The segments of a path, as they are written. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new RequestRefused('bad-request', 'The address is not encoded correctly.')
  }
}
