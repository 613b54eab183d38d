import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { ConfigurationObject } from './configuration-object.ts'

/** The objects of several kinds that lie in one place. A kind without objects is left out. */
export type Collections = ReadonlyMap<CompiledKind, Collection>

/** How many objects are made into text at once. */
export const objectsInPiece = 50

/** All objects of one kind in one place, by name. Never changed, and never empty. */
export class Collection implements Iterable<ConfigurationObject> {
  readonly #objects: ReadonlyMap<string, ConfigurationObject>
  #text: string | undefined
  #lastReply: { readonly head: string; readonly tail: string; readonly bytes: Buffer } | undefined

  constructor(objects: ReadonlyMap<string, ConfigurationObject>) {
    this.#objects = objects
  }

  get byName(): ReadonlyMap<string, ConfigurationObject> {
    return this.#objects
  }

  get size(): number {
    return this.#objects.size
  }

  get(name: string): ConfigurationObject | undefined {
    return this.#objects.get(name)
  }

  [Symbol.iterator](): Iterator<ConfigurationObject> {
    return this.#objects.values()
  }

  /** The objects by name as JSON. Made once, from the objects' own texts. */
  get text(): string {
    this.#text ??= textByName(this, (object) => object.text)
    return this.#text
  }

  /**
   * A reply that lists the whole collection. The last one is kept: whoever asks again with the same token is
   * sent the same bytes, which then cost no more than sending them.
   *
   * @param head the JSON before the objects
   * @param tail the JSON after them
   */
  replyBetween(head: string, tail: string): Buffer {
    const last = this.#lastReply
    if (last !== undefined && last.head === head && last.tail === tail) return last.bytes
    const bytes = Buffer.from(head + this.text + tail)
    this.#lastReply = { head, tail, bytes }
    return bytes
  }
}

/** A JSON object that holds each object's text by its name. */
export function textByName(
  objects: Iterable<ConfigurationObject>,
  textOf: (object: ConfigurationObject) => string,
): string {
  const members = Array.from(objects, (object) => memberText(object, textOf(object)))
  return `{${members.join(',')}}`
}

/**
 * The text of {@link textByName} in pieces of many objects each. Nothing of it is kept: what a large collection shows
 * at once would take more memory than the configuration itself.
 */
export function* piecesByName(
  objects: Iterable<ConfigurationObject>,
  textOf: (object: ConfigurationObject) => string,
): Generator<string> {
  let piece = '{'
  let count = 0
  for (const object of objects) {
    if (count > 0) piece += ','
    piece += memberText(object, textOf(object))
    if (++count % objectsInPiece !== 0) continue
    yield piece
    piece = ''
  }
  yield `${piece}}`
}

function memberText({ name }: ConfigurationObject, text: string): string {
  return `${JSON.stringify(name)}:${text}`
}
