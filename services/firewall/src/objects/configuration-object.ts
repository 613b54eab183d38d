import type {
  CompiledColumns,
  CompiledExcerpt,
  CompiledKind,
  CompiledSection,
} from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { isShown } from '../kinds/kind.ts'
import { olderShownValue, shownValue, type Values } from '../kinds/values.ts'
import { type Collections, textByName } from './collection.ts'
import { type Content, valuesOf } from './content.ts'

/** Which parts of an object a reply shows. */
export interface View {
  /** Whether the plain members are shown. */
  readonly ownMembers: boolean
  readonly sections: readonly CompiledSection[]
  readonly excerpts: readonly CompiledExcerpt[]
  /** The kinds whose objects are shown inside. */
  readonly children: readonly CompiledKind[]
  /** The kinds whose objects are shown as columns; {@link ConfigurationObject.textOf} leaves them to whoever knows these objects. */
  readonly columns: readonly CompiledColumns[]
  /** The fields that are shown, and no other member; everything when undefined. */
  readonly fields?: ReadonlySet<string>
  /** Whether values are shown as versions before v3.2 have them. */
  readonly isOlder?: boolean
}

/** Of a view, which members are shown and in which form. */
export type MembersView = Pick<View, 'fields' | 'isOlder'>

const ownMembersOnly = {
  ownMembers: true,
  sections: [],
  excerpts: [],
  children: [],
  columns: [],
} satisfies View

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

  constructor(given: {
    kind: CompiledKind
    path: readonly string[]
    content: Content
    children: Collections
    version: number
  }) {
    this.kind = given.kind
    this.path = given.path
    this.content = given.content
    this.children = given.children
    this.version = given.version
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

/** Everything that an object shows when it is not asked for certain parts. */
export function wholeView(kind: CompiledKind, isOlder = false): View {
  const { sections, children, columns } = kind
  const excerpts = isOlder ? [...kind.excerpts, ...kind.olderExcerpts] : kind.excerpts
  const shownChildren = children.filter(({ shownInParent }) => shownInParent)
  return { ownMembers: true, sections, excerpts, children: shownChildren, columns, isOlder }
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
