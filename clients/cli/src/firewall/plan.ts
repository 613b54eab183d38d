import { X509Certificate } from 'node:crypto'
import { UsageError } from '../connection.ts'
import { administratorKind, isMadeOnce, keyOf, readConfiguration } from './configuration.ts'
import { createObject } from './create-object.ts'
import type { StatedObject } from './documents.ts'
import { addressOf, documentPath, type Kinds, namesOfPath, objectTitle } from './kinds.ts'
import { isSealed, type Management, membersOf, objectOf } from './management.ts'
import type { Members } from './members.ts'

/*
 * How the configuration becomes what files state. The management imports all of it at once, in its own order, or refuses all of it
 * and says why. Two things it does not import, and they are done by requests of their own: certificates, whose keys a request brings,
 * before, since others name them; and administrators after, since they name roles.
 */

/** One change, as people read it. */
export interface PlannedChange {
  readonly action: 'create' | 'change' | 'delete'
  readonly object: string
  /** Of an object that is changed, what of it. */
  readonly changes: readonly { readonly member: string; readonly from: unknown; readonly to: unknown }[]
}

/** What is going to be done. */
export interface Plan {
  readonly changes: readonly PlannedChange[]
  /** Certificates to be created. */
  readonly certificates: readonly StatedObject[]
  /** What the management imports. */
  readonly document: object
  readonly administrators: readonly StatedObject[]
  readonly administratorsGone: readonly StatedObject[]
}

interface Difference {
  readonly kind: string
  readonly path: readonly string[]
  readonly section?: string
  readonly changes: readonly { section?: string; member: string; old: unknown; new: unknown }[]
}

/**
 * Finds out what has to be changed so that the stated objects are as they are stated. Fields that an object leaves out have their
 * defaults, and secrets that it leaves out stay.
 *
 * @param isPruned whether other objects of the kinds that are stated are deleted, but for the administrator who does so
 * @throws ApiError with every fault that the management finds
 * @throws UsageError for a certificate that is there and another one
 */
export async function planChanges(
  management: Management,
  kinds: Kinds,
  stated: readonly StatedObject[],
  isPruned: boolean,
): Promise<Plan> {
  const current = new Map(
    (await readConfiguration(management, kinds)).map((object) => [keyOf(object), object]),
  )
  const target = stated.map((object) => withSecretsOf(object, current.get(keyOf(object))))
  const isAdministrator = ({ kind }: StatedObject) => kind.name === administratorKind
  const isNewCertificate = (object: StatedObject) =>
    isMadeOnce(object.kind) && !current.has(keyOf(object)) && !Object.values(object.fields).some(isSealed)
  for (const object of stated) await refuseOtherCertificate(management, object, current.get(keyOf(object)))
  const certificates = target.filter(isNewCertificate)
  const administrators = target.filter(
    (object) => isAdministrator(object) && differsFrom(object, current.get(keyOf(object))),
  )
  const imported = target.filter((object) => !isAdministrator(object) && !isNewCertificate(object))

  const keys = new Set(stated.map(keyOf))
  const prunedKinds = new Set(isPruned ? stated.map(({ kind }) => kind.name) : [])
  const others = [...current.values()].filter(
    (object) => prunedKinds.has(object.kind.name) && !keys.has(keyOf(object)),
  )
  const administratorsGone = others.filter(
    (object) => isAdministrator(object) && object.names[0] !== management.administrator,
  )
  const removed = await removable(management, kinds, [...current.values()], others)

  // What names a certificate that is not there yet cannot be tried before it is.
  const newNames = new Set(certificates.map(({ names }) => names.at(-1)))
  const waiting = new Set(imported.filter((object) => namesOneOf(object, newNames)).map(keyOf))
  const isWaiting = ({ kind, names }: StatedObject) =>
    kind.lineage.some((one, depth) => waiting.has(JSON.stringify([one.name, ...names.slice(0, depth + 1)])))
  const tried = await tryImport(
    management,
    partialDocument(
      imported.filter((object) => !isWaiting(object)),
      removed,
    ),
  )
  return {
    changes: [
      ...certificates.map(created),
      ...(tried.added ?? []).map(({ kind, path }) => created(placed(kinds, kind, path))),
      ...(tried.changed ?? []).map((difference) => changedBy(kinds, difference)),
      ...imported.filter(isWaiting).flatMap((object) => comparedWith(object, current.get(keyOf(object)))),
      ...administrators.flatMap((object) => comparedWith(object, current.get(keyOf(object)))),
      ...(tried.removed ?? []).map(({ kind, path }) => deleted(placed(kinds, kind, path))),
      ...administratorsGone.map(deleted),
    ],
    certificates,
    document: partialDocument(imported, removed),
    administrators,
    administratorsGone,
  }
}

