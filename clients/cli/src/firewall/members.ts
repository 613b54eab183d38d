import { readFileSync } from 'node:fs'
import { UsageError } from '../connection.ts'
import type { Fields } from './kinds.ts'
import { findWord } from './nearest.ts'

/** The values of an object, or of a section of it, by the names of fields. */
export type Members = Readonly<Record<string, unknown>>

/**
 * The members in `port=8080 san-certificate=DNS:a,DNS:b certificate=@shop.pem`: with `@`, the text of a file without its last line end; a list with commas,
 * or as many pairs.
 *
 * @param what the kind, or the section, as a sentence names it
 * @throws UsageError for what is no pair, no field or no value of it
 */
export function membersIn(pairs: readonly string[], fields: Fields, what: string): Members {
  const members = new Map<string, unknown>()
  for (const pair of pairs) {
    const [, word, text] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
    if (word === undefined || text === undefined) {
      throw new UsageError(`${pair} is no FIELD=VALUE.`)
    }
    const writable = Object.keys(fields).filter((name) => !fields[name]?.isReadOnly)
    const name = findWord(word, writable, 'field', ` of ${what}`)
    const value = text.startsWith('@') ? textOfFile(text.slice(1)).replace(/\r?\n$/, '') : text
    const { isList = false, values } = fields[name] ?? {}
    const items = isList ? itemsIn(value) : [value]
    const names =
      values && !values.includes('')
        ? items.map((item) => findWord(item, values, 'value', ` of ${name}`))
        : items
    const before = members.get(name)
    if (before === undefined) members.set(name, isList ? names : names[0])
    else if (Array.isArray(before)) members.set(name, [...before, ...names])
    else throw new UsageError(`${name} is given twice.`)
  }
  return Object.fromEntries(members)
}

/** Certificates are lists with line ends and no commas. */
function itemsIn(text: string): string[] {
  return text === '' ? [] : text.split(',').map((item) => item.trim())
}

/**
 * The text of a file, or of standard input for `-`.
 *
 * @throws UsageError when it cannot be read
 */
export function textOfFile(file: string, encoding: 'utf8' | 'base64' = 'utf8'): string {
  try {
    return readFileSync(file === '-' ? 0 : file, encoding)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}
