import { decodedReferences, encodedReferences } from './character-references.ts'
import { inRefresh, type LinkSyntax, linkSyntaxOf, withLinks } from './link-attributes.ts'
import type { Links, LinkUse } from './links.ts'
import type { StartTag, TagAttribute } from './tag-reader.ts'

/** What comes in the place of a piece of a text. */
export interface Replacement {
  readonly from: number
  readonly to: number
  readonly by: string
}

const nothing: readonly Replacement[] = []

/**
 * What becomes of the tags of one document, each in its turn: addresses in attributes, the digest of a style sheet that
 * changes, and the action of a form.
 */
export class TagLinks {
  readonly #links: Links
  readonly #inDocument: (document: string) => string
  /** How the last form that began uses its action: like a link, which is what GET does, or as a form. */
  #formUse: LinkUse = 'form'

  /** @param inDocument replaces the links of a document that is the value of an attribute */
  constructor(links: Links, inDocument: (document: string) => string) {
    this.#links = links
    this.#inDocument = inDocument
  }

  /** @returns in the order of the text */
  replacements(tag: StartTag): readonly Replacement[] {
    const { name, attributes } = tag
    if (name === 'base') {
      const href = valueNamed(tag, 'href')
      if (href !== undefined) this.#links.base?.(href)
      return nothing
    }
    if (attributes.length === 0 && name !== 'form') return nothing
    const replacements: Replacement[] = []
    if (name === 'form') {
      this.#formUse = useOfForm(tag, 'method')
      const action = attributeNamed(tag, 'action') === undefined ? this.#actionAt(tag) : undefined
      if (action !== undefined) replacements.push(action)
    }
    const isRefresh = name === 'meta' && valueNamed(tag, 'http-equiv')?.toLowerCase() === 'refresh'
    const isChangedSheet = name === 'link' && this.#isChangedSheet(tag)
    for (const attribute of attributes) {
      if (isChangedSheet && attribute.name === 'integrity') {
        replacements.push(withValue(tag, attribute, ''))
        continue
      }
      const syntax =
        isRefresh && attribute.name === 'content' ? 'refresh' : linkSyntaxOf(name, attribute.name)
      if (syntax === undefined) continue
      // Of several of one name browsers know the first.
      if (attributeNamed(tag, attribute.name) !== attribute) continue
      const value = decodedValue(tag, attribute)
      const replaced = this.#replaced(value, syntax, this.#useOf(attribute.name, tag))
      if (replaced !== value) replacements.push(withValue(tag, attribute, replaced))
    }
    return replacements
  }

  #replaced(value: string, syntax: LinkSyntax | 'refresh', use: LinkUse): string {
    if (syntax === 'refresh') return inRefresh(value, this.#links)
    return syntax === 'document' ? this.#inDocument(value) : withLinks(value, syntax, this.#links, use)
  }

  /** The action of a form that names none, behind its name. */
  #actionAt({ start }: StartTag): Replacement | undefined {
    const action = this.#links.formWithoutAction?.(this.#formUse)
    if (action === undefined) return undefined
    const at = start + '<form'.length
    return { from: at, to: at, by: ` action="${encodedReferences(action)}"` }
  }

  /** Whether a style sheet gets another address, and so other links of its own: then its digest would no longer be right. */
  #isChangedSheet(tag: StartTag): boolean {
    const href = valueNamed(tag, 'href')
    const isSheet =
      /(?:^|\s)stylesheet(?:\s|$)/i.test(valueNamed(tag, 'rel') ?? '') &&
      attributeNamed(tag, 'integrity') !== undefined
    return isSheet && href !== undefined && this.#links.link(href, 'link') !== undefined
  }

  /** What an attribute's address is for: buttons are as their forms unless they say otherwise. */
  #useOf(attribute: string, tag: StartTag): LinkUse {
    if (attribute === 'action') return this.#formUse
    if (attribute !== 'formaction') return 'link'
    const isOwn = attributeNamed(tag, 'formmethod') !== undefined
    return isOwn ? useOfForm(tag, 'formmethod') : this.#formUse
  }
}

/** @param attribute that names the method; GET without it */
function useOfForm(tag: StartTag, attribute: string): LinkUse {
  const method = valueNamed(tag, attribute)?.toLowerCase()
  return method === 'post' || method === 'dialog' ? 'link' : 'form'
}

/** The first attribute of a name, which is the one that browsers know. @param name in lower case */
export function attributeNamed({ attributes }: StartTag, name: string): TagAttribute | undefined {
  return attributes.find((attribute) => attribute.name === name)
}

/** The value of an attribute, without character references. @param name in lower case */
export function valueNamed(tag: StartTag, name: string): string | undefined {
  const attribute = attributeNamed(tag, name)
  return attribute && decodedValue(tag, attribute)
}

function decodedValue({ text, start }: StartTag, { valueStart, valueEnd }: TagAttribute): string {
  return decodedReferences(text.slice(start + valueStart, start + valueEnd))
}

function withValue({ start }: StartTag, attribute: TagAttribute, value: string): Replacement {
  const { valueStart, valueEnd, quote, isBare } = attribute
  const encoded = encodedReferences(value)
  const by = quote === '' ? `${isBare ? '=' : ''}"${encoded}"` : encoded
  return { from: start + valueStart, to: start + valueEnd, by }
}
