import { RequestRefused } from '@palisade/platform'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { isShown } from '../kinds/kind.ts'
import type { View } from '../objects/view.ts'

/** A query as the HTTP edge reads it: a parameter that is repeated has a list. */
export type Query = Readonly<Record<string, unknown>>

/** Which of a collection's objects are shown. */
export interface Page {
  readonly offset: number
  /** Everything from the offset on when undefined. */
  readonly limit: number | undefined
}

/** The older name of the parameter is still sent. */
const olderNames: Readonly<Record<string, string>> = { fields: 'parameters' }

/**
 * Which parts of an object a query asks for with `groups` (titles of sections, of kinds inside, and of the object
 * itself for its plain members) and `parameters` (names of fields), each comma-joined or repeated.
 *
 * @returns undefined when it asks for no part, which means everything
 * @throws RequestRefused bad-request, naming what is not there
 */
export function readView(kind: CompiledKind, query: Query): View | undefined {
  const groups = listIn(query, 'groups')
  const parameters = listIn(query, 'parameters')
  if (groups === undefined && parameters === undefined) return undefined
  const view =
    groups === undefined
      ? { ...nothing, ownMembers: true }
      : withoutRepetitions(groups).reduce(withGroup(kind), nothing)
  if (parameters === undefined) return view
  const parts = [
    ...(view.ownMembers ? [kind] : []),
    ...view.sections,
    ...view.excerpts,
    ...view.children,
    ...view.columns.map((columns) => columns.kind),
  ]
  const fieldSets = parts.map(({ fields }) => fields)
  return { ...view, fields: new Set(parameters.map((name) => fieldIn(fieldSets, name))) }
}

/**
 * Which of these fields a query asks for with `parameters`.
 *
 * @returns undefined when it asks for none, which means all
 * @throws RequestRefused bad-request, naming what is not among them
 */
export function readFields(fieldSets: readonly FieldSet[], query: Query): ReadonlySet<string> | undefined {
  const parameters = listIn(query, 'parameters')
  return parameters && new Set(parameters.map((name) => fieldIn(fieldSets, name)))
}

/** Whether there is no parameter at all, which is what most clients ask with. */
export function asksForNothing(query: Query): boolean {
  for (const _name in query) return false
  return true
}

/**
 * Which objects of a list a query asks for with `limit` and `offset`.
 *
 * @throws RequestRefused bad-request when one is no number
 */
export function readPage(query: Query): Page {
  return { offset: numberIn(query, 'offset', 0) ?? 0, limit: numberIn(query, 'limit', 1) }
}

/**
 * Whether a query asks how objects fare, in the place of how they are configured.
 *
 * @throws RequestRefused bad-request when it asks for another category
 */
export function isOperational(query: Query): boolean {
  const [category, ...others] = listIn(query, 'category') ?? []
  if (category === undefined) return false
  if (category.toLowerCase() === 'operational' && others.length === 0) return true
  throw badParameter('category', 'The parameter category must be operational, or be left out.')
}

/** Of which parts of an object the operational state is shown. */
export interface OperationalView {
  readonly ownMembers: boolean
  /** The kinds of objects inside. */
  readonly children: readonly CompiledKind[]
}

/**
 * Of which parts of an object a query with `category=operational` asks for the state, by `groups`: the object itself when there is
 * none.
 *
 * @throws RequestRefused bad-request, naming a group that has no operational state
 */
export function readOperationalView(kind: CompiledKind, query: Query): OperationalView {
  const groups = listIn(query, 'groups')
  if (groups === undefined) return { ownMembers: true, children: [] }
  const withState = [kind, ...kind.children.filter(({ operational }) => operational)]
  const parts = withoutRepetitions(groups).map((group) => {
    const part = withState.find(({ title }) => title.toLowerCase() === group.toLowerCase())
    if (part) return part
    const expected = withState.map(({ title }) => title).join(', ')
    const name = JSON.stringify(group)
    throw badParameter(
      'groups',
      `The parameter groups names ${name}, which has no operational state; expected: ${expected}.`,
    )
  })
  return { ownMembers: parts.includes(kind), children: parts.filter((part) => part !== kind) }
}

/**
 * Refuses parameters that would change nothing here, since their sender expects that they do.
 *
 * @param advice what else is said of one that is refused: a sentence
 * @throws RequestRefused bad-request, naming the parameter
 */
export function refuseOtherParameters(
  query: Query,
  names: readonly string[],
  advice: (name: string) => string = () => '',
): void {
  const other = Object.keys(query).find((name) => !names.includes(olderNames[name] ?? name))
  if (other === undefined) return
  const expected = names.length === 0 ? 'none' : names.join(', ')
  const more = advice(other)
  throw badParameter(
    other,
    `The parameter ${other} has no meaning here; expected: ${expected}.${more === '' ? '' : ` ${more}`}`,
  )
}

const nothing: View = { ownMembers: false, sections: [], excerpts: [], children: [], columns: [] }

/** Titles are the same in any case, and what is asked for twice is shown once. */
function withoutRepetitions(titles: readonly string[]): string[] {
  return [...new Map(titles.map((title) => [title.toLowerCase(), title])).values()]
}

function withGroup(kind: CompiledKind) {
  return (view: View, group: string): View => {
    const isNamed = ({ title }: { title: string }) => title.toLowerCase() === group.toLowerCase()
    if (isNamed(kind)) return { ...view, ownMembers: true }
    const section = kind.sections.find(isNamed)
    if (section) return { ...view, sections: [...view.sections, section] }
    const excerpt = kind.excerpts.find(isNamed)
    if (excerpt) return { ...view, excerpts: [...view.excerpts, excerpt] }
    const columns = kind.columns.find(isNamed)
    if (columns) return { ...view, columns: [...view.columns, columns] }
    const child = kind.children.find(isNamed)
    if (child) return { ...view, children: [...view.children, child] }
    if (kind.emptyGroups.some((title) => title.toLowerCase() === group.toLowerCase())) return view
    const groups = [kind, ...kind.sections, ...kind.excerpts, ...kind.children, ...kind.columns]
      .map(({ title }) => title)
      .join(', ')
    throw badParameter('groups', `The parameter groups names ${JSON.stringify(group)}; expected: ${groups}.`)
  }
}

function fieldIn(fieldSets: readonly FieldSet[], parameter: string): string {
  for (const fields of fieldSets) {
    const match = fields.find(parameter)
    if (match && isShown(match.field)) return match.name
  }
  throw badParameter(
    'parameters',
    `The parameter parameters names ${JSON.stringify(parameter)}, which is no member.`,
  )
}

function listIn(query: Query, name: string): string[] | undefined {
  const pairs = Object.entries(query).filter(([key]) => (olderNames[key] ?? key) === name)
  const items = pairs
    .flatMap(([, value]) => value)
    .flatMap((value) => String(value).split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '')
  return items.length === 0 ? undefined : items
}

function numberIn(query: Query, name: string, min: number): number | undefined {
  const text = query[name]
  if (text === undefined) return undefined
  const number = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min) return number
  throw badParameter(name, `The parameter ${name} must be one integer of at least ${min}.`)
}

function badParameter(field: string, message: string): RequestRefused {
  return new RequestRefused('bad-request', message, { field })
}
