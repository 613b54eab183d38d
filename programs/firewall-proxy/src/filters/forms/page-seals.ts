import { parseUrlEncoded } from '@palisade/seclang'
import type { OfferedValues } from '../../exchange/form-evidence.ts'
import { decodedReferences } from '../../html/character-references.ts'
import { parsedLink, trimmedLink } from '../../html/link-text.ts'
import type { Links, LinkUse } from '../../html/links.ts'
import { attributeNamed, valueNamed } from '../../html/tag-links.ts'
import type { StartTag } from '../../html/tag-reader.ts'
import { allNeeds, type FormNeeds, type NeedsOfAddresses } from './form-needs.ts'
import { parameterKey, valueDigest } from './form-seal.ts'
import { type FieldKind, PageForm } from './page-form.ts'

/** A page whose forms are sealed. */
export interface SealedPage {
  /** As the client said it. */
  readonly host: string
  readonly isSecure: boolean
  /** Path and query, as the browser knows them. */
  readonly target: string
  /** In lower case; empty where the head of the answer does not say. */
  readonly charset: string
}

/** What puts seals into a page. */
export interface SealingTools {
  readonly needs: NeedsOfAddresses
  /** The name of the field. */
  readonly parameter: string
  /** That of the field that people do not see; undefined where there is none. */
  readonly honeypot: string | undefined
  readonly seal: (paths: readonly string[], values: ReadonlyMap<string, OfferedValues>) => string
}

/** A reference to a character that {@link decodedReferences} does not know. */
const unknownReference = /&[a-z][a-z0-9]*;/i

/**
 * Puts a seal into forms and links of a page that lead to pages of the same origin and need one. Into forms it comes at their end, when all
 * is known that they have: fields, and buttons that may lead elsewhere; such a form gets none, since it would tell others the seal.
 */
export class PageSeals implements Links {
  readonly #tools: SealingTools
  readonly #page: SealedPage
  readonly #document: URL | undefined
  #base: URL | undefined
  #hasBase = false
  #charset: string
  /** Whose links are looked at; empty for headers. */
  #element = ''
  #form: PageForm | undefined
  #templates = 0
  #select: string | undefined
  /** The text of an option that has no value of its own. */
  #option: string | undefined

  constructor(page: SealedPage, tools: SealingTools) {
    this.#page = page
    this.#tools = tools
    this.#document = parsedLink(page.target, `http${page.isSecure ? 's' : ''}://${page.host}`)
    this.#base = this.#document
    this.#charset = page.charset
  }

