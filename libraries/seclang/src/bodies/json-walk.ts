import { JsonReader, type JsonScalarKind, JsonSyntaxError } from './json-reader.ts'

/**
 * Told what a document has, in its order. Names and strings are byte strings in UTF-8, decoded; numbers are as they are written.
 */
export interface JsonVisitor {
  /** An object or array begins. */
  begin(kind: 'object' | 'array'): void
  /** The name of what follows, in an object. */
  name(name: string): void
  scalar(kind: JsonScalarKind, text: string): void
  end(): void
}

/**
 * Goes through a JSON document (RFC 8259), however deep it is. What the visitor throws ends it.
 *
 * @param text a byte string
 * @returns why it is no JSON; undefined when it is
 */
export function walkJson(text: string, visitor: JsonVisitor): string | undefined {
  try {
    const reader = new JsonReader(text)
    readDocument(reader, visitor)
    reader.expectEnd()
    return undefined
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return error.message
  }
}

/** What is open and not closed yet stands in a list of its own: the stack of calls is finite. */
function readDocument(reader: JsonReader, visitor: JsonVisitor): void {
  const open: ('}' | ']')[] = []
  do {
    beginValue(reader, visitor, open)
    endValues(reader, visitor, open)
  } while (open.length > 0)
}

/** Reads what comes before the next value is complete: a scalar, or beginnings until one of them is empty or has a scalar. */
function beginValue(reader: JsonReader, visitor: JsonVisitor, open: ('}' | ']')[]): void {
  for (;;) {
    const closing = reader.takeIf('{') ? '}' : reader.takeIf('[') ? ']' : undefined
    if (closing === undefined) {
      const kind = reader.scalarKind()
      visitor.scalar(kind, reader.scalar())
      return
    }
    visitor.begin(closing === '}' ? 'object' : 'array')
    if (reader.takeIf(closing)) {
      visitor.end()
      return
    }
    open.push(closing)
    if (closing === '}') readName(reader, visitor)
  }
}

/** Behind a value: closes what ends there, or goes on to the next value. */
function endValues(reader: JsonReader, visitor: JsonVisitor, open: ('}' | ']')[]): void {
  for (let closing = open.at(-1); closing !== undefined; closing = open.at(-1)) {
    if (reader.takeIf(',')) {
      if (closing === '}') readName(reader, visitor)
      return
    }
    reader.expect(closing)
    open.pop()
    visitor.end()
  }
}

function readName(reader: JsonReader, visitor: JsonVisitor): void {
  visitor.name(reader.string())
  reader.expect(':')
}
