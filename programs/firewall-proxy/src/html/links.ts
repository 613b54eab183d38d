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
}

/** How a browser follows a link: as an address, or with the fields of a form. */
export type LinkUse = 'link' | 'form'
