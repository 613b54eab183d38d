import { ConfigurationRefused } from '../failure.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot, Write } from '../objects/snapshot.ts'
import { differences, type MemberChange } from './members.ts'
import type { Problem } from './problems.ts'

/** What a request is going to do to the configuration: decided on one snapshot, and nothing done yet. */
export interface Plan {
  readonly action: 'create' | 'update' | 'delete' | 'import'
  /** The object that the request is about, under the name that it has afterwards. */
  readonly object: Pick<ConfigurationObject, 'kind' | 'path'>
  /** Where that object is before, when it gets another name. */
  readonly renamedFrom?: readonly string[]
  /** Nothing is to be done when there are none. */
  readonly writes: readonly Write[]
  /** What is recorded beside who, when and from where: the members that change, without secrets. */
  readonly changes: readonly MemberChange[]
  /** Outermost objects that come into being with the change; their writes are among those of the plan. */
  readonly createdBeside?: readonly CreatedBeside[]
  /** What a deletion keeps, so that it can be taken back. */
  readonly kept?: KeptObjects
}

/** Objects that are deleted, and the checkpoint that they are kept as. */
export interface KeptObjects {
  /** Its name. */
  readonly checkpoint: string
  /** As they are before, those around others first. */
  readonly objects: readonly ConfigurationObject[]
}

/** An object that is made beside the one that a request is about, such as a service that leads to it. */
export interface CreatedBeside extends Pick<ConfigurationObject, 'kind' | 'path' | 'content'> {
  readonly changes: readonly MemberChange[]
}

/** The outermost objects that further writes of a change create. */
export function createdBy(snapshot: Snapshot, writes: readonly Write[]): CreatedBeside[] {
  return writes.flatMap(({ kind, path, content }) => {
    if (content === undefined || path.length > 1 || snapshot.object(kind, path)) return []
    const changes = differences(kind.fields, kind.fields.defaults, content.values)
    return [{ kind, path, content, changes }]
  })
}

/**
 * Ends the planning of a body that has faults.
 *
 * @param unreadable the faults of members that could not even be read
 * @param others the faults of what the body would lead to; not told for members that could not even be read
 * @throws ConfigurationRefused not-acceptable, with one sentence for each fault
 */
export function refuseProblems(unreadable: readonly Problem[], others: readonly Problem[] = []): void {
  const untold = new Set(unreadable.map(({ member }) => member))
  const problems = [...unreadable, ...others.filter(({ member }) => !untold.has(member))]
  if (problems.length === 0) return
  throw new ConfigurationRefused({
    code: 'not-acceptable',
    problems: problems.map(({ sentence }) => sentence),
  })
}

/** How an object is called in sentences: service "shop". */
export function describe({ kind, path }: Pick<ConfigurationObject, 'kind' | 'path'>): string {
  return `${kind.name} ${JSON.stringify(path.at(-1))}`
}
