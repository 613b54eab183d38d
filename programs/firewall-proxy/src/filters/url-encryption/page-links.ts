import { parsedLink, trimmedLink } from '../../html/link-text.ts'
import type { Links, LinkUse } from '../../html/links.ts'
import type { Sealer } from '../sealer.ts'
import { encryptedPrefix, encryptedUrl } from './encrypted-url.ts'

/** Replacements that are remembered of all pages together. */
const rememberedMax = 50_000

/** Replacements of links that were made before. */
export class LinkMemory {
  readonly #pages = new Map<string, Map<string, string | undefined>>()
  #size = 0

  /** Those of pages in whose sight links mean the same. */
  of(page: string): Map<string, string | undefined> {
    const links = this.#pages.get(page) ?? new Map()
    this.#pages.set(page, links)
    return links
  }

  /** Counts one more; forgets all when they are too many. */
  grow(): void {
    if (++this.#size < rememberedMax) return
    this.#pages.clear()
    this.#size = 0
  }
}

/** A page in whose answer links are encrypted. */
export interface EncryptedPage {
  /** As the client said it. */
  readonly host: string
  /** For whom alone addresses are good. */
  readonly context: string
  readonly isSecure: boolean
  /** Path and query, plain. */
  readonly target: string
  /** Whether the browser knows it by an encrypted address, against which relative links mean something else. */
  readonly isEncrypted: boolean
  /** Whether an address stays plain. */
  readonly isExcluded: (target: string) => boolean
}

/** Scheme, `//` or nothing: what stands before the path of an address. */
const scheme = /^[a-z][a-z0-9+.-]*:/i

/**
 * Encrypts the links of a page that lead to the same host. Fragments stay behind them as they are. Left alone are links to other
 * hosts and of other schemes, those that name nothing but a fragment, and excluded ones; but a relative excluded link of a page
 * that is known by an encrypted address is made absolute.
 */
export class PageLinks implements Links {
  readonly #page: EncryptedPage
  readonly #sealer: Sealer
  readonly #memory: LinkMemory
  /** Replacements of links that mean the same on all pages of the host, and of those that depend on the page. */
  #ofHost: Map<string, string | undefined>
  #ofPage: Map<string, string | undefined>
  #base: URL | undefined
  #hasBase = false

  constructor(page: EncryptedPage, sealer: Sealer, memory: LinkMemory, ruleName: string) {
    this.#page = page
    this.#sealer = sealer
    this.#memory = memory
    this.#base = parsedLink(page.target, `http${page.isSecure ? 's' : ''}://${page.host}`)
    const sight = [ruleName, page.host, page.isSecure, page.isEncrypted]
    this.#ofHost = memory.of(JSON.stringify(sight))
    this.#ofPage = memory.of(JSON.stringify([...sight, this.#base?.pathname]))
  }

  base(href: string): void {
    if (this.#hasBase || this.#base === undefined) return
    this.#hasBase = true
    const base = parsedLink(href, this.#base.href)
    if (base === undefined) return
    this.#base = base
    this.#ofHost = new Map()
    this.#ofPage = new Map()
  }

  link(url: string, use: LinkUse): string | undefined {
    const key = use === 'form' ? `form ${url}` : url
    const remembered = /^\/(?![/\\])/.test(url) ? this.#ofHost : this.#ofPage
    const link = remembered.get(key)
    if (link !== undefined || remembered.has(key)) return link
    const replaced = this.#replaced(url, use)
    remembered.set(key, replaced)
    this.#memory.grow()
    return replaced
  }

  formWithoutAction(use: LinkUse): string | undefined {
    const { target, isExcluded } = this.#page
    return isExcluded(target) ? undefined : this.#encrypted(target, use)
  }

  #replaced(url: string, use: LinkUse): string | undefined {
    const text = trimmedLink(url)
    if (text === '' || text.startsWith('#') || this.#base === undefined) return undefined
    const [ownScheme] = scheme.exec(text) ?? []
    if (ownScheme !== undefined && !/^https?:$/i.test(ownScheme)) return undefined
    const link = parsedLink(text, this.#base.href)
    if (link === undefined || link.host !== parsedLink('/', `${link.protocol}//${this.#page.host}`)?.host)
      return undefined
    if (link.username !== '' || link.password !== '') return undefined
    const target = link.pathname + link.search
    if (target.startsWith(encryptedPrefix)) return undefined
    const isAbsolute = ownScheme !== undefined || /^[/\\]{2}/.test(text)
    const origin = isAbsolute || this.#isElsewhere(link) ? link.origin : ''
    if (!this.#page.isExcluded(target)) return origin + this.#encrypted(target, use) + link.hash
    const isMoved = this.#page.isEncrypted && !this.#hasBase && !isAbsolute && !/^[/\\]/.test(text)
    return isMoved ? target + link.hash : undefined
  }

  /** Whether a link without a host leads to another origin than that of the page, because of its base. */
  #isElsewhere(link: URL): boolean {
    return this.#hasBase && link.protocol !== (this.#page.isSecure ? 'https:' : 'http:')
  }

  #encrypted(target: string, use: LinkUse): string {
    return encryptedUrl(this.#sealer, target, use, this.#page.context)
  }
}
