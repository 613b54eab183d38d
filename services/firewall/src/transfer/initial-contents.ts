import type { CompiledCatalogue, CompiledKind } from '../kinds/compiled-kind.ts'
import { type Content, completeContent } from '../objects/content.ts'

/** What the objects hold that nobody created: those of the factory, and those that lie in every object of a kind. */
export class InitialContents {
  /** By the name of the kind and the path, or the object's own name, as JSON. */
  readonly #contents = new Map<string, Content>()

  constructor(catalogue: CompiledCatalogue) {
    for (const kind of catalogue.values()) {
      for (const { path, fields, sections = {} } of kind.factory) {
        this.#add(kind, path, path.at(-1) ?? '', { values: { ...fields }, sections })
      }
      for (const { name, fields } of kind.inEveryParent)
        this.#add(kind, name, name, { values: { ...fields } })
    }
  }

  /** What the object held when it came to be; undefined when it is there because somebody created it. */
  of({ kind, path }: { kind: CompiledKind; path: readonly string[] }): Content | undefined {
    return this.#contents.get(keyOf(kind, path)) ?? this.#contents.get(keyOf(kind, path.at(-1) ?? ''))
  }

  #add(kind: CompiledKind, place: readonly string[] | string, name: string, content: Partial<Content>): void {
    const named = kind.identifiedBy === undefined ? {} : { [kind.identifiedBy]: name }
    this.#contents.set(
      keyOf(kind, place),
      completeContent(kind, { ...content, values: { ...content.values, ...named } }),
    )
  }
}

function keyOf({ name }: CompiledKind, place: readonly string[] | string): string {
  return JSON.stringify([name, place])
}
