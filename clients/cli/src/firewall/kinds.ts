import type { FirewallField, FirewallKind, FirewallSection } from '@palisade/sdk'
import { UsageError } from '../connection.ts'
import { findWord } from './nearest.ts'

/** A kind among its relatives. */
export interface PlacedKind extends FirewallKind {
  /** The kinds around it, outermost first, and itself. */
  readonly lineage: readonly FirewallKind[]
}

/** The kinds that there are. */
export interface Kinds {
  readonly all: readonly PlacedKind[]
  /**
   * A kind by its name, or by the last segment of its collection's address: `server` or `servers`.
   *
   * @throws UsageError with the nearest names when there is none
   */
  named(word: string): PlacedKind
}

/** Reads the table of kinds, which takes a command that needs none some milliseconds. */
export async function readKinds(): Promise<Kinds> {
  const { kinds } = await import('./kinds.generated.ts')
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const lineageOf = (kind: FirewallKind): FirewallKind[] => {
    const parent = kind.parent === undefined ? undefined : byName.get(kind.parent)
    return [...(parent ? lineageOf(parent) : []), kind]
  }
  const all = kinds.map((kind) => ({ ...kind, lineage: lineageOf(kind) }))
  const words = new Map(
    all.flatMap((kind) => [kind.path.split('/').at(-1) ?? '', kind.name].map((word) => [word, kind])),
  )
  return {
    all,
    named(word) {
      const kind = words.get(findWord(word, words.keys(), 'kind'))
      if (kind === undefined) throw new UsageError(`There is no kind ${word}.`)
      return kind
    },
  }
}

/** The names of the objects around one and its own, outermost first, without those of single objects. */
export type NamePath = readonly string[]

/**
 * The names in `shop/web1`. Only the last one may have slashes.
 *
 * @throws UsageError when there are too few
 */
export function namesIn(kind: PlacedKind, text: string): NamePath {
  const around = namedAround(kind)
  const names = text === '' ? [] : text.split('/')
  const own = names.slice(around.length).join('/')
  if (kind.identifiedBy === undefined) {
    if (text === '' || text === kind.title) return []
    throw new UsageError(`There is one ${kind.name}: leave ${text} out.`)
  }
  if (own === '') {
    throw new UsageError(`A ${kind.name} is named ${nameForm(kind)}, not ${text || 'with nothing'}.`)
  }
  return [...names.slice(0, around.length), own]
}

/**
 * The names of the objects around those of a kind, in `shop` for servers.
 *
 * @throws UsageError when they are too few or too many
 */
export function namesAround(kind: PlacedKind, text: string): NamePath {
  const around = namedAround(kind)
  const names = text === '' ? [] : text.split('/')
  if (names.length === around.length) return names
  throw new UsageError(
    around.length === 0
      ? `Nothing is around a ${kind.name}: leave ${text} out.`
      : `Say which ${around.map(({ name }) => name).join('/')} holds the ${kind.name}, such as ${around.map(({ name }) => name.toUpperCase()).join('/')}.`,
  )
}

/** How an object of the kind is named: SERVICE/SERVER. */
export function nameForm(kind: PlacedKind): string {
  return kind.lineage
    .filter(({ identifiedBy }) => identifiedBy !== undefined)
    .map(({ name }) => name.toUpperCase())
    .join('/')
}

function namedAround(kind: PlacedKind): FirewallKind[] {
  return kind.lineage.slice(0, -1).filter(({ identifiedBy }) => identifiedBy !== undefined)
}

/** The address of a collection, or of an object when its own name is among the names: `services/shop/servers/web1`. */
export function addressOf(kind: PlacedKind, names: NamePath): string {
  const remainingNames = [...names]
  return kind.lineage
    .flatMap((one) => {
      const name = one.identifiedBy === undefined ? undefined : remainingNames.shift()
      return name === undefined ? [one.path] : [one.path, encodeURIComponent(name)]
    })
    .join('/')
}

/** As the firewall's configuration documents have it: with the titles of single objects. */
export function documentPath(kind: PlacedKind, names: NamePath): string[] {
  const remainingNames = [...names]
  return kind.lineage.map(({ identifiedBy, title }) =>
    identifiedBy === undefined ? title : (remainingNames.shift() ?? ''),
  )
}

/** The names in a path of a configuration document. */
export function namesOfPath(kind: PlacedKind, path: readonly string[]): NamePath {
  return path.filter((_, index) => kind.lineage[index]?.identifiedBy !== undefined)
}

/** "server shop/web1", as sentences name an object. */
export function objectTitle(kind: FirewallKind, names: NamePath): string {
  return [kind.name, names.join('/')].join(' ').trim()
}

/**
 * A section of a kind by its segment or title.
 *
 * @throws UsageError with the nearest names when there is none
 */
export function sectionOf(kind: FirewallKind, word: string): [segment: string, section: FirewallSection] {
  const entries = Object.entries(kind.sections)
  const titled = entries.find(([, { title }]) => title === word)
  if (titled) return titled
  const last = (segment: string) => segment.split('/').at(-1) ?? segment
  const name = findWord(
    word,
    entries.map(([segment]) => last(segment)),
    'section',
    ` of a ${kind.name}`,
  )
  const entry = entries.find(([segment]) => last(segment) === name)
  if (entry === undefined) throw new UsageError(`There is no section ${word}.`)
  return entry
}

/**
 * The names and the section in words: `shop basic-security`, or `dns` for the only object of a kind.
 *
 * @throws UsageError when they are too many
 */
export function placeIn(
  kind: PlacedKind,
  words: readonly string[],
): { names: readonly string[]; section: string | undefined } {
  const isNamed = kind.lineage.some(({ identifiedBy }) => identifiedBy !== undefined)
  const [name = '', section, another] = isNamed || words[0] === kind.title ? words : ['', ...words]
  if (another !== undefined) throw new UsageError(`${another} is no FIELD=VALUE.`)
  return {
    names: namesIn(kind, name),
    section: section === undefined ? undefined : sectionOf(kind, section)[0],
  }
}

/** What can be given when an object, or a section of it, is created or changed. */
export type Fields = Readonly<Record<string, FirewallField>>
