import { createHash } from 'node:crypto'
import type { ResponseHead } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue, withoutHeader } from '../../exchange/headers.ts'
import { changeHeaders } from '../../exchange/response-head.ts'

/**
 * What makes links of a page what they are, besides the page: the key and the rule. A browser that has kept a page asks whether it is
 * still true (RFC 9110, section 13). The server knows nothing of the links that were put into it, so entity tags of such pages say after
 * which edition they were made, and whether the server's own tag was a strong one:
 *
 *     "abc"  ──►  W/"abc~enc~s{edition}"          W/"abc"  ──►  W/"abc~enc~w{edition}"
 *
 * @param facts of which the edition is made @returns eight letters, digits, "-" and "_"
 */
export function editionOf(facts: unknown): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 8)
}

const tags = /(W\/)?"([^"]*)"/g
const marked = /^(.*)~enc~([sw])([\w-]{8})$/

/**
 * Tells the server only of what a client has whose links are of this edition, in the server's own words. Pages that were kept
 * before links were encrypted have no edition: where a page is asked for, tags without one are not told, nor are dates.
 *
 * @returns whether the client has something of this edition
 */
export function openValidators(exchange: Exchange, edition: string): boolean {
  const header = headerValue(exchange.headers, 'if-none-match')
  const isForPage = /text\/(?:html|css)|xhtml/i.test(headerValue(exchange.headers, 'accept') ?? '')
  if (header === undefined) {
    if (isForPage) exchange.headers = withoutHeader(exchange.headers, 'if-modified-since')
    return false
  }
  let isKnown = false
  const serverTags: string[] = []
  for (const [tag, , opaque = ''] of header.matchAll(tags)) {
    const [, own, strength, other] = marked.exec(opaque) ?? []
    if (own === undefined) {
      if (!isForPage) serverTags.push(tag)
    } else if (other === edition) {
      isKnown = true
      serverTags.push(`${strength === 'w' ? 'W/' : ''}"${own}"`)
    }
  }
  if (serverTags.join() === header || header.trim() === '*') return false
  // Without tags a date would count, which says as little about the links.
  const others = withoutHeader(withoutHeader(exchange.headers, 'if-none-match'), 'if-modified-since')
  exchange.headers = serverTags.length === 0 ? others : [...others, 'If-None-Match', serverTags.join(', ')]
  return isKnown
}

/**
 * Puts the edition into the entity tag of a page whose links were replaced. Its date is taken out, since it says too little.
 *
 * @param tag the server's own
 */
export function sealValidators(head: ResponseHead, edition: string, tag: string | undefined): void {
  const sealed = tag && markedTag(tag, edition)
  changeHeaders(head, (name, value) => {
    if (name === 'last-modified') return undefined
    return name === 'etag' ? (sealed ?? value) : value
  })
}

function markedTag(tag: string, edition: string): string {
  const [whole, isWeak, opaque] = new RegExp(tags.source).exec(tag) ?? []
  return whole === undefined ? tag : `W/"${opaque}~enc~${isWeak ? 'w' : 's'}${edition}"`
}
