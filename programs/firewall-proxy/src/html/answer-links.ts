import type { BodyFilter, ResponseHead } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { changeHeaders, forgetBytes, hasReadableBody, mediaTypeOf } from '../exchange/response-head.ts'
import { HtmlLinks } from './html-links.ts'
import { inLinkHeader, inRefresh } from './link-attributes.ts'
import type { Links } from './links.ts'
import { StyleSheetLinks } from './style-sheet-links.ts'

const inHeaders: Readonly<Record<string, (value: string, links: Links) => string>> = {
  location: (value, links) => links.link(value, 'link') ?? value,
  'content-location': (value, links) => links.link(value, 'link') ?? value,
  refresh: inRefresh,
  link: inLinkHeader,
}

/** Replaces the links in the headers of an answer: `Location`, `Content-Location`, `Refresh` and `Link`. */
export function replaceHeaderLinks(head: ResponseHead, links: Links): void {
  changeHeaders(head, (name, value) =>
    Object.hasOwn(inHeaders, name) ? (inHeaders[name]?.(value, links) ?? value) : value,
  )
}

/**
 * What replaces the links in the body of an answer, if it is HTML, XHTML or a style sheet that can be read. The head is made
 * true of it.
 */
export function bodyLinks(exchange: Exchange, head: ResponseHead, links: Links): BodyFilter | undefined {
  const { type, charset } = mediaTypeOf(head)
  const isHtml = type === 'text/html'
  const isXhtml = type === 'application/xhtml+xml'
  if (!(isHtml || isXhtml || type === 'text/css')) return undefined
  if (charset.startsWith('utf-16') || charset.startsWith('utf-32') || !hasReadableBody(exchange, head))
    return undefined
  forgetBytes(head)
  return isHtml || isXhtml ? new HtmlLinks(links, { isXml: isXhtml }) : new StyleSheetLinks(links)
}
