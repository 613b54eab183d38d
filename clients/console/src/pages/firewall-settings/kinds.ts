import { type FirewallKind, shellWord } from '@palisade/sdk'

/** A kind of objects without its fields, as the index of all kinds has it. */
export interface IndexedKind extends Omit<FirewallKind, 'fields' | 'sections'> {
  /** The titles of its sections. */
  readonly sections: readonly string[]
}

/** Written by the build out of the firewall's contract. */
const files = import.meta.glob<{ readonly default: unknown }>('../../../dist/kinds/*.json')

/** Every kind, in the order of the contract. */
export const kindsQuery = {
  queryKey: ['firewall-kinds'],
  queryFn: async () => (await fileOf('index')) as readonly IndexedKind[],
  staleTime: Number.POSITIVE_INFINITY,
}

/** One kind with all of its fields. */
export function kindQuery(name: string) {
  return {
    queryKey: ['firewall-kinds', name],
    queryFn: async () => (await fileOf(name)) as FirewallKind,
    staleTime: Number.POSITIVE_INFINITY,
  }
}

async function fileOf(name: string): Promise<unknown> {
  const load = files[`../../../dist/kinds/${name}.json`]
  if (load === undefined) throw new Error(`There is no kind ${name}.`)
  return (await load()).default
}

/** What an address of the firewall's management names: a collection of objects, or one object. */
export interface Place {
  readonly kind: IndexedKind
  /** The names of the objects around it, outermost first, and its own where it is an object. */
  readonly names: readonly string[]
  /** As calls have it, after the version: "services/shop". */
  readonly address: string
  readonly isObject: boolean
}

/**
 * What an address names.
 *
 * @param path the address, in whose names only "/" and "%" are encoded
 * @returns undefined when no kind is there
 */
export function placeAt(kinds: readonly IndexedKind[], path: string): Place | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  let place: Place | undefined
  while (segments.length > 0) {
    const parent: Place | undefined = place
    if (parent !== undefined && !parent.isObject) return undefined
    const kind = kinds
      .filter((one) => one.parent === parent?.kind.name && startsWith(segments, one.path.split('/')))
      .toSorted((one, other) => other.path.length - one.path.length)[0]
    if (kind === undefined) return undefined
    segments.splice(0, kind.path.split('/').length)
    const name = kind.identifiedBy === undefined ? undefined : segments.shift()
    place = inside(parent, kind, name === undefined ? undefined : decodeURIComponent(name))
  }
  return place
}

function startsWith(segments: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((segment, index) => segments[index] === segment)
}

/** A collection inside an object, or an object of that collection. @param parent undefined for what lies inside nothing */
export function inside(parent: Place | undefined, kind: IndexedKind, name?: string): Place {
  const address = [...(parent ? [parent.address] : []), kind.path].join('/')
  return {
    kind,
    names: [...(parent?.names ?? []), ...(name === undefined ? [] : [name])],
    address: name === undefined ? address : `${address}/${encodeURIComponent(name)}`,
    isObject: kind.identifiedBy === undefined || name !== undefined,
  }
}

/** The place as the console's addresses have it: readable, but for what would be read as another place. */
export function pathOf({ address }: Place): string {
  return address
    .split('/')
    .map((segment) => decodeURIComponent(segment).replace(/[%/]/g, encodeURIComponent))
    .join('/')
}

/** What `firewall get` and `firewall list` take of the place on a command line: the kind, and the names of the objects. */
export function argumentsOf({ kind, names }: Pick<Place, 'kind' | 'names'>): string {
  return names.length === 0 ? kind.name : `${kind.name} ${shellWord(names.join('/'))}`
}

/** "max-url-length" becomes "Max URL length". @param initials words that are written in capitals */
export function labelOf(name: string, initials: readonly string[]): string {
  const text = name
    .split('-')
    .map((word) => (initials.includes(word) ? word.toUpperCase() : word))
    .join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
