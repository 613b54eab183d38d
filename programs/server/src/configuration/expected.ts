import { type TSchema, Type } from 'typebox'

/**
 * What a member may hold, as it continues "must be …": what its schema `expects`, or else what its schema says.
 *
 * @returns "a whole number from 0 to 65535", "one of trace, debug and info", "a text of at least 8 characters"
 */
export function expectedBy(schema: TSchema): string {
  if ('expects' in schema && typeof schema.expects === 'string') return schema.expects
  const names = namesIn(schema)
  if (names !== undefined) return names.length === 1 ? `${names[0]}` : `one of ${inWords(names, 'and')}`
  if (Type.IsUnion(schema)) return inWords(schema.anyOf.map(expectedBy), 'or')
  if (Type.IsNull(schema)) return 'null'
  if (Type.IsBoolean(schema)) return 'true or false'
  if (Type.IsInteger(schema)) return `a whole number${boundsOf(schema)}`
  if (Type.IsNumber(schema)) return `a number${boundsOf(schema)}`
  if (Type.IsArray(schema)) return 'a list'
  if (Type.IsObject(schema))
    return `an object with the members ${inWords(Object.keys(schema.properties), 'and')}`
  if (!Type.IsString(schema))
    throw new Error('a member of the configuration has a type that nobody has described')
  return `a text${lengthOf(schema)}`
}

/** The words of which a member has to be one, where there are such. */
export function namesIn(schema: TSchema): readonly string[] | undefined {
  if (Type.IsEnum(schema)) return schema.enum.map(String)
  if (!Type.IsUnion(schema) || !schema.anyOf.every((one) => Type.IsLiteral(one))) return undefined
  return schema.anyOf.map((one) => String(Type.IsLiteral(one) ? one.const : ''))
}

/** "a, b and c" */
export function inWords(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

function boundsOf(schema: TSchema): string {
  const [minimum, maximum] = [numberIn(schema, 'minimum'), numberIn(schema, 'maximum')]
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  if (minimum === undefined) return isBounded ? ` of at most ${maximum}` : ''
  return isBounded ? ` from ${minimum} to ${maximum}` : ` of at least ${minimum}`
}

function lengthOf(schema: TSchema): string {
  const [minLength = 0, maxLength] = [numberIn(schema, 'minLength'), numberIn(schema, 'maxLength')]
  if (maxLength !== undefined) return ` of ${minLength} to ${maxLength} characters`
  if (minLength > 1) return ` of at least ${minLength} characters`
  return minLength === 1 ? ', and not empty' : ''
}

function numberIn(schema: TSchema, keyword: string): number | undefined {
  const value: unknown = Reflect.get(schema, keyword)
  return typeof value === 'number' ? value : undefined
}
