import { withoutQuery } from '../../exchange/address.ts'
import type { ResponseHead } from '../../exchange/answer.ts'
import { headerValue } from '../../exchange/headers.ts'
import { changeHeaders, mediaTypeOf } from '../../exchange/response-head.ts'

/** What pages are made of, and nobody keeps as a file. */
const ofPages =
  /^(?:$|text\/(?:html|css|javascript)$|application\/(?:xhtml\+xml|javascript|json|manifest\+json)$)/

/**
 * Names a file by its plain address, as browsers would do that know only an encrypted one (RFC 6266), unless the server has named it.
 *
 * @param target its path and query, plain
 */
export function nameFile(head: ResponseHead, target: string): void {
  if (![200, 206].includes(head.status) || ofPages.test(mediaTypeOf(head).type)) return
  const path = withoutQuery(target)
  const name = extendedValue(path.slice(path.lastIndexOf('/') + 1))
  if (name === '') return
  const disposition = headerValue(head.headers, 'content-disposition')
  if (disposition === undefined) {
    head.headers.push('Content-Disposition', `inline; filename*=UTF-8''${name}`)
  } else if (!/;\s*filename\*?\s*=/i.test(disposition)) {
    changeHeaders(head, (header, value) =>
      header === 'content-disposition' ? `${value}; filename*=UTF-8''${name}` : value,
    )
  }
}

/** A segment of a path as RFC 8187 writes values: UTF-8, percent-encoded; empty where it is not UTF-8. */
function extendedValue(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment)).replace(
      /['()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  } catch {
    // A name that cannot be read is not told: browsers then make one up.
    return ''
  }
}
