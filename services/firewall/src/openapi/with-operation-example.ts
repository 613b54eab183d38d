import { exampleToken as token } from './bodies.ts'
import type { OperationExample } from './operation-examples.ts'
import type { Schema } from './schemas.ts'

/** The operation with its example beside the schemas of its body and of its reply. */
export function withOperationExample(operation: Schema, { body, reply }: OperationExample): Schema {
  const { requestBody, responses } = operation
  const ofReply = reply && { ...reply, token }
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody: withExample(requestBody, body) }),
    responses: Object.fromEntries(
      Object.entries(Object(responses)).map(([status, response]) => [status, withExample(response, ofReply)]),
    ),
  }
}

/** @param holder a body or a reply; files in it are shown by nothing */
function withExample(holder: unknown, example: object | undefined): object {
  const { content, ...rest } = Object(holder)
  if (content === undefined || example === undefined) return { ...rest, ...(content ? { content } : {}) }
  const media = Object.entries(Object(content)).map(([type, of]) => [
    type,
    /json|form/.test(type) ? { ...Object(of), example } : of,
  ])
  return { ...rest, content: Object.fromEntries(media) }
}
