import type { CompiledCatalogue, CompiledKind } from '../../kinds/compiled-kind.ts'
import type { ExampleFile } from './example-file.ts'
import { exampleFiles } from './index.ts'

/** The examples of a catalogue's kinds. */
export class Examples {
  readonly #catalogue: CompiledCatalogue

  constructor(catalogue: CompiledCatalogue) {
    this.#catalogue = catalogue
  }

  /** Whether the kind has one. Those of catalogues that are made for tests have none. */
  has({ name }: CompiledKind): boolean {
    return exampleFiles[name] !== undefined
  }

  /** The example of a kind, with names in the place of "@kind". */
  of(kind: CompiledKind): ExampleFile {
    return this.#named(this.#file(kind)) as ExampleFile
  }

  /** The name of the example's object. */
  nameOf(kind: CompiledKind): string {
    if (kind.identifiedBy === undefined) return kind.title
    const { name, create } = this.#file(kind)
    const identifier = name ?? create?.[kind.identifiedBy]
    if (identifier === undefined) throw new Error(`The example of ${kind.name} needs a name.`)
    return String(identifier)
  }

  /** Where the example's object lies when each object around it is that kind's example. */
  addressOf(kind: CompiledKind): { collection: string; item: string } {
    const parent = kind.lineage.at(-2)
    const collection = [...(parent ? [this.addressOf(parent).item] : []), ...kind.segments].join('/')
    const isSingle = kind.identifiedBy === undefined
    return {
      collection,
      item: isSingle ? collection : `${collection}/${encodeURIComponent(this.nameOf(kind))}`,
    }
  }

  /** The kinds whose examples have to be there before the kind's own: those around it, and those it names. */
  before(kind: CompiledKind): CompiledKind[] {
    const kinds = new Set<CompiledKind>()
    const visit = (one: CompiledKind) => {
      if (kinds.has(one)) return
      for (const needed of this.#neededBy(one)) if (needed !== one) visit(needed)
      kinds.add(one)
    }
    visit(kind)
    kinds.delete(kind)
    return [...kinds]
  }

  /** The kinds in such an order that those whose examples need the same follow each other. */
  byNeed(kinds: Iterable<CompiledKind>): CompiledKind[] {
    const need = (kind: CompiledKind) =>
      this.before(kind)
        .map(({ name }) => name)
        .join()
    const needs = new Map(Array.from(kinds, (kind) => [kind, need(kind)]))
    return [...needs]
      .sort(([, one], [, other]) => (one < other ? -1 : Number(one > other)))
      .map(([kind]) => kind)
  }

  #neededBy(kind: CompiledKind): CompiledKind[] {
    const named = JSON.stringify(this.#file(kind)).matchAll(/"@([a-z0-9-]+)"/g)
    return [...kind.lineage, ...Array.from(named, ([, name = '']) => this.#kind(name))]
  }

  #named(value: unknown): unknown {
    if (typeof value === 'string' && value.startsWith('@')) return this.nameOf(this.#kind(value.slice(1)))
    if (Array.isArray(value)) return value.map((item) => this.#named(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.#named(inner)]))
  }

  #kind(name: string): CompiledKind {
    const kind = this.#catalogue.get(name)
    if (!kind) throw new Error(`An example names @${name}, which is no kind.`)
    return kind
  }

  #file({ name }: CompiledKind): ExampleFile {
    const file = exampleFiles[name]
    if (file) return file
    throw new Error(
      `The kind ${name} needs an example: write catalogue/examples/${name}.json and name it in index.ts there.`,
    )
  }
}
