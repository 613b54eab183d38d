import { parseJson, RequestRefused } from '@palisade/platform'
import { type ConfigurationRefused, notAcceptable } from '../failure.ts'

/**
 * The JSON document that a member of a body holds: as an object, as JSON text, or as base64 of JSON text.
 *
 * @throws ConfigurationRefused not-acceptable, when it is none of these
 */
export function documentIn(member: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  if (typeof value !== 'string' || value.trim() === '') throw unreadable(member)
  return parsed(member, bytesIn(member, value))
}

/**
 * The bytes of a text: of the text itself when it is JSON, otherwise those that it is the base64 of.
 *
 * @throws ConfigurationRefused not-acceptable
 */
export function bytesIn(member: string, value: string): Buffer {
  if (value.trimStart().startsWith('{')) return Buffer.from(value)
  const compact = value.replace(/\s/g, '')
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) throw unreadable(member)
  return Buffer.from(compact, 'base64')
}

function parsed(member: string, bytes: Buffer): unknown {
  try {
    return parseJson(bytes)
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error
    if (error.field === undefined) throw unreadable(member)
    throw notAcceptable(`The document in ${member} cannot be used. ${error.message}`)
  }
}

function unreadable(member: string): ConfigurationRefused {
  const problem = `The member ${member} must be a JSON object, as it is, as text, or as base64 of the text.`
  return notAcceptable(problem)
}
