import type {
  CompiledColumns,
  CompiledExcerpt,
  CompiledKind,
  CompiledSection,
} from '../kinds/compiled-kind.ts'

/** Which parts of an object a reply shows. */
export interface View {
  /** Whether the plain members are shown. */
  readonly ownMembers: boolean
  readonly sections: readonly CompiledSection[]
  readonly excerpts: readonly CompiledExcerpt[]
  /** The kinds whose objects are shown inside. */
  readonly children: readonly CompiledKind[]
  /** The kinds whose objects are shown as columns; `ConfigurationObject.textOf` leaves them to whoever knows these objects. */
  readonly columns: readonly CompiledColumns[]
  /** The fields that are shown, and no other member; everything when undefined. */
  readonly fields?: ReadonlySet<string>
  /** Whether values are shown as versions before v3.2 have them. */
  readonly isOlder?: boolean
}

/** Of a view, which members are shown and in which form. */
export type MembersView = Pick<View, 'fields' | 'isOlder'>

/** Shows the object's own members, without sections, excerpts, children and columns. */
export const ownMembersOnly = {
  ownMembers: true,
  sections: [],
  excerpts: [],
  children: [],
  columns: [],
} satisfies View

/** Everything that an object shows when it is not asked for certain parts. */
export function wholeView(kind: CompiledKind, isOlder = false): View {
  const { sections, children, columns } = kind
  const excerpts = isOlder ? [...kind.excerpts, ...kind.olderExcerpts] : kind.excerpts
  const shownChildren = children.filter(({ shownInParent }) => shownInParent)
  return { ownMembers: true, sections, excerpts, children: shownChildren, columns, isOlder }
}