/** Carries a plan out. The management makes a checkpoint before what it imports. */
export async function carryOut(management: Management, kinds: Kinds, plan: Plan): Promise<void> {
  for (const certificate of plan.certificates) await createObject(management, certificate)
  for (const { kind, names } of plan.administratorsGone)
    await management.call('DELETE', addressOf(kind, names))
  if (plan.changes.length > 0) await importDocument(management, plan.document, 'Restore')
  const { path } = kinds.named(administratorKind)
  for (const administrator of plan.administrators) {
    const [name = ''] = administrator.names
    const isThere = plan.changes.some(
      ({ action, object }) => action === 'change' && object === nameOf(administrator),
    )
    if (isThere) {
      const { password: _, ...body } = administrator.fields
      await management.call('PUT', `${path}/${encodeURIComponent(name)}`, { body })
    } else await createObject(management, administrator)
  }
}

/** The object with the secrets that it leaves out, and with what only the management can have made. */
function withSecretsOf(object: StatedObject, now: StatedObject | undefined): StatedObject {
  if (now === undefined) return object
  const sealedIn = (members: Members = {}) =>
    Object.fromEntries(Object.entries(members).filter(([, value]) => isSealed(value)))
  const segments = [...new Set([...Object.keys(object.sections), ...Object.keys(now.sections)])]
  return {
    ...object,
    fields: isMadeOnce(object.kind)
      ? { ...object.fields, ...decidedIn(now), ...sealedIn(now.fields) }
      : { ...sealedIn(now.fields), ...object.fields },
    sections: Object.fromEntries(
      segments.map((segment) => [
        segment,
        { ...sealedIn(now.sections[segment]), ...object.sections[segment] },
      ]),
    ),
  }
}

/** What was decided when a certificate was made. */
function decidedIn({ kind, fields }: StatedObject): Members {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => kind.fields[field]?.isCreateOnly))
}

/** A certificate that is there stays: it is no other one, and is made of nothing else, than what is stated. */
async function refuseOtherCertificate(
  management: Management,
  { kind, names, fields }: StatedObject,
  now: StatedObject | undefined,
): Promise<void> {
  if (now === undefined || !isMadeOnce(kind)) return
  const shown = objectOf(await management.call('GET', addressOf(kind, names)))
  const decided = Object.entries(fields).filter(
    ([field, value]) => kind.fields[field]?.isCreateOnly && !isSealed(value),
  )
  const serials = decided.flatMap(([, text]) => serialOf(text))
  const isOther =
    serials.length > 0
      ? !serials.includes(String(shown.serial).replaceAll(':', '').toUpperCase())
      : decided.some(([field, value]) => field in shown && String(shown[field]) !== String(value))
  if (!isOther) return
  throw new UsageError(
    `The ${objectTitle(kind, names)} is there, and is another one. A certificate is not changed: give the new one another name.`,
  )
}

/** The serial numbers of the certificates in a text: one or none. */
function serialOf(text: unknown): string[] {
  try {
    return [new X509Certificate(String(text)).serialNumber]
  } catch {
    // A key, a password, or a file with several things in it.
    return []
  }
}

