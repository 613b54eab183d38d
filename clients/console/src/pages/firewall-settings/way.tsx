import { Link } from '@tanstack/react-router'
import { type IndexedKind, inside, type Place, pathOf } from './kinds.ts'
import { texts as all } from './texts.ts'

/** A link to a list of objects, or to the settings of one. */
export function PlaceLink({ place, children }: { readonly place: Place; readonly children: string }) {
  return (
    <Link to="/firewall/settings/$" params={{ _splat: pathOf(place) }} className="link">
      {children}
    </Link>
  )
}

/** The way from all settings to a place: what is around it, outermost first. */
export function Way({ place, kinds }: { readonly place: Place; readonly kinds: readonly IndexedKind[] }) {
  return (
    <nav aria-label={all.object.all} className="way">
      <Link to="/firewall/settings" className="link">
        {all.object.all}
      </Link>
      {placesTo(place, kinds).map((one) => (
        <span key={one.address}>
          {' / '}
          <PlaceLink place={one}>
            {one.isObject ? (one.names.at(-1) ?? one.kind.title) : one.kind.path}
          </PlaceLink>
        </span>
      ))}
    </nav>
  )
}

/** The collections and objects around a place, outermost first. */
function placesTo({ kind, names, isObject }: Place, kinds: readonly IndexedKind[]): readonly Place[] {
  const lineage: IndexedKind[] = []
  for (let one: IndexedKind | undefined = kind; one !== undefined; ) {
    lineage.unshift(one)
    const { parent }: IndexedKind = one
    one = kinds.find(({ name }) => name === parent)
  }
  const left = [...names]
  const places: Place[] = []
  let around: Place | undefined
  for (const one of lineage) {
    if (one.identifiedBy !== undefined) places.push(inside(around, one))
    const name = one.identifiedBy === undefined ? undefined : left.shift()
    around = inside(around, one, name)
    if (one !== kind) places.push(around)
  }
  // The list that a list is shown for is the page itself.
  return isObject || kind.identifiedBy === undefined ? places : places.slice(0, -1)
}
