import type { FastifySchemaCompiler } from 'fastify'
import type { FastifyValidationResult } from 'fastify/types/schema.js'
import type { TSchema } from 'typebox'
import { LazyValidator } from '../lazy-validator.ts'
import { validationErrors } from './validation-errors.ts'

/**
 * Checks bodies against their TypeBox schema: nothing is coerced, nothing unknown is dropped. Parameters of
 * paths and queries arrive as text; their schemas serve the OpenAPI document, and the route reads them itself.
 */
export const bodyValidation: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart !== 'body') return () => true
  const validator = new LazyValidator(schema)
  const validate: FastifyValidationResult = (body) => {
    if (validator.Check(body)) return true
    validate.errors = validationErrors(schema, body)
    return false
  }
  return validate
}
