import { createHash } from 'node:crypto'
import { type AdministeredItem, RequestRefused } from '@palisade/platform'

/** The `ETag` of a thing (RFC 9110, section 8.8.3): another one when anything has changed but for what changes by itself. */
export function entityTagOf(item: AdministeredItem, volatile: readonly string[] = []): string {
  const text = JSON.stringify(item, (name, value) => (volatile.includes(name) ? undefined : value))
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

/**
 * Refuses to change what has changed since the caller has read it (RFC 9110, section 13.1.1).
 *
 * @param ifMatch the header of the request
 * @throws RequestRefused precondition-required without it, precondition-failed when it names another state
 */
export function requireMatch(ifMatch: string | undefined, entityTag: string): void {
  if (ifMatch === undefined) {
    throw new RequestRefused(
      'precondition-required',
      'Send the ETag of what you have read as If-Match, or "*" to change it whatever it is by now.',
      { field: 'If-Match' },
    )
  }
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (tags.includes('*') || tags.includes(entityTag)) return
  throw new RequestRefused('precondition-failed', 'It has changed since you have read it: read it again.', {
    field: 'If-Match',
  })
}
