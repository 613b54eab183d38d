import { FieldSet } from './field-set.ts'
import {
  type FactoryObject,
  type Field,
  type Fields,
  hasOlderForm,
  type InEveryParent,
  type Kind,
  type Operation,
  operations,
  type ReferenceField,
} from './kind.ts'
import { oneLine } from './patterns.ts'

/** A section, ready for use. */
export interface CompiledSection {
  /** Its path segment (or segments), which also names it in the store. */
  readonly segment: string
  readonly title: string
  readonly description: string
  readonly fields: FieldSet
  readonly operations: ReadonlySet<Operation>
}

/** Fields of an object that replies show once more under a title of their own. */
export interface CompiledExcerpt {
  readonly title: string
  readonly fields: FieldSet
}

/** A kind whose objects a single object shows under a title, as a list for each member. */
export interface CompiledColumns {
  readonly title: string
  readonly kind: CompiledKind
}

/** A field that names objects of another kind. */
export interface CompiledReference {
  /** The segment of the section that holds the field; the object itself when undefined. */
  readonly section: string | undefined
  readonly fieldName: string
  readonly field: ReferenceField
  /** The kinds among whose objects the name is looked for, in this order. */
  readonly targets: readonly CompiledKind[]
  /** The fields that name the objects around the target; see the kind language. */
  readonly within: readonly string[] | undefined
}

/**
 * A kind, ready for use and tied to its relatives. Each object of a kind has a path: the names of the objects
 * around it, outermost first, and its own.
 */
export interface CompiledKind {
  readonly name: string
  readonly title: string
  /** The member `object` of replies, as JSON. */
  readonly titleMember: string
  readonly description: string
  /** The segments of its address after the parent's. */
  readonly segments: readonly string[]
  /** The segments of further addresses of the same objects. */
  readonly segmentsElsewhere: readonly (readonly string[])[]
  /** The kinds around it, outermost first, and itself: as many as its objects' paths have names. */
  readonly lineage: readonly CompiledKind[]
  /** The field that holds the object's name; none when there is a single object, whose name is the title. */
  readonly identifiedBy: string | undefined
  readonly fields: FieldSet
  readonly sections: readonly CompiledSection[]
  readonly references: readonly CompiledReference[]
  /** Who may name this kind's objects, or what lies inside them: kinds with those of their references. */
  readonly referrers: ReadonlyMap<CompiledKind, readonly CompiledReference[]>
  /** The kinds among whose objects some reference looks for a name as well: no two of all of them may have one name. */
  readonly namesakes: ReadonlySet<CompiledKind>
  readonly operations: ReadonlySet<Operation>
  /** The kinds whose objects lie inside this one's. */
  readonly children: readonly CompiledKind[]
  readonly shownInParent: boolean
  readonly shownFlat: boolean
  readonly factory: readonly FactoryObject[]
  readonly inEveryParent: readonly InEveryParent[]
  readonly emptyGroups: readonly string[]
  readonly operational: boolean
  readonly excerpts: readonly CompiledExcerpt[]
  readonly columns: readonly CompiledColumns[]
  /** What versions before v3.2 show beside the other excerpts. */
  readonly olderExcerpts: readonly CompiledExcerpt[]
  /** Whether versions before v3.2 are shown something of it, or of its sections, in another form. */
  readonly hasOlderForm: boolean
}

/** The kinds of a catalogue, by name. */
export type CompiledCatalogue = ReadonlyMap<string, CompiledKind>

interface KindInTheMaking extends CompiledKind {
  readonly lineage: CompiledKind[]
  readonly children: CompiledKind[]
  readonly columns: CompiledColumns[]
  readonly references: CompiledReference[]
  readonly referrers: Map<CompiledKind, CompiledReference[]>
  readonly namesakes: Set<CompiledKind>
}

/**
 * Ties kinds together.
 *
 * @throws Error when the catalogue contradicts itself: a name used twice, a parent or a referred kind that is
 *   not there, a default that its field would refuse
 */
export function compileCatalogue(kinds: readonly Kind[]): CompiledCatalogue {
  const compiled = new Map<string, KindInTheMaking>()
  for (const kind of kinds) {
    if (compiled.has(kind.name)) throw new Error(`two kinds are called ${kind.name}`)
    compiled.set(kind.name, compileAlone(kind))
  }
  const kindNamed = (name: string, by: Kind) => {
    const compiledKind = compiled.get(name)
    if (!compiledKind) throw new Error(`${by.name} names the kind ${name}, which is not in the catalogue`)
    return compiledKind
  }
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const lineageOf = (kind: Kind): CompiledKind[] => {
    const parent = kind.parent === undefined ? undefined : byName.get(kind.parent)
    return [...(parent ? lineageOf(parent) : []), kindNamed(kind.name, kind)]
  }
  for (const kind of kinds) {
    const self = kindNamed(kind.name, kind)
    if (kind.parent !== undefined) kindNamed(kind.parent, kind).children.push(self)
    self.lineage.push(...lineageOf(kind))
    for (const [title, name] of Object.entries(kind.columns ?? {})) {
      self.columns.push({ title, kind: kindNamed(name, kind) })
    }
    self.references.push(
      ...referencesIn(kind).map((one) => ({
        ...one,
        within: one.field.within,
        targets: [one.field.to].flat().map((name) => kindNamed(name, kind)),
      })),
    )
  }
  for (const kind of compiled.values()) {
    for (const referencedKind of compiled.values()) {
      const references = kind.references.filter(({ targets }) =>
        targets.some(({ lineage }) => lineage.includes(referencedKind)),
      )
      if (references.length > 0) referencedKind.referrers.set(kind, references)
      for (const one of references.flatMap(({ targets }) =>
        targets.includes(referencedKind) ? targets : [],
      )) {
        if (one !== referencedKind) referencedKind.namesakes.add(one)
      }
    }
  }
  return compiled
}

