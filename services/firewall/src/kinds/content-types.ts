import { texts } from './conversions.ts'
import type { Value } from './values.ts'

const bracketedSlash = '[/]'

/** Content types as headers have them, in lower case; the slash of one may have been written in brackets. */
export function contentTypesIn(value: Value | undefined): string[] {
  return texts(value).map((type) => type.toLowerCase().replace(bracketedSlash, '/'))
}

/**
 * Content types as regular expressions for the whole type. One whose slash stands in brackets is such an expression already; in
 * another one "*" stands for any characters, and everything else for itself.
 */
export function contentTypeExpressionsIn(value: Value | undefined): string[] {
  return texts(value).map((type) => (type.includes(bracketedSlash) ? type : literal(type.toLowerCase())))
}

function literal(type: string): string {
  return type.replace(/[.+^$|]/g, String.raw`\$&`).replaceAll('*', '.*')
}
