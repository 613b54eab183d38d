import type { Links, LinkUse } from './links.ts'
import { StyleLinks } from './style-links.ts'

/** How the value of an attribute holds links. */
export type LinkSyntax = 'url' | 'form' | 'srcset' | 'urls' | 'style' | 'document'

/** How attributes hold links, and on which elements alone; one that no element knows does no harm. */
const attributes = new Map<string, { readonly syntax: LinkSyntax; readonly elements?: readonly string[] }>([
  ['href', { syntax: 'url' }],
  ['xlink:href', { syntax: 'url' }],
  ['src', { syntax: 'url' }],
  ['srcset', { syntax: 'srcset' }],
  ['imagesrcset', { syntax: 'srcset' }],
  ['poster', { syntax: 'url' }],
  ['background', { syntax: 'url' }],
  ['longdesc', { syntax: 'url' }],
  ['ping', { syntax: 'urls' }],
  ['style', { syntax: 'style' }],
  ['action', { syntax: 'form', elements: ['form'] }],
  ['formaction', { syntax: 'form', elements: ['button', 'input'] }],
  ['data', { syntax: 'url', elements: ['object'] }],
  ['manifest', { syntax: 'url', elements: ['html'] }],
  ['cite', { syntax: 'url', elements: ['blockquote', 'q', 'ins', 'del'] }],
  ['srcdoc', { syntax: 'document', elements: ['iframe'] }],
])

/** @returns undefined for attributes that hold no links @param element and attribute in lower case */
export function linkSyntaxOf(element: string, attribute: string): LinkSyntax | undefined {
  const kind = attributes.get(attribute)
  return kind?.elements === undefined || kind.elements.includes(element) ? kind?.syntax : undefined
}

/**
 * A value with its links replaced, without character references. Its other bytes stay as they are.
 *
 * @param use of an address in the syntax `form`
 */
export function withLinks(
  value: string,
  syntax: Exclude<LinkSyntax, 'document'>,
  links: Links,
  use: LinkUse = 'link',
): string {
  switch (syntax) {
    // An empty one means the page itself.
    case 'url':
      return value.trim() === '' ? value : (links.link(value, 'link') ?? value)
    case 'form':
      return (value.trim() === '' ? links.formWithoutAction?.(use) : links.link(value, use)) ?? value
    case 'urls':
      return value.replace(/[^\t\n\f\r ]+/g, (url) => links.link(url, 'link') ?? url)
    case 'srcset':
      return inSourceSet(value, links)
    case 'style': {
      if (!/url|import/i.test(value)) return value
      const style = new StyleLinks(links)
      return style.transform(value) + style.flush()
    }
  }
}

/**
 * Candidates, each with what says when it is taken: `a.png 2x, b.png 480w` (HTML standard, section 4.8.4.2.1). Commas belong to
 * an address unless they end it.
 */
const candidates = /([^\t\n\f\r ,][^\t\n\f\r ]*)((?:[^,(]|\([^)]*\)?)*,?)/g

function inSourceSet(value: string, links: Links): string {
  return value.replace(candidates, (_, address: string, descriptors: string) => {
    const url = address.replace(/(?<!,),+$/, '')
    // The descriptors of an address that ends with commas are those of the next one's place.
    const rest = address.slice(url.length)
    const replaced = links.link(url, 'link') ?? url
    return `${replaced}${rest}${rest === '' ? descriptors : inSourceSet(descriptors, links)}`
  })
}

/** Seconds, and where to go after them: `5; url=/next` (HTML standard, section 4.2.5.3). */
const refresh =
  /^([\t\n\f\r ]*[\d.]*[\t\n\f\r ]*(?:[;,][\t\n\f\r ]*)?)(url[\t\n\f\r ]*=[\t\n\f\r ]*)?(["']?)([\s\S]*)$/i

/** What a `Refresh` header or the `meta` element in its place says, with its link replaced. */
export function inRefresh(value: string, links: Links): string {
  const [, delay = '', label = '', quote = '', target = ''] = refresh.exec(value) ?? []
  const end = quote === '' ? target.length : target.indexOf(quote)
  const url = end < 0 ? target : target.slice(0, end)
  if (url === '' || !/[;,\t\n\f\r ]$/.test(delay)) return value
  const replaced = links.link(url, 'link')
  return replaced === undefined ? value : `${delay}${label}${quote}${replaced}${target.slice(url.length)}`
}

/** What a `Link` header says, with its links replaced (RFC 8288, section 3). What is not closed goes on to the end. */
export function inLinkHeader(value: string, links: Links): string {
  return value.replace(/<([^>]*)(>?)|"(?:[^"\\]|\\[\s\S])*"?/g, (whole, url?: string, end?: string) => {
    const replaced = url === undefined || end === '' ? undefined : links.link(url, 'link')
    return replaced === undefined ? whole : `<${replaced}>`
  })
}