function compileAlone(kind: Kind): KindInTheMaking {
  const { name, title, description, identifiedBy, sections = {}, factory = [] } = kind
  const wrapper = kind.wrappedInOlderVersions
  const isSingle = identifiedBy === undefined
  if (!isSingle) checkIdentifier(name, identifiedBy, kind.fields[identifiedBy])
  if (isSingle && kind.parent !== undefined) throw new Error(`${name} lies in a parent but has no name`)
  return {
    name,
    title,
    titleMember: `"object":${JSON.stringify(title)}`,
    description,
    segments: kind.path.split('/'),
    segmentsElsewhere: (kind.alsoAt ?? []).map((path) => path.split('/')),
    lineage: [],
    identifiedBy,
    fields: new FieldSet(withNameOnOneLine(kind), name),
    sections: Object.entries(sections).map(([segment, section]) => ({
      ...section,
      segment,
      fields: new FieldSet(section.fields, `${name}/${segment}`),
      operations: new Set(section.operations ?? readAndUpdate),
    })),
    references: [],
    referrers: new Map(),
    namesakes: new Set(),
    operations: new Set(kind.operations ?? (isSingle ? readAndUpdate : operations)),
    children: [],
    shownInParent: kind.shownInParent ?? false,
    shownFlat: kind.shownFlat ?? false,
    factory: isSingle ? [{ ...factory[0], path: [title] }] : factory,
    inEveryParent: kind.inEveryParent ?? [],
    emptyGroups: kind.emptyGroups ?? [],
    operational: kind.operational ?? false,
    excerpts: Object.entries(kind.excerpts ?? {}).map(([excerptTitle, names]) => ({
      title: excerptTitle,
      fields: new FieldSet(fieldsNamed(kind, names), `${name}/${excerptTitle}`),
    })),
    columns: [],
    olderExcerpts: wrapper === undefined ? [] : [{ title: wrapper, fields: new FieldSet(kind.fields, name) }],
    hasOlderForm:
      wrapper !== undefined ||
      [kind.fields, ...Object.values(sections).map(({ fields }) => fields)].some((fields) =>
        Object.values(fields).some(hasOlderForm),
      ),
  }
}

function fieldsNamed({ name, fields }: Kind, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.map((fieldName) => {
      const field = fields[fieldName]
      if (!field) throw new Error(`${name} shows ${fieldName} once more, but has no such field`)
      return [fieldName, field]
    }),
  )
}

const readAndUpdate: readonly Operation[] = ['read', 'update']

/** Names stand in addresses and in sentences, so they have no line ends, whatever else their pattern allows. */
function withNameOnOneLine({ fields, identifiedBy }: Kind): Fields {
  const field = identifiedBy === undefined ? undefined : fields[identifiedBy]
  if (identifiedBy === undefined || field?.type !== 'string' || field.pattern) return fields
  return { ...fields, [identifiedBy]: { ...field, pattern: oneLine } }
}

/** Three names of this length, with all that JSON adds, fit into a key of PostgreSQL's B-trees (2704 bytes). */
const nameLengthMax = 255

function checkIdentifier(kindName: string, fieldName: string, field: Field | undefined): void {
  if (!field) throw new Error(`${kindName} has no field ${fieldName}`)
  if (field.type === 'string' && (field.lengthMax ?? Number.POSITIVE_INFINITY) > nameLengthMax) {
    throw new Error(
      `${kindName}.${fieldName} names objects, so it needs a lengthMax of at most ${nameLengthMax}`,
    )
  }
}

function referencesIn({ fields, sections = {} }: Kind) {
  const references = (section: string | undefined, ofPart: Fields) =>
    Object.entries(ofPart).flatMap(([fieldName, field]) => {
      const reference = field.type === 'list' ? field.of : field
      if (reference.type !== 'reference') return []
      return [{ section, fieldName, field: reference }]
    })
  return [
    ...references(undefined, fields),
    ...Object.entries(sections).flatMap(([segment, section]) => references(segment, section.fields)),
  ]
}
