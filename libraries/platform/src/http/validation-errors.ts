import { type TObject, type TSchema, Type } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Check, Errors } from 'typebox/value'

/**
 * What a schema does not take about a value, which is at least one thing. Where a literal member such as `type`
 * tells the branches of a union apart, only the branch that the value names counts, since nothing was meant of the
 * others; or that member alone, when it names none.
 */
export function validationErrors(schema: TSchema, value: unknown): TLocalizedValidationError[] {
  const errors = Errors(schema, value)
  const [, ...members] = errors[0]?.instancePath.split('/') ?? []
  const choice = choiceOn(members, schema, value)
  if (choice === undefined) return errors
  return validationErrors(branchNamedBy(choice), choice.value).map((error) => ({
    ...error,
    instancePath: choice.path + error.instancePath,
  }))
}

/** A value that names one of several branches by a member. */
interface Choice {
  readonly branches: readonly TObject[]
  readonly member: string
  readonly value: unknown
  /** Where the value is, as a JSON pointer. */
  readonly path: string
}

/** The outermost choice on the way along these members, if there is one. */
function choiceOn(
  [next, ...rest]: readonly string[],
  schema: TSchema | undefined,
  value: unknown,
  path = '',
): Choice | undefined {
  if (Type.IsUnion(schema)) {
    const branches = schema.anyOf.filter(Type.IsObject)
    const member = branches.length === schema.anyOf.length ? commonLiteral(branches) : undefined
    return member === undefined ? undefined : { branches, member, value, path }
  }
  if (next === undefined || typeof value !== 'object' || value === null) return undefined
  return choiceOn(rest, schemaOfMember(schema, next), Reflect.get(value, next), `${path}/${next}`)
}

function schemaOfMember(schema: TSchema | undefined, member: string): TSchema | undefined {
  if (Type.IsArray(schema)) return schema.items
  return Type.IsObject(schema) ? schema.properties[member] : undefined
}

/** The member that is a literal in every branch. */
function commonLiteral(branches: readonly TObject[]): string | undefined {
  return Object.keys(branches[0]?.properties ?? {}).find((member) =>
    branches.every(({ properties }) => Type.IsLiteral(properties[member])),
  )
}

function branchNamedBy({ branches, member, value }: Choice): TSchema {
  const literalOf = ({ properties }: TObject): TSchema => properties[member] ?? Type.Never()
  const named = branches.find((branch) => Check(Type.Object({ [member]: literalOf(branch) }), value))
  return named ?? Type.Object({ [member]: Type.Union(branches.map(literalOf)) })
}
