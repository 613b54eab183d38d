import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { Value, Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Content } from '../objects/content.ts'
import type { Snapshot, Write } from '../objects/snapshot.ts'
import type { Problem } from './problems.ts'

/**
 * What a kind does beyond holding data. Everything that the kind language can say is said there; a behaviour is
 * the exception, and has a file of its own in `behaviours/`.
 *
 * A change of an object goes through {@link prepare}, then through the engine's checks, then through
 * {@link complete}. The last two are called again when another server has changed the configuration in between,
 * so they only compute.
 */
export interface Behaviour {
  /** The name of the kind. */
  readonly kind: string
  /**
   * Work that takes its time, before the change is planned: keys, hashes.
   *
   * @returns values of fields that are put over what the body says, also of fields that clients cannot set;
   *   `undefined` empties a field
   * @throws ConfigurationRefused not-acceptable
   */
  readonly prepare?: (demand: Demand) => Promise<PreparedValues>
  /**
   * Whether an object may come to be at this path, asked before the engine's checks: for names that are taken by
   * objects of other kinds, too.
   *
   * @throws ConfigurationRefused
   */
  readonly refuseName?: (path: readonly string[], snapshot: Snapshot) => void
  /** What the engine's checks leave to be found, and what else is to be written. */
  readonly complete?: (change: Change) => Completion
  /** @throws ConfigurationRefused when the object has to stay */
  readonly refuseDeletion?: (object: ConfigurationObject, snapshot: Snapshot) => void
}

/** What a request asks for, once its body was read and every member was one of the fields'. */
export interface Demand {
  readonly kind: CompiledKind
  /** The section that the body is for; undefined for the object's own members. */
  readonly section: string | undefined
  readonly given: MemberValues
  /** The object that is to be changed; undefined when one is to be created. */
  readonly before: ConfigurationObject | undefined
  readonly snapshot: Snapshot
}

/** The members of a body by field name; undefined where one is given but empty. */
export type MemberValues = ReadonlyMap<string, Value | undefined>

/** What {@link Behaviour.prepare} gives, by field name; `undefined` empties the field. */
export type PreparedValues = Readonly<Record<string, Value | undefined>>

/** A change that passed the engine's checks. */
export interface Change extends Demand {
  readonly path: readonly string[]
  /** What the object will hold. */
  readonly content: Content
}

/** What a behaviour adds to a change. With any problem, nothing of the change is written. */
export interface Completion {
  /** In the place of the content that the change has. */
  readonly content?: Content
  /** Further objects to be put in place or taken away. */
  readonly writes?: readonly Write[]
  readonly problems?: readonly Problem[]
}

/** The behaviours of a catalogue, by the name of the kind. */
export type Behaviours = ReadonlyMap<string, Behaviour>

/** Values with the settled ones over them; a settled `undefined` takes the value away. */
export function withSettled(values: Values, settled: PreparedValues): Values {
  const names = Object.keys(settled)
  if (names.length === 0) return values
  const after: Record<string, Value> = { ...values }
  for (const name of names) {
    const value = settled[name]
    if (value === undefined) delete after[name]
    else after[name] = value
  }
  return after
}
