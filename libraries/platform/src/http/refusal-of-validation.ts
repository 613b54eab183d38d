import type { FastifySchemaValidationError } from 'fastify'
import type { Refusal } from '../refusal.ts'

/**
 * What is wrong with a body that its schema does not take, in words for the caller: the first member at fault,
 * and what was expected of it. `field` is its path, such as "accounts.0.id"; empty for the body as a whole.
 */
export function refusalOfValidation(
  first: FastifySchemaValidationError,
  all: readonly FastifySchemaValidationError[],
): Refusal {
  const { keyword, instancePath, params, message = 'is not valid' } = first
  const path = instancePath.split('/').slice(1).map(unescaped)
  const missing = listOf(params.requiredProperties)[0]
  const field = (missing === undefined ? path : [...path, missing]).join('.')
  const says = (words: string): Refusal => {
    const subject = field === '' ? 'The body' : `The member ${field}`
    return { code: 'bad-request', message: `${subject} ${words}.`, field }
  }
  if (missing !== undefined) return says('is missing')
  // A schema that forbids further members forbids this one by the schema `false`.
  if (keyword === 'boolean') return says('is not known here')
  const allowed = allowedValues(instancePath, all)
  return says(allowed.length === 0 ? message : `must be ${allowed.join(' or ')}`)
}

/** Everything that a member with fixed values may be. */
function allowedValues(instancePath: string, all: readonly FastifySchemaValidationError[]): string[] {
  return all
    .filter((error) => error.keyword === 'const' && error.instancePath === instancePath)
    .map(({ params }) => String(params.allowedValue))
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** A segment of a JSON pointer (RFC 6901, section 4). */
function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
