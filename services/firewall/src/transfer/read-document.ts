import { administratorKind } from '../changes/author.ts'
import {
  type Body,
  isMembers,
  membersOf,
  mergeMembers,
  readMembers,
  type UnknownMembers,
  withoutTransient,
} from '../changes/members.ts'
import { fieldsOf } from '../changes/problems.ts'
import type { CompiledCatalogue, CompiledKind } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { sameValue, type Value, type Values } from '../kinds/values.ts'
import { type Content, completeContent, valuesOf } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import {
  boundTo,
  type DocumentSeal,
  documentFormat,
  documentFormatVersion,
  guardsOf,
  isSealedInDocuments,
  type MemberPlace,
} from './document.ts'
import { objectTitle } from './names.ts'
import { TimeSlices } from './time-slices.ts'

/** An object as a document states it. */
export interface StatedObject {
  readonly kind: CompiledKind
  readonly path: readonly string[]
  readonly content: Content
  /** Whether a sealed member of it was opened: this system, or whoever has the key, once made the object. */
  readonly isVouchedFor: boolean
  /** The members that hold a secret in plain text. */
  readonly plainSecrets: readonly string[]
}

/** What a document says, and what is wrong with it. */
export interface ReadDocument {
  readonly scope: 'full' | 'partial'
  readonly objects: readonly StatedObject[]
  /** What a partial document says is gone. */
  readonly removed: readonly Pick<StatedObject, 'kind' | 'path'>[]
  /** Whole sentences. */
  readonly problems: readonly string[]
  /** Sealed members that could not be opened, as sentences name them; they hold what the configuration has now. */
  readonly unopened: readonly string[]
}

/** What a document is read with. */
export interface DocumentReader {
  readonly catalogue: CompiledCatalogue
  readonly seal: DocumentSeal
  readonly unknownMembers: UnknownMembers
}

/** How many faults are looked for before a document is given up. */
const problemsMax = 1000

/**
 * Reads a document of any origin.
 *
 * @param now the configuration whose values stand in for sealed members that cannot be opened
 */
export async function readDocument(
  value: unknown,
  reader: DocumentReader,
  now: Snapshot,
): Promise<ReadDocument> {
  const problems: string[] = problemsOfHead(value)
  const document = membersOf(value)
  const scope = document.scope === 'partial' ? 'partial' : 'full'
  if (problems.length > 0) return { scope, objects: [], removed: [], problems, unopened: [] }

  const slices = new TimeSlices()
  const unopened: string[] = []
  const objects: StatedObject[] = []
  const names = new Set<string>()
  for (const [kindName, kind, entry] of entriesOf(document.objects, 'objects', reader.catalogue, problems)) {
    if (problems.length > problemsMax) break
    const { path, members = {}, sections = {} } = membersOf(entry)
    if (!isPathOf(kind, path) || !isMembers(members) || !isMembers(sections)) {
      problems.push(
        `Each entry of objects.${kindName} must be an object with path (${kind.lineage.length} texts), members and sections.`,
      )
      continue
    }
    const key = JSON.stringify([kindName, path])
    if (names.has(key)) problems.push(`The document has the ${objectTitle(kind, path)} twice.`)
    names.add(key)
    const stated = new StatedParts(reader, kind, path, now)
    const content = stated.content(members, sections)
    const { isVouchedFor, plainSecrets } = stated
    objects.push({ kind, path, content, isVouchedFor, plainSecrets })
    problems.push(...stated.problems)
    unopened.push(...stated.unopened)
    await slices.pause()
  }
  const removed = [...entriesOf(document.removed ?? {}, 'removed', reader.catalogue, problems)].flatMap(
    ([kindName, kind, path]) => {
      if (isPathOf(kind, path)) return [{ kind, path }]
      problems.push(`Each entry of removed.${kindName} must be a list of ${kind.lineage.length} names.`)
      return []
    },
  )
  return { scope, objects, removed, problems, unopened }
}

function problemsOfHead(value: unknown): string[] {
  if (!isMembers(value) || value.format !== documentFormat) {
    return [
      `The document must be a JSON object whose member format is "${documentFormat}", or whose member config is a list of operations.`,
    ]
  }
  const { 'format-version': version, scope, objects, removed } = value
  if (version !== documentFormatVersion) {
    return [`The member format-version must be ${documentFormatVersion}: this system reads no other.`]
  }
  return [
    ...(scope === 'full' || scope === 'partial' ? [] : ['The member scope must be "full" or "partial".']),
    ...(isMembers(objects) ? [] : ['The member objects must be an object with a list for each kind.']),
    ...(removed === undefined || (isMembers(removed) && scope === 'partial')
      ? []
      : [
          'The member removed must be an object with a list for each kind, and has a meaning in partial documents only.',
        ]),
  ]
}

/** The entries by kind; those of kinds that are not there, or not to be imported, are problems. */
function* entriesOf(
  value: unknown,
  member: string,
  catalogue: CompiledCatalogue,
  problems: string[],
): Generator<[kindName: string, kind: CompiledKind, entry: unknown]> {
  for (const [kindName, entries] of Object.entries(membersOf(value))) {
    const kind = catalogue.get(kindName)
    if (kindName === administratorKind) {
      problems.push('Administrators are not imported: create them, or change them, one by one.')
    } else if (!kind) {
      problems.push(
        `The member ${member} names the kind ${JSON.stringify(kindName.slice(0, 64))}, which there is not.`,
      )
    } else if (!Array.isArray(entries)) {
      problems.push(`The member ${member}.${kindName} must be a list.`)
    } else {
      for (const entry of entries) yield [kindName, kind, entry]
    }
  }
}