/** What of some objects can be deleted: those of the factory cannot, and stay as they are. */
async function removable(
  management: Management,
  kinds: Kinds,
  current: readonly StatedObject[],
  others: readonly StatedObject[],
): Promise<StatedObject[]> {
  const gone = new Set(others.map(keyOf))
  if (others.every(({ kind }) => kind.name === administratorKind)) return []
  const isInside = ({ kind, names }: StatedObject) =>
    kind.lineage.some((one, depth) => gone.has(JSON.stringify([one.name, ...names.slice(0, depth + 1)])))
  const rest = current.filter((object) => !isInside(object) && object.kind.name !== administratorKind)
  const { removed = [], 'removed count': count = 0 } = await tryImport(management, {
    ...partialDocument(rest, []),
    scope: 'full',
    removed: undefined,
  })
  if (count > removed.length) {
    throw new UsageError(
      `${count} objects would be deleted. Prune ${removed.length} at a time: fewer kinds in one folder.`,
    )
  }
  return removed.map(({ kind, path }) => placed(kinds, kind, path))
}

function placed(kinds: Kinds, name: string, path: readonly string[]): StatedObject {
  const kind = kinds.named(name)
  return { kind, names: namesOfPath(kind, path), fields: {}, sections: {} }
}

function namesOneOf({ fields, sections }: StatedObject, names: ReadonlySet<string | undefined>): boolean {
  return [fields, ...Object.values(sections)]
    .flatMap((members) => Object.values(members).flat())
    .some((value) => typeof value === 'string' && names.has(value))
}

/** In the form of docs/formats/firewall-configuration.md. */
function partialDocument(objects: readonly StatedObject[], removed: readonly StatedObject[]): object {
  return {
    format: 'palisade-firewall-configuration',
    'format-version': 1,
    scope: 'partial',
    objects: byKind(objects, ({ kind, names, fields, sections }) => ({
      path: documentPath(kind, names),
      members: fields,
      sections,
    })),
    removed: byKind(removed, ({ kind, names }) => documentPath(kind, names)),
  }
}

function byKind(objects: readonly StatedObject[], describe: (object: StatedObject) => unknown): object {
  const groups = Map.groupBy(objects, ({ kind }) => kind.name)
  return Object.fromEntries(Array.from(groups, ([name, inside]) => [name, inside.map(describe)]))
}

interface TriedImport {
  readonly added?: readonly Difference[]
  readonly changed?: readonly Difference[]
  readonly removed?: readonly Difference[]
  readonly 'removed count'?: number
}

async function tryImport(management: Management, document: object): Promise<TriedImport> {
  return membersOf(await importDocument(management, document, 'Test'))
}

async function importDocument(management: Management, document: object, operation: 'Test' | 'Restore') {
  const body = { operation, 'json-file-content': document }
  return (await management.call('POST', 'ops/import-configuration', { body })).data
}

function differsFrom(object: StatedObject, now: StatedObject | undefined): boolean {
  return comparedWith(object, now).length > 0
}

/** An object beside the one that is there, as far as what is stated tells. */
function comparedWith(object: StatedObject, now: StatedObject | undefined): PlannedChange[] {
  if (now === undefined) return [created(object)]
  const changesIn = (members: Members, present: Members = {}, section = '') =>
    Object.entries(members).flatMap(([member, to]) => {
      const from = present[member]
      const isHidden = object.kind.fields[member]?.isSecret ?? false
      if (isSealed(to) || isHidden || String(to ?? '') === String(from ?? '')) return []
      return [{ member: `${section}${member}`, from: from ?? '', to }]
    })
  const changes = [
    ...changesIn(object.fields, now.fields),
    ...Object.entries(object.sections).flatMap(([segment, members]) =>
      changesIn(members, now.sections[segment], `${segment} `),
    ),
  ]
  return changes.length === 0 ? [] : [{ action: 'change', object: nameOf(object), changes }]
}

function changedBy(kinds: Kinds, { kind, path, changes }: Difference): PlannedChange {
  return {
    action: 'change',
    object: nameOf(placed(kinds, kind, path)),
    changes: changes.map(({ section, member, old, new: to }) => ({
      member: section === undefined ? member : `${section} ${member}`,
      from: old,
      to,
    })),
  }
}

function created(object: StatedObject): PlannedChange {
  return { action: 'create', object: nameOf(object), changes: [] }
}

function deleted(object: StatedObject): PlannedChange {
  return { action: 'delete', object: nameOf(object), changes: [] }
}

function nameOf({ kind, names }: StatedObject): string {
  return objectTitle(kind, names)
}
