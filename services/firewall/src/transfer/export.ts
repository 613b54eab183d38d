import { administratorKind } from '../changes/author.ts'
import { allDifferences } from '../changes/update.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { sameValue, type Value, type Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import type { Difference } from './differences.ts'
import {
  boundTo,
  type ConfigurationDocument,
  type DocumentMembers,
  type DocumentObject,
  type DocumentSeal,
  documentFormat,
  documentFormatVersion,
  isSealedInDocuments,
} from './document.ts'
import type { InitialContents } from './initial-contents.ts'
import { TimeSlices } from './time-slices.ts'

/** The whole configuration. */
export async function fullDocument(
  snapshot: Snapshot,
  initial: InitialContents,
  seal: DocumentSeal,
): Promise<ConfigurationDocument> {
  const slices = new TimeSlices()
  const objects: [kindName: string, DocumentObject][] = []
  for (const object of snapshot.everything()) {
    if (isToTell(object, initial)) objects.push([object.kind.name, documentObject(object, seal)])
    await slices.pause()
  }
  return { ...headOf(snapshot, administratorsOf(snapshot)), scope: 'full', objects: byKind(objects) }
}

/** Some objects as they are, which changes nothing else where it is imported. It costs what they are, whatever else there is. */
export async function documentOf(
  snapshot: Snapshot,
  objects: readonly ConfigurationObject[],
  seal: DocumentSeal,
): Promise<ConfigurationDocument> {
  const slices = new TimeSlices()
  const entries: [kindName: string, DocumentObject][] = []
  for (const object of objects) {
    entries.push([object.kind.name, documentObject(object, seal)])
    await slices.pause()
  }
  return { ...headOf(snapshot, []), scope: 'partial', objects: byKind(entries) }
}

/**
 * What has changed since a checkpoint.
 *
 * @param checkpoint its name
 * @param differences from the checkpoint to the snapshot
 */
export async function partialDocument(
  snapshot: Snapshot,
  checkpoint: string,
  differences: readonly Difference[],
  seal: DocumentSeal,
): Promise<ConfigurationDocument> {
  const slices = new TimeSlices()
  const objects: [kindName: string, DocumentObject][] = []
  const removed: [kindName: string, readonly string[]][] = []
  for (const { kind, path, after } of differences) {
    if (after) objects.push([kind.name, documentObject(after, seal)])
    else removed.push([kind.name, path])
    await slices.pause()
  }
  return {
    ...headOf(snapshot, administratorsOf(snapshot)),
    scope: 'partial',
    since: checkpoint,
    objects: byKind(objects),
    removed: byKind(removed),
  }
}

function administratorsOf(snapshot: Snapshot): ConfigurationDocument['administrators'] {
  return [...snapshot.everything()]
    .filter(({ kind }) => kind.name === administratorKind)
    .map(({ name, content }) => ({ name, role: String(content.values.role ?? '') }))
}

function headOf(snapshot: Snapshot, administrators: ConfigurationDocument['administrators']) {
  return {
    format: documentFormat,
    'format-version': documentFormatVersion,
    'configuration-version': snapshot.version,
    administrators,
  } as const
}

function isToTell(object: ConfigurationObject, initial: InitialContents): boolean {
  if (object.kind.name === administratorKind) return false
  const atFirst = initial.of(object)
  return atFirst === undefined || allDifferences(object.kind, atFirst, object.content).length > 0
}

function documentObject({ kind, path, content }: ConfigurationObject, seal: DocumentSeal): DocumentObject {
  const membersOf = (fields: FieldSet, values: Values, section: string | undefined) =>
    documentMembers(fields, values, section === undefined ? kind.identifiedBy : undefined, (member, value) =>
      seal.seal(JSON.stringify(value), boundTo({ kind, path, section, member }, values)),
    )
  const sections = kind.sections.flatMap(({ segment, fields }) => {
    const values = valuesOf(content, segment)
    const members = values === fields.defaults ? {} : membersOf(fields, values, segment)
    return Object.keys(members).length === 0 ? [] : [[segment, members] as const]
  })
  return {
    path,
    members: membersOf(kind.fields, content.values, undefined),
    ...(sections.length === 0 ? {} : { sections: Object.fromEntries(sections) }),
  }
}

/** @param identifiedBy the field that the path tells */
function documentMembers(
  fields: FieldSet,
  values: Values,
  identifiedBy: string | undefined,
  sealed: (member: string, value: Value) => string,
): DocumentMembers {
  const members: Record<string, Value | null> = {}
  for (const { name, field } of fields) {
    const value = values[name]
    if (name === identifiedBy || field.transient || sameValue(value, fields.defaults[name])) continue
    if (value === undefined) members[name] = null
    else members[name] = isSealedInDocuments(field) ? sealed(name, value) : value
  }
  return members
}

/** In the order of the kinds' names, so that documents of one configuration are alike. */
function byKind<T>(entries: readonly (readonly [kindName: string, T])[]): Record<string, T[]> {
  const groups = Map.groupBy(entries, ([kindName]) => kindName)
  return Object.fromEntries(
    [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kindName, ofKind]) => [kindName, ofKind.map(([, entry]) => entry)]),
  )
}
