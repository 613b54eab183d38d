import type { FastifyRequest } from 'fastify'
import { describe } from '../changes/plan.ts'
import { ConfigurationRefused } from '../failure.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'

/** The version of an object's own members and sections, as ETag and If-Match carry it (RFC 9110, section 8.8.3). */
export function entityTag({ version }: ConfigurationObject): string {
  return `"${version}"`
}

/**
 * Refuses a change that was meant for another version of the object. Without If-Match, every version is meant.
 *
 * @param object what is to be changed; undefined when it is not there yet
 * @throws ConfigurationRefused changed-meanwhile
 */
export function refuseOtherVersion(request: FastifyRequest, object: ConfigurationObject | undefined): void {
  const expected = request.headers['if-match']
  if (expected === undefined) return
  const tags = expected.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (object && (tags.includes('*') || tags.includes(entityTag(object)))) return
  const what = object ? describe(object) : 'object'
  throw new ConfigurationRefused({ code: 'changed-meanwhile', what })
}
