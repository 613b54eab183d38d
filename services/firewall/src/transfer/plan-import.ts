import type { Permissions } from '../access/permissions.ts'
import { refuseEscalation } from '../access/refuse-escalation.ts'
import { administratorKind } from '../changes/author.ts'
import { ConfigurationRefused } from '../failure.ts'
import type { CompiledCatalogue } from '../kinds/compiled-kind.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf, withValues } from '../objects/content.ts'
import { Snapshot, type Write } from '../objects/snapshot.ts'
import { type ImportChecks, problemsOfImport } from './check-import.ts'
import { type Difference, differencesBetween } from './differences.ts'
import { refuseForbiddenImport } from './forbidden-import.ts'
import { objectTitle } from './names.ts'
import { applyOperations, type OperationApplication } from './operation-list/apply-operations.ts'
import { isOperationList } from './operation-list/operation-list.ts'
import { type DocumentReader, type ReadDocument, readDocument, type StatedObject } from './read-document.ts'

/** What imports are planned with. */
export interface ImportPlanning extends ImportChecks, DocumentReader, OperationApplication {}

/** How a document is imported. */
export interface ImportOptions {
  /** Whether sealed members that cannot be opened keep what the configuration has now; else they refuse the document. */
  readonly leavesOutUnopened: boolean
  /** What stays as it is now, whatever the document says. */
  readonly kept?: KeptParts
}

/** Parts of the configuration that an import leaves alone. */
export interface KeptParts {
  /** Kinds whose objects stay, with what lies inside them. */
  readonly kinds: ReadonlySet<string>
  /** The segments of sections that stay, by the names of single kinds. */
  readonly sections: Readonly<Record<string, readonly string[]>>
}

const nothingKept: KeptParts = { kinds: new Set(), sections: {} }

/** What an import is going to do, decided on one snapshot. */
export interface PlannedImport {
  readonly base: Snapshot
  readonly differences: readonly Difference[]
  readonly writes: readonly Write[]
  /** Members that keep what they hold now, as sentences name them. */
  readonly unopened: readonly string[]
}

/**
 * Finds out what a document would change, and every fault of it. A full document says all that there is beside
 * the factory's objects; a partial one says what changes, and so does a list of operations. Administrators stay as they are.
 *
 * @param document parsed JSON of any origin
 * @throws ConfigurationRefused not-acceptable, with every fault; RequestRefused forbidden
 */
export async function planImport(
  base: Snapshot,
  document: unknown,
  planning: ImportPlanning,
  permissions: Permissions,
  options: ImportOptions,
): Promise<PlannedImport> {
  const { after, stated, unopened } = isOperationList(document)
    ? await madeByOperations(base, document.config, planning, permissions)
    : await statedByDocument(base, document, planning, options)
  const differences = await differencesBetween(base, after, planning.initial)
  const candidate = { before: base, after, differences, stated }
  refuseFaults(await problemsOfImport(candidate, planning))
  const writes = differences.map(({ kind, path, after: object }): Write => {
    return { kind, path, content: object?.content }
  })
  refuseEscalation(permissions, base, writes)
  await refuseForbiddenImport({ ...candidate, writes }, permissions)
  return { base, differences, writes, unopened }
}

/** The configuration that is to be, before it was checked as a whole. */
interface Wanted extends Pick<PlannedImport, 'unopened'> {
  readonly after: Snapshot
  /** The objects that a document states. */
  readonly stated: readonly StatedObject[]
}

async function statedByDocument(
  base: Snapshot,
  document: unknown,
  planning: ImportPlanning,
  options: ImportOptions,
): Promise<Wanted> {
  const read = await readDocument(document, planning, base)
  refuseFaults([...read.problems, ...(options.leavesOutUnopened ? [] : unopenedProblems(read))])
  const after = statedSnapshot(base, read, planning.catalogue, options.kept)
  refuseFaults(objectsWithoutPlace(read, after))
  return { after, stated: read.objects, unopened: read.unopened }
}

async function madeByOperations(
  base: Snapshot,
  operations: readonly unknown[],
  planning: ImportPlanning,
  permissions: Permissions,
): Promise<Wanted> {
  const { after, problems } = await applyOperations(operations, base, planning, permissions)
  refuseFaults(problems)
  return { after, stated: [], unopened: [] }
}

/**
 * The configuration that the document states.
 *
 * @param base the configuration of now, whose administrators stay, and all that a partial document leaves alone
 */
export function statedSnapshot(
  base: Snapshot,
  { scope, objects, removed }: ReadDocument,
  catalogue: CompiledCatalogue,
  parts: KeptParts = nothingKept,
): Snapshot {
  const isKept = ({ kind }: Pick<Write, 'kind'>) =>
    kind.lineage.some(({ name }) => name === administratorKind || parts.kinds.has(name))
  const stated: Write[] = objects.filter((object) => !isKept(object))
  const gone = removed.filter((one) => !isKept(one)).map((one): Write => ({ ...one, content: undefined }))
  const after =
    scope === 'partial'
      ? base.with([...gone, ...stated], base.version)
      : Snapshot.factory(catalogue).with(
          [...stated, ...[...base.everything()].filter(isKept).map(asWrite)],
          base.version,
        )
  return after.with([...keptSections(base, after, catalogue, parts)], base.version)
}

/** The single objects of which sections are kept, with those sections. */
function* keptSections(
  base: Snapshot,
  after: Snapshot,
  catalogue: CompiledCatalogue,
  parts: KeptParts,
): Generator<Write> {
  for (const [kindName, segments] of Object.entries(parts.sections)) {
    const kind = catalogue.get(kindName)
    const path = [kind?.title ?? '']
    const now = kind && base.object(kind, path)
    const next = kind && after.object(kind, path)
    if (!now || !next) continue
    const content = segments.reduce(
      (changed, segment) => withValues(changed, segment, valuesOf(now.content, segment)),
      next.content,
    )
    yield { kind, path, content }
  }
}

function asWrite({ kind, path, content, version }: ConfigurationObject): Write {
  return { kind, path, content, version }
}

function unopenedProblems({ unopened }: ReadDocument): string[] {
  if (unopened.length === 0) return []
  return [
    'The document has secrets that this system cannot open, because another one sealed them, or because members were changed that protect them. Give those members in plain text, or leave them out with skip-sealed-secrets=Yes.',
    ...unopened.map((one) => `Sealed: the ${one}.`),
  ]
}

/** Objects that would lie inside others that are not there. */
function objectsWithoutPlace({ objects }: ReadDocument, after: Snapshot): string[] {
  return objects
    .filter(({ kind, path }) => path.length > 1 && !after.object(kind, path))
    .map(({ kind, path }) => `The ${objectTitle(kind, path)} lies in an object that is not there.`)
}

function refuseFaults(problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigurationRefused({ code: 'not-acceptable', problems })
}
