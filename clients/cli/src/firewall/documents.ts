import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import { UsageError } from '../connection.ts'
import {
  documentPath,
  type Fields,
  type Kinds,
  type NamePath,
  namesAround,
  namesIn,
  objectTitle,
  type PlacedKind,
  sectionOf,
} from './kinds.ts'
import { isSealed, membersOf } from './management.ts'
import { type Members, textOfFile } from './members.ts'
import { findWord } from './nearest.ts'

/*
 * Objects as people keep them in files: YAML or JSON, one document an object or a list of them, in any order.
 *
 *     kind: server            # as "palisade firewall kinds" lists them
 *     parent: shop            # the names of the objects around it, with slashes between them; left out where there are none
 *     name: web1              # left out for the only object of a kind
 *     fields:
 *       ip-address: 192.0.2.7
 *     sections:
 *       ssl-policy: { enable-https: Yes }
 *     status: { … }           # what cannot be set, for the reader; passed over
 */

/** An object that a file states. */
export interface StatedObject {
  readonly kind: PlacedKind
  readonly names: NamePath
  readonly fields: Members
  readonly sections: Readonly<Record<string, Members>>
}

/** An object as it is written. */
export interface ObjectDocument {
  readonly kind: string
  readonly parent?: string
  readonly name?: string
  readonly fields: Members
  readonly sections?: Readonly<Record<string, Members>>
  readonly status?: Members
}

/** An object with its names told. Empty parts are left out. */
export function documentOf(
  { kind, names, fields, sections }: StatedObject,
  status: Members = {},
): ObjectDocument {
  const around = kind.identifiedBy === undefined ? names : names.slice(0, -1)
  const name = kind.identifiedBy === undefined ? undefined : names.at(-1)
  const sectionsWithMembers = Object.entries(sections).filter(
    ([, members]) => Object.keys(members).length > 0,
  )
  return {
    kind: kind.name,
    ...(around.length > 0 ? { parent: around.join('/') } : {}),
    ...(name === undefined ? {} : { name }),
    fields,
    ...(sectionsWithMembers.length > 0 ? { sections: Object.fromEntries(sectionsWithMembers) } : {}),
    ...(Object.keys(status).length > 0 ? { status } : {}),
  }
}

/**
 * The objects in files, in folders with what is below them, or in standard input for `-`.
 *
 * @throws UsageError naming the file and what is wrong in it
 */
export function readObjects(paths: readonly string[], kinds: Kinds): StatedObject[] {
  const stated = new Map<string, string>()
  return paths.flatMap(filesAt).flatMap((file) =>
    documentsIn(file).map((document, index) => {
      const where = `${file}, object ${index + 1}`
      const object = readObject(document, kinds, where)
      const name = objectTitle(object.kind, object.names)
      const before = stated.get(name)
      if (before !== undefined) throw new UsageError(`${where}: ${name} is stated in ${before} already.`)
      stated.set(name, where)
      return object
    }),
  )
}

function filesAt(path: string): string[] {
  if (path === '-') return [path]
  const facts = statSync(path, { throwIfNoEntry: false })
  if (facts === undefined) throw new UsageError(`There is no file or folder ${path}.`)
  if (!facts.isDirectory()) return [path]
  const files = documentFiles(path)
  if (files.length > 0) return files
  throw new UsageError(`The folder ${path} has no files that end in .yaml, .yml or .json.`)
}

function documentFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ya?ml|json)$/.test(name) && !/(^|\/)\./.test(name))
    .sort()
    .map((name) => join(folder, name))
}

function documentsIn(file: string): unknown[] {
  // JSON is YAML. Version 1.2 has Yes and No as the texts that fields take.
  const documents = parseAllDocuments(textOfFile(file))
  const faults = 'empty' in documents ? [] : documents.flatMap(({ errors }) => errors)
  const [fault] = faults
  if (fault) throw new UsageError(`${file} is not YAML: ${fault.message}`)
  return [...documents]
    .flatMap((document): unknown => document.toJS())
    .filter((document) => document !== null)
}

