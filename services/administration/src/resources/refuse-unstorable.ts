import { isStorableText, RequestRefused } from '@palisade/platform'

/** Text that the store cannot hold, such as NUL, is refused wherever it stands in a body. */
export function refuseUnstorable(body: unknown, field = ''): void {
  if (typeof body === 'string' && !isStorableText(body)) {
    throw new RequestRefused(
      'bad-request',
      `${field} must be text without NUL and without half of a surrogate pair.`,
      { field },
    )
  }
  if (typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body))
    refuseUnstorable(value, field === '' ? name : `${field}.${name}`)
}
