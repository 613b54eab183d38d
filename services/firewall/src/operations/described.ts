import type { FieldSet } from '../kinds/field-set.ts'
import { jsonReply, replySchema } from '../openapi/bodies.ts'
import { inPascalCase } from '../openapi/operations.ts'
import { givenMembers, type Schema } from '../openapi/schemas.ts'

/** The request body of an operation, made of its fields and of further members. */
export function describedBody(
  title: string,
  fields: FieldSet,
  more: Readonly<Record<string, Schema>> = {},
  requiredToo: readonly string[] = [],
): Schema {
  const required = Array.from(fields)
    .filter(({ field }) => field.required)
    .map(({ name }) => name)
  const schema = givenMembers(`${inPascalCase(title)}Body`, fields, [...required, ...requiredToo])
  const properties = { ...(schema.properties as Readonly<Record<string, Schema>>), ...more }
  return { required: true, content: { 'application/json': { schema: { ...schema, properties } } } }
}

/** A reply that says what was done. */
export function describedMessage(
  description: string,
  status: '200' | '201' = '200',
): Readonly<Record<string, Schema>> {
  return { [status]: jsonReply(description, operationMessage) }
}

/** A reply that shows something. */
export function describedData(description: string): Readonly<Record<string, Schema>> {
  return { '200': jsonReply(description, operationData) }
}

/** A parameter of the query. */
export function describedParameter(name: string, description: string, required = false): Schema {
  return { name, in: 'query', required, description, schema: text }
}

const text = { type: 'string' } as const

const operationMessage = replySchema('OperationMessage', { id: text, msg: text, filename: text }, ['msg'])

const operationData = replySchema(
  'OperationData',
  {
    object: text,
    id: text,
    msg: text,
    job_id: text,
    data: { type: 'object', additionalProperties: true },
  },
  [],
)
