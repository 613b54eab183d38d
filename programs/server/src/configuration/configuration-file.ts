import { readUnforgedFile } from '@palisade/private-files'
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml'

/** Where something stands in a file. */
interface Place {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

/** What is wrong in a file. */
export interface FileFault extends Place {
  /** Without a full stop; never a text of the file, which may be a secret. */
  readonly message: string
}

type Path = readonly (string | number)[]

const begin: Place = { line: 1, column: 1 }

/** A configuration file, JSON or YAML, which is a superset of JSON: what it holds, and where. */
export class ConfigurationFile {
  /** What it holds; nothing where it holds something else than members. Of a member that is given twice the last. */
  readonly document: Record<string, unknown>
  /** Everything that is wrong with it as YAML, and members that are given twice. */
  readonly faults: readonly FileFault[]
  /** Whether it is as far from YAML that members may be missing which it seems not to have. */
  readonly isGarbled: boolean
  readonly #lines = new LineCounter()
  readonly #yaml: ReturnType<typeof parseDocument>

  /** @throws the system's error where it cannot be read; OpenToOthers where others may write it */
  static read(path: string): ConfigurationFile {
    return new ConfigurationFile(readUnforgedFile(path).toString())
  }

  constructor(text: string) {
    this.#yaml = parseDocument(text, {
      lineCounter: this.#lines,
      uniqueKeys: false,
      // Its warnings have text of the file in them.
      logLevel: 'error',
    })
    const garbled = [...this.#syntaxFaults(), ...this.#aliasFaults()]
    const repeated = this.#repeatedMembers(this.#yaml.contents, [])
    const { members, fault } = garbled.length > 0 ? { members: {}, fault: undefined } : this.#read()
    this.isGarbled = garbled.length > 0 || fault !== undefined
    this.document = members
    this.faults = [...garbled, ...repeated, ...(fault === undefined ? [] : [{ ...begin, message: fault }])]
  }

  /**
   * Where a member stands: its name, or the begin of an item in a list. Where the file does not have it, whatever is nearest above it.
   *
   * @returns also whether the file has it
   */
  placeOf(path: Path): Place & { readonly isThere: boolean } {
    let node: unknown = this.#yaml.contents
    let place = this.#placeOf(node)
    for (const member of path) {
      const inner = isAlias(node) ? node.resolve(this.#yaml) : node
      if (isMap(inner)) {
        const pair = inner.items.findLast(({ key }) => nameOf(key) === String(member))
        if (pair === undefined) return { ...place, isThere: false }
        place = this.#placeOf(pair.key)
        node = pair.value
      } else if (isSeq(inner) && Number(member) < inner.items.length) {
        node = inner.items[Number(member)]
        place = this.#placeOf(node)
      } else return { ...place, isThere: false }
    }
    return { ...place, isThere: true }
  }

  #read(): { members: Record<string, unknown>; fault: string | undefined } {
    let document: unknown
    try {
      document = this.#yaml.toJS()
    } catch {
      return { members: {}, fault: 'the file has too many aliases' }
    }
    if (document === null || document === undefined) return { members: {}, fault: undefined }
    if (typeof document === 'object' && !Array.isArray(document))
      return { members: { ...document }, fault: undefined }
    const what = Array.isArray(document) ? 'a list' : 'one value'
    const fault = `the file must hold members, such as "log: { level: info }"; it holds ${what}`
    return { members: {}, fault }
  }

  /** The parser's own words repeat the line, and passwords in it. */
  #syntaxFaults(): FileFault[] {
    return [...this.#yaml.errors, ...this.#yaml.warnings].map(({ code, pos: [offset] }) => ({
      ...this.#placeAt(offset),
      message: sentenceOf(code),
    }))
  }

  #aliasFaults(): FileFault[] {
    const faults: FileFault[] = []
    visit(this.#yaml, {
      Alias: (_key, alias, above) => {
        const target = alias.resolve(this.#yaml)
        if (target !== undefined && !above.includes(target)) return
        const what = target === undefined ? 'what is not there' : 'what it is in'
        const message = `an alias of ${what}: text that begins with * has to be quoted`
        faults.push({ ...this.#placeOf(alias), message })
      },
    })
    return faults
  }

  #repeatedMembers(node: unknown, path: Path): FileFault[] {
    if (isSeq(node)) return node.items.flatMap((item, index) => this.#repeatedMembers(item, [...path, index]))
    if (!isMap(node)) return []
    const firstPlaces = new Map<string, Place>()
    return node.items.flatMap(({ key, value }) => {
      const name = nameOf(key)
      if (name === undefined) return []
      const inner = [...path, name]
      const place = this.#placeOf(key)
      const first = firstPlaces.get(name)
      if (first === undefined) firstPlaces.set(name, place)
      const message = `${inner.map(shownName).join('.')} is given twice: line ${first?.line} has it already`
      return [...(first === undefined ? [] : [{ ...place, message }]), ...this.#repeatedMembers(value, inner)]
    })
  }

  #placeOf(node: unknown): Place {
    return isNode(node) && node.range ? this.#placeAt(node.range[0]) : begin
  }

  #placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
}

const shownMax = 40

/** The name of a member as messages have it: quoted only when it could be taken for something else. */
export function shownName(member: string | number): string {
  const name = String(member)
  return /^[\w-]{1,40}$/.test(name) ? name : JSON.stringify(name.slice(0, shownMax))
}

/** @returns undefined for what no member is called, such as a list */
function nameOf(key: unknown): string | undefined {
  return isScalar(key) ? String(key.value ?? '') : undefined
}

/** What is meant by faults that many files have; the others are called as the parser calls them. */
const sentences: { readonly [Code in YAMLError['code']]?: string } = {
  BAD_INDENT: 'wrong indentation, or a bracket before this is not closed',
  BLOCK_AS_IMPLICIT_KEY: 'a member cannot begin here: text with a colon has to be quoted',
  MISSING_CHAR: 'something is missing here: a bracket, a comma, a colon or a quotation mark',
  MULTILINE_IMPLICIT_KEY:
    'the name of a member must be in one line: a colon or a quotation mark may be missing',
  MULTIPLE_DOCS: 'a second document begins here, and there must be one',
  TAB_AS_INDENT: 'indented by a tab: use blanks',
  TAG_RESOLVE_FAILED: 'a tag that nobody knows: text that begins with ! has to be quoted',
}

function sentenceOf(code: YAMLError['code']): string {
  return sentences[code] ?? code.toLowerCase().replaceAll('_', ' ')
}
