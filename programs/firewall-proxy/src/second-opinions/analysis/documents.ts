import { whyHarmlessContentLines } from './content-lines.ts'
import { stringsOfGraphql } from './graphql.ts'
import { harmlessJson } from './json.ts'
import { bytesOf } from './text.ts'

/**
 * Why a text is harmless that is a whole document of JSON, GraphQL, contacts or calendars: nothing in it can be an attack but its strings, and
 * each of these is harmless by itself.
 *
 * @param isHarmless judges a string of the document, as a byte string
 * @returns undefined for other texts, and where a string may do harm
 */
export function whyHarmlessDocument(
  text: string,
  isHarmless: (value: string) => boolean,
): string | undefined {
  const ofJson = harmlessJson(text, isHarmless)
  if (ofJson !== undefined) return ofJson
  const ofLines = whyHarmlessContentLines(text, isHarmless)
  if (ofLines !== undefined) return ofLines
  const strings = stringsOfGraphql(text)
  if (strings === undefined || !strings.every((string) => isHarmless(bytesOf(string)))) return undefined
  return 'it is a document of GraphQL, each string of which is harmless by itself'
}