  base(href: string): void {
    if (this.#hasBase || this.#document === undefined) return
    this.#hasBase = true
    this.#base = parsedLink(href, this.#document.href) ?? this.#base
  }

  link(url: string, use: LinkUse): string | undefined {
    if (use !== 'link' || !['', 'a', 'area', 'meta'].includes(this.#element) || !url.includes('?'))
      return undefined
    const target = this.#targetOf(url)
    if (target === 'elsewhere' || target.search.length < 2) return undefined
    const { needs: all, parameter, seal } = this.#tools
    const needs = all.of(target.pathname + target.search)
    const values = new Map(this.#offeredByLink(target, needs))
    if (!needs.ofUrls && values.size === 0) return undefined
    const [, before = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(url) ?? []
    const separator = /[?&]$/.test(before) ? '' : '&'
    const paths = isSealing(needs) ? [target.pathname] : []
    return `${before}${separator}${parameter}=${seal(paths, values)}${fragment}`
  }

  startTag(tag: StartTag): void {
    this.#endOption()
    this.#element = tag.name
    if (tag.name === 'form') this.#beginForm(tag)
    else if (tag.name === 'template') this.#templates++
    else if (tag.name === 'meta') this.#readMeta(tag)
    else if (this.#form !== undefined) this.#readField(tag, this.#form)
  }

  endTag(name: string): string | undefined {
    this.#endOption()
    if (name === 'select') this.#select = undefined
    if (name === 'template') this.#templates = Math.max(this.#templates - 1, 0)
    return name === 'form' ? this.#endForm() : undefined
  }

  text(piece: string): void {
    if (this.#option !== undefined && this.#option.length < optionMax) this.#option += piece
  }

  end(): string {
    return this.#endForm() ?? ''
  }

  #beginForm(tag: StartTag): void {
    // Browsers know no form inside another one, but in templates.
    if (this.#form !== undefined && this.#templates === 0) return
    const charset = valueNamed(tag, 'accept-charset')?.trim().toLowerCase()
    const isPost = valueNamed(tag, 'method')?.trim().toLowerCase() === 'post'
    const isUtf8 = charset === undefined ? this.#isUtf8 : charset === 'utf-8'
    this.#form = new PageForm(isPost ? 'post' : 'get', { takesAnyLetter: isUtf8 })
    this.#form.targets.push(this.#actionOf(valueNamed(tag, 'action')))
  }

  #readField(tag: StartTag, form: PageForm): void {
    const action = tag.name === 'button' || tag.name === 'input' ? valueNamed(tag, 'formaction') : undefined
    if (action !== undefined) form.targets.push(this.#actionOf(action))
    if (valueNamed(tag, 'formmethod')?.trim().toLowerCase() === 'post') form.method = 'post'
    if (tag.name === 'option' && this.#select !== undefined) {
      this.#beginOption(tag)
      return
    }
    const name = valueNamed(tag, 'name')
    // What names another form belongs to that one.
    if (name === undefined || name === '' || attributeNamed(tag, 'form') !== undefined) return
    if (tag.name === 'select') this.#select = name
    else if (tag.name === 'textarea') form.add(name, undefined, 'free')
    else if (tag.name === 'button') this.#add(form, name, valueNamed(tag, 'value') ?? '', 'chosen')
    else if (tag.name === 'input') this.#readInput(tag, form, name)
  }

  #readInput(tag: StartTag, form: PageForm, name: string): void {
    const type = valueNamed(tag, 'type')?.trim().toLowerCase() ?? 'text'
    const value = valueNamed(tag, 'value')
    if (type === 'hidden') {
      // Browsers write the name of the encoding there.
      if (name.toLowerCase() !== '_charset_') this.#add(form, name, value ?? '', 'hidden')
    } else if (type === 'radio' || type === 'checkbox') this.#add(form, name, value ?? 'on', 'chosen')
    else if (type === 'submit')
      form.add(name, value === undefined ? undefined : this.#certain(value, form), 'chosen')
    else if (type === 'image') for (const axis of 'xy') form.add(`${name}.${axis}`, undefined, 'free')
    else this.#add(form, name, value ?? '', 'free')
  }

  #add(form: PageForm, name: string, value: string, kind: FieldKind): void {
    form.add(name, this.#certain(value, form), kind)
  }

  /** @returns undefined for a value of which browsers may make another one than we do */
  #certain(value: string, { takesAnyLetter }: PageForm): string | undefined {
    const isCertain = (takesAnyLetter || !/[\x80-\xff]/.test(value)) && !unknownReference.test(value)
    return isCertain ? value : undefined
  }

  #beginOption(tag: StartTag): void {
    const value = valueNamed(tag, 'value')
    if (value === undefined) this.#option = ''
    else if (this.#form && this.#select !== undefined) this.#add(this.#form, this.#select, value, 'chosen')
  }

  #endOption(): void {
    if (this.#option === undefined) return
    const text = decodedReferences(this.#option).replace(/[\t\n\f\r ]+/g, ' ')
    if (this.#form && this.#select !== undefined) this.#add(this.#form, this.#select, text.trim(), 'chosen')
    this.#option = undefined
  }

  /** @returns the field that the form gets */
  #endForm(): string | undefined {
    const form = this.#form
    if (form === undefined) return undefined
    this.#form = undefined
    this.#select = undefined
    const targets = form.targets.filter((target) => target !== 'elsewhere')
    if (targets.length < form.targets.length) return undefined
    const all = targets.map((target) => this.#tools.needs.of(target.pathname + target.search))
    const needs = allNeeds(all)
    const isTimed = form.method === 'post' && needs.isTimed
    const isNeeded = form.method === 'post' ? needs.ofForms || isTimed : needs.ofUrls
    if (!isSealing(needs) && !isNeeded) return undefined
    const values = new Map(
      form.offered((key, isFixed) => (needs.fixesHidden && isFixed) || isNamed(key, needs)),
    )
    if (form.method === 'post') {
      for (const [index, target] of targets.entries()) {
        for (const [key, value] of this.#offeredByLink(target, all[index] ?? needs)) {
          values.set(key, together(values.get(key), value))
        }
      }
    }
    const paths = isSealing(needs) ? targets.map(({ pathname }) => pathname) : []
    const { parameter, honeypot, seal } = this.#tools
    const trap = isTimed && honeypot !== undefined ? honeypotField(honeypot) : ''
    return `${trap}<input type="hidden" name="${parameter}" value="${seal(paths, values)}" />`
  }

  #offeredByLink({ search }: URL, needs: FormNeeds): [string, OfferedValues][] {
    if (search.length < 2 || !(needs.fixesLinks || needs.sealed.length > 0)) return []
    const offered = new Map<string, OfferedValues>()
    for (const { name, value } of parseUrlEncoded(search.slice(1), '&').arguments) {
      const key = parameterKey(name)
      if (!needs.fixesLinks && !isNamed(key, needs)) continue
      const isCertain = this.#isUtf8 || !/[\x80-\xff]/.test(value)
      const one = { isFixed: needs.fixesLinks, digests: isCertain ? [valueDigest(value)] : ('any' as const) }
      offered.set(key, together(offered.get(key), one))
    }
    return [...offered]
  }

  /** A form without an action leads to its page, whatever the base. */
  #actionOf(action: string | undefined): URL | 'elsewhere' {
    if (action === undefined || trimmedLink(action) === '') return this.#document ?? 'elsewhere'
    return this.#targetOf(action)
  }

  #targetOf(url: string): URL | 'elsewhere' {
    const { host, isSecure } = this.#page
    const link = this.#base && parsedLink(trimmedLink(url), this.#base.href)
    if (link === undefined || !(link.protocol === 'https:' || (link.protocol === 'http:' && !isSecure))) {
      return 'elsewhere'
    }
    return link.host === parsedLink('/', `${link.protocol}//${host}`)?.host ? link : 'elsewhere'
  }

  get #isUtf8(): boolean {
    return this.#charset === 'utf-8' || this.#charset === 'utf8'
  }

  #readMeta(tag: StartTag): void {
    if (this.#charset !== '') return
    const [, inContent] = /charset\s*=\s*["']?([^\s;"']+)/i.exec(valueNamed(tag, 'content') ?? '') ?? []
    this.#charset = (valueNamed(tag, 'charset') ?? inContent ?? '').trim().toLowerCase()
  }
}

/** The text of an option is read so far. */
const optionMax = 1024

/** A field that neither eyes nor the keyboard reach, and that browsers fill in for nobody. */
function honeypotField(name: string): string {
  return `<input type="text" name="${name}" value="" hidden="hidden" style="display:none!important" tabindex="-1" autocomplete="off" aria-hidden="true" />`
}

function isSealing({ fixesHidden, sealed }: FormNeeds): boolean {
  return fixesHidden || sealed.length > 0
}

function isNamed(key: string, { sealed }: FormNeeds): boolean {
  return sealed.some((fits) => fits(key))
}

function together(one: OfferedValues | undefined, other: OfferedValues): OfferedValues {
  if (one === undefined) return other
  const digests =
    one.digests === 'any' || other.digests === 'any'
      ? 'any'
      : [...new Set([...one.digests, ...other.digests])]
  return { isFixed: one.isFixed || other.isFixed, digests }
}