function readObject(document: unknown, kinds: Kinds, where: string): StatedObject {
  try {
    const {
      kind: kindName,
      parent = '',
      name,
      fields = {},
      sections = {},
      status: _,
      ...others
    } = membersOf(document)
    const [other] = Object.keys(others)
    if (other !== undefined) {
      throw new UsageError(`${other} is none of kind, parent, name, fields, sections and status.`)
    }
    if (typeof kindName !== 'string') throw new UsageError('the member kind is missing.')
    const kind = kinds.named(kindName)
    const around = namesAround(kind, Array.isArray(parent) ? parent.join('/') : String(parent))
    if (kind.identifiedBy !== undefined && (name === undefined || name === '')) {
      throw new UsageError(`the ${kind.name} has no name.`)
    }
    return {
      kind,
      names: kind.identifiedBy === undefined ? around : [...around, String(name)],
      fields: readMembers(fields, kind.fields, `a ${kind.name}`),
      sections: Object.fromEntries(
        Object.entries(membersOf(sections)).map(([word, members]) => {
          const [segment, section] = sectionOf(kind, word)
          return [segment, readMembers(members, section.fields, `the section ${segment}`)]
        }),
      ),
    }
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${where}: ${error.message}`) : error
  }
}

function readMembers(input: unknown, fields: Fields, what: string): Members {
  return Object.fromEntries(
    Object.entries(membersOf(input)).map(([word, value]) => [
      // What the management has made is told sealed, also where no request names it.
      isSealed(value) ? word : findWord(word, Object.keys(fields), 'field', ` of ${what}`),
      // What YAML 1.1 and habit make of words that the API knows as text.
      typeof value === 'boolean' ? yesOrNo(value, fields[word]?.values) : value,
    ]),
  )
}

function yesOrNo(value: boolean, values: readonly string[] = []): string {
  if (values.includes('On')) return value ? 'On' : 'Off'
  return value ? 'Yes' : 'No'
}

/**
 * Writes objects into a folder: a file for each object that lies in no other one, with those inside it.
 *
 * @param isReplaced whether files of objects that are not there any more are removed; else a folder with documents is refused
 * @returns the number of files
 * @throws UsageError when there are documents and they are not to be replaced
 */
export function writeObjects(
  folder: string,
  objects: readonly StatedObject[],
  kinds: Kinds,
  isReplaced: boolean,
): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const present = exportedFiles(folder, kinds)
  if (present.length > 0 && !isReplaced) {
    throw new UsageError(
      `${folder} holds documents already. --replace puts what is there now in their place.`,
    )
  }
  const files = Map.groupBy(objects, (object) => join(folder, fileOf(object)))
  for (const [file, inside] of files) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // Exports tell the whole configuration.
    writeFileSync(file, inYaml(inside), { mode: 0o600 })
  }
  for (const file of present) if (!files.has(file)) rmSync(file)
  return files.size
}

/** The files that an export has written: what else lies in the folder is somebody else's. */
function exportedFiles(folder: string, kinds: Kinds): string[] {
  const outermost = new Set(kinds.all.filter(({ parent }) => parent === undefined).map(({ name }) => name))
  return documentFiles(folder).filter((file) => {
    const [, name = ''] = /^([a-z0-9-]+)(?:\/[^/]+)?\.yaml$/.exec(relative(folder, file)) ?? []
    return outermost.has(name)
  })
}

/** The objects as one text. */
export function inYaml(objects: readonly StatedObject[]): string {
  return objects.map((object) => stringify(documentOf(object), { lineWidth: 0 })).join('---\n')
}

function fileOf({ kind, names }: StatedObject): string {
  const [outermost = kind] = kind.lineage
  const [name] = documentPath(kind, names)
  return outermost.identifiedBy === undefined
    ? `${outermost.name}.yaml`
    : join(outermost.name, `${encodeURIComponent(name ?? '').replace(/^\./, '%2E')}.yaml`)
}

/** @throws UsageError unless exactly one object of the kind is stated */
export function readOnlyObject(file: string, kind: PlacedKind, name: string, kinds: Kinds): StatedObject {
  const names = namesIn(kind, name)
  const [document, second] = documentsIn(file)
  if (second !== undefined)
    throw new UsageError(`${file} states several objects; "palisade firewall apply" takes them.`)
  const members = membersOf(document)
  const isDocument = typeof members.kind === 'string' && 'fields' in members
  if (!isDocument)
    return { kind, names, fields: readMembers(members, kind.fields, `a ${kind.name}`), sections: {} }
  return { ...readObject({ ...members, kind: kind.name }, kinds, file), names }
}
