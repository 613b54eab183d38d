/** What has a name in its collection. */
interface Named {
  readonly name: string
}

/** How many objects are made into text at once. */
export const objectsInPiece = 50

/** A JSON object that holds each object's text by its name. */
export function textByName<Item extends Named>(
  objects: Iterable<Item>,
  textOf: (object: Item) => string,
): string {
  const members = Array.from(objects, (object) => memberText(object, textOf(object)))
  return `{${members.join(',')}}`
}

/**
 * The text of {@link textByName} in pieces of many objects each. Nothing of it is kept: what a large collection shows
 * at once would take more memory than the configuration itself.
 */
export function* piecesByName<Item extends Named>(
  objects: Iterable<Item>,
  textOf: (object: Item) => string,
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

function memberText({ name }: Named, text: string): string {
  return `${JSON.stringify(name)}:${text}`
}
