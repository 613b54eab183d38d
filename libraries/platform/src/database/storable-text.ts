/**
 * Whether a text column of every store gives the text back as it is. PostgreSQL refuses the character NUL, and
 * half of a surrogate pair has no UTF-8, so it would come back as another character. Nothing that is stored can
 * carry such a name: answer "there is none" instead of asking the store.
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
