import type { CompiledKind, CompiledSection } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { isShown } from '../kinds/kind.ts'
import { olderShownValue, shownValue, type Values } from '../kinds/values.ts'
import { type Content, valuesOf } from './content.ts'
import { SortedByText } from './sorted-by-text.ts'
import { textByName } from './text-by-name.ts'
import { type MembersView, ownMembersOnly, type View, wholeView } from './view.ts'

/** One object at one moment. Never changed: a change makes another one. */
export class ConfigurationObject {
  readonly kind: CompiledKind
  /** The names of the objects around it, outermost first, and its own. */
  readonly path: readonly string[]
  readonly content: Content
  readonly children: Collections
  /** The version of the configuration that brought this content; 0 for the factory's. */
  readonly version: number
  #text: string | undefined

  constructor(members: {
    kind: CompiledKind
    path: readonly string[]
    content: Content
    children: Collections
    version: number
  }) {
    this.kind = members.kind
    this.path = members.path
    this.content = members.content
    this.children = members.children
    this.version = members.version
  }

  get name(): string {
    return this.path.at(-1) ?? ''
  }

  /** The object as replies show it when nothing was left out, as JSON. Made once. */
  get text(): string {
    this.#text ??= this.textOf(wholeView(this.kind))
    return this.#text
  }

  /** The parts of the object that the view shows, as JSON. */
  textOf(view: View): string {
    const members: string[] = []
    if (view.ownMembers) {
      if (view.fields === undefined) members.push(this.kind.titleMember)
      members.push(...shownMembers(this.kind.fields, this.content.values, view))
      if (view.fields === undefined) members.push(...this.#counts())
    }
    for (const section of view.sections) {
      members.push(`${JSON.stringify(section.title)}:${this.sectionText(section, view)}`)
    }
    for (const { title, fields } of view.excerpts) {
      const shown = shownMembers(fields, this.content.values, view).join(',')
      members.push(`${JSON.stringify(title)}:{${shown}}`)
    }
    const { fields } = view
    const textOfInner =
      fields && ((inner: ConfigurationObject) => inner.textOf({ ...ownMembersOnly, fields }))
    for (const child of view.children) members.push(this.listText(child, textOfInner))
    return `{${members.join(',')}}`
  }

  /**
   * The objects of one kind inside this one, as a JSON member.
   *
   * @param textOf what is shown of each, as JSON; everything when left out
   */
  listText(kind: CompiledKind, textOf?: (object: ConfigurationObject) => string): string {
    const collection = this.children.get(kind)
    const data = collection && (textOf ? textByName([...collection], textOf) : collection.text)
    return `${JSON.stringify(kind.title)}:${data === undefined ? '{}' : `{${kind.titleMember},"data":${data}}`}`
  }

  /** How many objects there are of the kinds that are shown inside: the only members that are numbers. */
  #counts(): string[] {
    return this.kind.children
      .filter(({ shownInParent }) => shownInParent)
      .map((child) => `${JSON.stringify(`${child.title} count`)}:${this.children.get(child)?.size ?? 0}`)
  }

  /** One section, as JSON. */
  sectionText({ segment, fields }: CompiledSection, view: MembersView = {}): string {
    return `{${shownMembers(fields, valuesOf(this.content, segment), view).join(',')}}`
  }
}

/** The object and every object inside it, those around others first. */
export function* subtree(object: ConfigurationObject): Generator<ConfigurationObject> {
  yield object
  for (const collection of object.children.values()) for (const child of collection) yield* subtree(child)
}

/** The objects of several kinds that lie in one place. A kind without objects is left out. */
export type Collections = ReadonlyMap<CompiledKind, Collection>

/** What objects are looked up by beside their names: a text without a NUL; undefined for those that are not looked up. */
export type LookupKey = (object: ConfigurationObject) => string | undefined

/** All objects of one kind in one place, by name. Never changed, and never empty. */
export class Collection implements Iterable<ConfigurationObject> {
  readonly #objects: SortedByText<ConfigurationObject>
  /** Filled when it is first asked for, and kept up to date from then on. */
  readonly #namesByKey: Map<LookupKey, SortedByText<string>>
  #text: string | undefined
  #lastReply: { readonly head: string; readonly tail: string; readonly bytes: Buffer } | undefined

  private constructor(
    objects: SortedByText<ConfigurationObject>,
    namesByKey: Map<LookupKey, SortedByText<string>>,
  ) {
    this.#objects = objects
    this.#namesByKey = namesByKey
  }

  /** Objects in the order of their names. */
  static of(objects: Iterable<ConfigurationObject>): Collection {
    return new Collection(SortedByText.of(Iterator.from(objects).map((one) => [one.name, one])), new Map())
  }

  /** With other objects of some names, or none; undefined when nothing is left. */
  with(changes: ReadonlyMap<string, ConfigurationObject | undefined>): Collection | undefined {
    const objects = this.#objects.with(changes)
    if (objects.size === 0) return undefined
    const namesByKey = [...this.#namesByKey].map(([key, names]) => {
      const before = [...changes.keys()].flatMap((name) => entriesOf(this.#objects.get(name), key))
      const after = [...changes.values()].flatMap((object) => entriesOf(object, key))
      return [key, names.with(before.map(([entry]) => [entry, undefined])).with(after)] as const
    })
    return new Collection(objects, new Map(namesByKey))
  }

  /** The name of an object that has the key, if one has. The function that tells an object's key is the same at each call. */
  nameByKey(keyOf: LookupKey, key: string): string | undefined {
    let names = this.#namesByKey.get(keyOf)
    if (names === undefined) {
      names = SortedByText.of([...this].flatMap((object) => entriesOf(object, keyOf)))
      this.#namesByKey.set(keyOf, names)
    }
    const [entry, name] = names.firstFrom(`${key}\0`) ?? []
    return entry?.startsWith(`${key}\0`) ? name : undefined
  }

  get size(): number {
    return this.#objects.size
  }

  get(name: string): ConfigurationObject | undefined {
    return this.#objects.get(name)
  }

  [Symbol.iterator](): Iterator<ConfigurationObject> {
    return this.#objects[Symbol.iterator]()
  }

  /** The objects by name as JSON. Made once, from the objects' own texts. */
  get text(): string {
    this.#text ??= textByName(this, (object) => object.text)
    return this.#text
  }

  /**
   * A reply that lists the whole collection. The last one is kept: whoever asks again with the same token is
   * sent the same bytes, which then cost no more than sending them.
   *
   * @param head the JSON before the objects
   * @param tail the JSON after them
   */
  replyBetween(head: string, tail: string): Buffer {
    const last = this.#lastReply
    if (last !== undefined && last.head === head && last.tail === tail) return last.bytes
    const bytes = Buffer.from(head + this.text + tail)
    this.#lastReply = { head, tail, bytes }
    return bytes
  }
}

function entriesOf(
  object: ConfigurationObject | undefined,
  keyOf: LookupKey,
): [entry: string, name: string][] {
  const key = object && keyOf(object)
  return key === undefined ? [] : [[`${key}\0${object?.name}`, object?.name ?? '']]
}

function shownMembers(fields: FieldSet, values: Values, { fields: shown, isOlder }: MembersView): string[] {
  const members: string[] = []
  const shownAs = isOlder ? olderShownValue : shownValue
  for (const { name, field } of fields) {
    if (!isShown(field) || shown?.has(name) === false) continue
    members.push(`${JSON.stringify(name)}:${JSON.stringify(shownAs(field, values[name]))}`)
  }
  return members
}
