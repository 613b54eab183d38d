import type { CompiledCatalogue, CompiledKind } from '../kinds/compiled-kind.ts'
import { Collection, type Collections, ConfigurationObject, subtree } from './configuration-object.ts'
import { type Content, completeContent } from './content.ts'

/** One object put in its place, or taken away with everything inside it when there is no content. */
export interface Write {
  readonly kind: CompiledKind
  readonly path: readonly string[]
  readonly content: Content | undefined
  /** The version that brought the content, where it is not the one that is being made. */
  readonly version?: number
}

/**
 * The whole configuration at one moment: a tree of collections and objects that never change. The next snapshot
 * shares everything that the change did not touch, with the texts that were already made of it.
 */
export class Snapshot {
  /** Grows by one with each change. */
  readonly version: number
  readonly #roots: Collections

  private constructor(version: number, roots: Collections) {
    this.version = version
    this.#roots = roots
  }

  /** A fresh installation's configuration. */
  static factory(catalogue: CompiledCatalogue): Snapshot {
    const writes = [...catalogue.values()].flatMap((kind) =>
      kind.factory.map(({ path, fields, sections = {} }): Write => {
        const name = kind.identifiedBy === undefined ? {} : { [kind.identifiedBy]: path.at(-1) ?? '' }
        return { kind, path, content: completeContent(kind, { values: { ...fields, ...name }, sections }) }
      }),
    )
    return new Snapshot(0, new Map()).with(writes, 0)
  }

  /** The snapshot after the writes, which are applied in their order. */
  with(writes: readonly Write[], version: number): Snapshot {
    return new Snapshot(version, merge(this.#roots, writes, version, 0))
  }

  /** The objects of a kind inside the object that the path leads to; undefined when there are none. */
  collection(kind: CompiledKind, parentPath: readonly string[]): Collection | undefined {
    let collections = this.#roots
    for (const [depth, name] of parentPath.entries()) {
      const around = kind.lineage[depth]
      const object = around && collections.get(around)?.get(name)
      if (!object) return undefined
      collections = object.children
    }
    return collections.get(kind)
  }

  object(kind: CompiledKind, path: readonly string[]): ConfigurationObject | undefined {
    return this.collection(kind, path.slice(0, -1))?.get(path.at(-1) ?? '')
  }

  /** Whether another snapshot differs from this one in nothing but objects of one kind that lies in no other, and what is inside them. */
  differsOnlyIn({ lineage: [root] }: CompiledKind, other: Snapshot): boolean {
    const kinds = new Set([...this.#roots.keys(), ...other.#roots.keys()])
    return [...kinds].every((kind) => kind === root || this.#roots.get(kind) === other.#roots.get(kind))
  }

  /** Every object of one kind, wherever it lies. */
  *everyOf({ lineage }: CompiledKind): Generator<ConfigurationObject> {
    yield* objectsAt(this.#roots, lineage)
  }

  /** Every object, those around others first. */
  *everything(): Generator<ConfigurationObject> {
    for (const collection of this.#roots.values()) for (const object of collection) yield* subtree(object)
  }
}

function* objectsAt(
  collections: Collections,
  lineage: readonly CompiledKind[],
): Generator<ConfigurationObject> {
  const [kind, ...inner] = lineage
  const collection = kind && collections.get(kind)
  if (!collection) return
  if (inner.length === 0) yield* collection
  else for (const object of collection) yield* objectsAt(object.children, inner)
}

/**
 * The collections after the writes that reach this depth. Each touched collection is made anew once, however many
 * writes it takes, so that a whole store can be read with it.
 */
function merge(
  collections: Collections,
  writes: readonly Write[],
  version: number,
  depth: number,
): Collections {
  const merged = new Map(collections)
  for (const [kind, ofKind] of Map.groupBy(writes, (write) => write.kind.lineage[depth])) {
    if (kind === undefined) continue
    const before = merged.get(kind)
    const changes = new Map<string, ConfigurationObject | undefined>()
    for (const [name, ofName] of Map.groupBy(ofKind, (write) => write.path[depth] ?? '')) {
      changes.set(name, mergeObject(before?.get(name), ofName, version, depth))
    }
    const after = (before ?? Collection.of([])).with(changes)
    if (after) merged.set(kind, after)
    else merged.delete(kind)
  }
  return merged
}

/** One object after its own writes and those to what lies inside it; undefined when it is gone. */
function mergeObject(
  before: ConfigurationObject | undefined,
  writes: readonly Write[],
  version: number,
  depth: number,
): ConfigurationObject | undefined {
  const isOwn = (write: Write) => write.path.length === depth + 1
  const own = writes.findLast(isOwn)
  const kind = own?.kind ?? before?.kind
  const content = own ? own.content : before?.content
  const path = own?.path ?? before?.path
  if (kind === undefined || content === undefined || path === undefined) return undefined
  const inner = writes.filter((write) => !isOwn(write))
  const children = before?.children ?? childrenOfNew(kind, path)
  return new ConfigurationObject({
    kind,
    path,
    content,
    children: inner.length === 0 ? children : merge(children, inner, version, depth + 1),
    version: own ? (own.version ?? version) : (before?.version ?? 0),
  })
}

/** The objects that lie in every object of the kind. */
function childrenOfNew(kind: CompiledKind, parentPath: readonly string[]): Collections {
  return new Map(
    kind.children
      .filter(({ inEveryParent }) => inEveryParent.length > 0)
      .map((child) => {
        const objects = child.inEveryParent.map(({ name, fields }) => {
          const values = {
            ...fields,
            ...(child.identifiedBy === undefined ? {} : { [child.identifiedBy]: name }),
          }
          const path = [...parentPath, name]
          const content = completeContent(child, { values })
          return new ConfigurationObject({ kind: child, path, content, children: new Map(), version: 0 })
        })
        return [child, Collection.of(objects)]
      }),
  )
}
