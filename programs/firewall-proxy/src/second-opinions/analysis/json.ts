import { bytesOf } from './text.ts'

/** How deep a document is followed. */
const depthMax = 32

/** Says which member is meant, and is looked for by that name alone. */
const plainName = /^[A-Za-z_]\w{0,63}$/

/**
 * Why a text is harmless that is a document of JSON, or has one in each of several lines, as clients report events in one request: each string
 * is by itself, and each name that is no plain word.
 *
 * @param isHarmless judges a string of a document, as a byte string
 * @returns undefined for what is no object and no list of JSON, or has a part that may do harm
 */
export function harmlessJson(text: string, isHarmless: (value: string) => boolean): string | undefined {
  return harmlessDocument(text, isHarmless) ?? harmlessLines(text, isHarmless)
}

function harmlessDocument(text: string, isHarmless: (value: string) => boolean): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return undefined
  }
  return isHarmlessPart(document, isHarmless, depthMax)
    ? 'it is a document of JSON, each string of which is harmless by itself'
    : undefined
}

function harmlessLines(text: string, isHarmless: (value: string) => boolean): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  if (lines.length < 2 || !lines.every((line) => harmlessDocument(line, isHarmless) !== undefined))
    return undefined
  return 'it has a document of JSON in each line, each string of which is harmless by itself'
}

function isHarmlessPart(part: unknown, isHarmless: (value: string) => boolean, depth: number): boolean {
  if (depth === 0) return false
  if (typeof part === 'string') return isHarmless(bytesOf(part))
  if (typeof part !== 'object' || part === null) return true
  const isList = Array.isArray(part)
  return Object.entries(part).every(
    ([name, value]) =>
      (isList || plainName.test(name) || isHarmless(bytesOf(name))) &&
      isHarmlessPart(value, isHarmless, depth - 1),
  )
}
