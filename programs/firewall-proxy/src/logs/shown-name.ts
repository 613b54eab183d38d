/** What begins something else than a name, such as a value or a document of JSON; values may be ones that no log may show. */
const otherText = /["'{}<>=&;%\\,|`].*$/s

/**
 * A name that a client chose as logs show it: short, of harmless characters, and without what looks like the value of another name.
 *
 * @param charactersMax how long it may be
 */
export function shownName(name: string, charactersMax = 64): string {
  const short = name.slice(0, charactersMax)
  return short.replace(otherText, '…').replace(/[^\w.[\]$:@…-]/g, '?')
}