/** Reads the parts of one object. */
class StatedParts {
  readonly problems: string[] = []
  readonly unopened: string[] = []
  readonly plainSecrets: string[] = []
  isVouchedFor = false
  readonly #reader: DocumentReader
  readonly #kind: CompiledKind
  readonly #path: readonly string[]
  readonly #now: Snapshot

  constructor(reader: DocumentReader, kind: CompiledKind, path: readonly string[], now: Snapshot) {
    this.#reader = reader
    this.#kind = kind
    this.#path = path
    this.#now = now
  }

  content(members: Body, sections: Body): Content {
    const stated = Object.entries(sections).flatMap(([segment, members]) => {
      const section = this.#kind.sections.find((one) => one.segment === segment)
      if (section && isMembers(members))
        return [[segment, this.#values(section.fields, members, segment)] as const]
      this.#tell(`there is no section ${JSON.stringify(segment.slice(0, 64))}, or it is no object.`)
      return []
    })
    const values = this.#values(this.#kind.fields, members, undefined)
    return completeContent(this.#kind, { values, sections: Object.fromEntries(stated) })
  }

  #values(fields: FieldSet, members: Body, section: string | undefined): Values {
    const sealed = new Map(
      Object.entries(members).filter(([name, value]) => this.#isSealed(fields, name, value)),
    )
    const emptied = Object.keys(members).filter((name) => members[name] === null)
    const plain = Object.entries(members).filter(([name, value]) => !sealed.has(name) && value !== null)
    const input = readMembers(
      fields,
      this.#kind.sections.find(({ segment }) => segment === section)?.title ?? this.#kind.title,
      Object.fromEntries(plain),
      this.#reader.unknownMembers,
    )
    for (const { sentence } of input.problems) this.#tell(sentence)
    const after: Record<string, Value> = { ...mergeMembers(fields.defaults, input, fields) }
    for (const name of emptied) delete after[name]
    for (const { name, field } of fields) {
      if (field.readOnly && input.values.has(name) && name !== this.#kind.identifiedBy) {
        this.#tell(`The member ${name} is read-only.`)
      }
    }
    this.plainSecrets.push(...fields.secretNames.filter((name) => input.values.get(name) !== undefined))
    const beside = section === undefined ? this.#named(after) : after
    const secrets: Record<string, Value | undefined> = {}
    for (const [name, text] of sealed) {
      const place = { kind: this.#kind, path: this.#path, section, member: name }
      secrets[name] = this.#opened(String(text), place, beside)
    }
    const opened = Object.entries({ ...beside, ...secrets }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    return withoutTransient(Object.fromEntries(opened), fields)
  }

  #isSealed(fields: FieldSet, name: string, value: unknown): boolean {
    if (typeof value !== 'string' || !this.#reader.seal.isSealed(value)) return false
    return Array.from(fields).some((one) => one.name === name && isSealedInDocuments(one.field))
  }

  /**
   * The value that was sealed, or else the one that the object has now, unless the members that protect it say otherwise.
   *
   * @param beside the values of the other members
   */
  #opened(text: string, place: MemberPlace, beside: Values): Value | undefined {
    try {
      const opened = this.#reader.seal.open(text, boundTo(place, beside))
      this.isVouchedFor = true
      return JSON.parse(opened)
    } catch {
      // Sealed by another installation, or for another member: the caller decides what becomes of the document.
      this.unopened.push(`${place.member} of the ${objectTitle(this.#kind, this.#path)}`)
      const content = this.#now.object(this.#kind, this.#path)?.content
      const now = content && valuesOf(content, place.section)
      return now && this.#isGuardedAlike(place, now, beside) ? now[place.member] : undefined
    }
  }

  #isGuardedAlike({ section, member }: MemberPlace, now: Values, stated: Values): boolean {
    if (now[member] === undefined) return true
    const changed = guardsOf(fieldsOf(this.#kind, section), member).filter(
      (name) => !sameValue(now[name], stated[name]),
    )
    for (const name of changed) {
      this.#tell(
        `the member ${name} cannot be changed while the sealed ${member} stays: give ${member} in plain text.`,
      )
    }
    return changed.length === 0
  }

  /** The values with the name that the path gives the object. */
  #named(values: Values): Values {
    const { identifiedBy, fields } = this.#kind
    const name = this.#path.at(-1) ?? ''
    if (identifiedBy === undefined) return values
    const ownName = values[identifiedBy]
    if (ownName !== undefined && String(ownName) !== name) {
      this.#tell(`The member ${identifiedBy} must be the last name of the path, or left out.`)
    }
    const field = fields.find(identifiedBy)?.field
    if (field?.readOnly) return { ...values, [identifiedBy]: name }
    const read = readMembers(fields, this.#kind.title, { [identifiedBy]: name })
    for (const { sentence } of read.problems) this.#tell(sentence)
    return { ...values, [identifiedBy]: read.values.get(identifiedBy) ?? name }
  }

  #tell(sentence: string): void {
    this.problems.push(`The ${objectTitle(this.#kind, this.#path)}: ${sentence}`)
  }
}

function isPathOf(kind: CompiledKind, path: unknown): path is readonly string[] {
  return (
    Array.isArray(path) &&
    path.length === kind.lineage.length &&
    path.every((name) => typeof name === 'string' && name !== '' && name.length <= pathNameLengthMax) &&
    (kind.identifiedBy !== undefined || path[0] === kind.title)
  )
}

/** As long as the names of objects may be at all. */
const pathNameLengthMax = 255
