import { JsonReader, JsonSyntaxError } from './json-reader.ts'
import type { Argument, ParsedBody } from './parsed-body.ts'

/** Limits of the body processor JSON. */
export interface JsonLimits {
  readonly depthMax: number
  readonly argumentsMax: number
}

/** Whatever the rules allow: the reader calls itself for each level, and the stack is finite. */
const stackDepthMax = 2000

/**
 * How long the names of all arguments may be together, in bytes: each has the names of all objects around it, and rules read every one
 * of them. Where names are of ordinary length, other limits are met before this one.
 */
const namesMax = 1024 * 1024

/**
 * The body processor JSON. Every string, number, true, false and null becomes an argument named by the keys that lead to it,
 * joined by dots: `{"a":{"b":1}}` gives `a.b`. What lies in an array goes by the key of the array once more (`{"a":[1]}`
 * gives `a.a`); an array at the root is called `array`. An empty object or array gives an argument with an empty value,
 * so that its key is seen too; ModSecurity leaves it out. Unlike ModSecurity it also refuses names that are too long together.
 */
export function parseJsonBody(text: string, limits: JsonLimits): ParsedBody {
  const argumentList: Argument[] = []
  let namesLength = 0
  try {
    const reader = new JsonReader(text)
    readValue(reader, { prefix: undefined, key: undefined, depth: 0 })
    reader.expectEnd()
    return { arguments: argumentList }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return { arguments: argumentList, error: `JSON parsing error: ${error.message}` }
  }

  function add(place: Place, value: string): void {
    if (argumentList.length >= limits.argumentsMax) throw new JsonSyntaxError('more arguments than allowed')
    const name = nameOf(place)
    namesLength += name.length
    if (namesLength > namesMax) throw new JsonSyntaxError('names that are longer together than allowed')
    argumentList.push({ name, value })
  }

  function readValue(reader: JsonReader, place: Place): void {
    if (reader.takeIf('{')) readObject(reader, place)
    else if (reader.takeIf('[')) readArray(reader, place)
    else add(place, reader.scalar())
  }

  function readObject(reader: JsonReader, place: Place): void {
    // As in ModSecurity, the object at the root is no level.
    const depth = place.key === undefined ? 0 : deeper(place)
    const prefix = place.key === undefined ? undefined : nameOf(place)
    if (reader.takeIf('}')) {
      add(place, '')
      return
    }
    do {
      const key = reader.string()
      reader.expect(':')
      readValue(reader, { prefix, key, depth })
    } while (reader.takeIf(','))
    reader.expect('}')
  }

  function readArray(reader: JsonReader, place: Place): void {
    const key = place.key ?? 'array'
    const prefix = place.key === undefined ? 'array' : nameOf(place)
    const depth = deeper(place)
    if (reader.takeIf(']')) {
      add(place, '')
      return
    }
    do readValue(reader, { prefix, key, depth })
    while (reader.takeIf(','))
    reader.expect(']')
  }

  function deeper(place: Place): number {
    if (place.depth >= Math.min(limits.depthMax, stackDepthMax))
      throw new JsonSyntaxError('nested more deeply than allowed')
    return place.depth + 1
  }
}

interface Place {
  readonly prefix: string | undefined
  /** Undefined at the root. */
  readonly key: string | undefined
  readonly depth: number
}

function nameOf(place: Place): string {
  return place.prefix === undefined ? (place.key ?? '') : `${place.prefix}.${place.key}`
}
