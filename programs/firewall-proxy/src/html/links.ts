import type { StartTag } from './tag-reader.ts'

/** What becomes of the links of a document. All texts are byte strings. */
export interface Links {
  /**
   * @param url as a browser reads it, with its blanks
   * @param use `form` where a browser puts fields in the place of the query: in forms whose method is GET
   * @returns what stands in its place; undefined to leave it as it is
   */
  link(url: string, use: LinkUse): string | undefined
  /** The address against which the links that follow are meant. */
  base?(href: string): void
  /** @returns the action of a form that names none; undefined to leave it without */
  formWithoutAction?(use: LinkUse): string | undefined
  /** Told of each start tag of HTML, before its links are replaced. */
  startTag?(tag: StartTag): void
  /** Told of each end tag. @param name in lower case @returns what stands before it from now on; undefined for nothing */
  endTag?(name: string): string | undefined
  /** Told of text between tags, in pieces, as it is written. */
  text?(piece: string): void
  /** @returns what stands at the end of the document from now on */
  end?(): string
}

/** How a browser follows a link: as an address, or with the fields of a form. */
export type LinkUse = 'link' | 'form'
