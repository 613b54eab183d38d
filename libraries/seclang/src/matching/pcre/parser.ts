import { ByteSet, byteSets } from './byte-set.ts'
import { readCharacterClass } from './character-class.ts'
import { type Escape, readEscape } from './escapes.ts'
import { type PatternOptions, ruleOptions, switchOptions } from './options.ts'
import { readQuantifier } from './quantifier.ts'
import { Reader } from './reader.ts'
import { SyntaxFailure } from './syntax-failure.ts'
import { childrenOf, type LookNode, type PatternNode, type PatternTree } from './tree.ts'

/** One line break: `\r\n` as a whole, or one of the single ones. */
const lineBreak: PatternNode = {
  kind: 'atomic',
  item: {
    kind: 'alternation',
    branches: [
      {
        kind: 'sequence',
        items: [
          { kind: 'bytes', set: ByteSet.of('\r') },
          { kind: 'bytes', set: ByteSet.of('\n') },
        ],
      },
      { kind: 'bytes', set: byteSets.verticalSpace },
    ],
  },
}

const lookarounds: readonly (readonly [string, Pick<LookNode, 'direction' | 'negative'>])[] = [
  ['?=', { direction: 'ahead', negative: false }],
  ['?!', { direction: 'ahead', negative: true }],
  ['?<=', { direction: 'behind', negative: false }],
  ['?<!', { direction: 'behind', negative: true }],
]

/**
 * Reads a PCRE pattern as ModSecurity compiles it.
 *
 * @throws {SyntaxFailure} when it is no such pattern, or has something that this library does not know
 */
export function parsePattern(source: string): PatternTree {
  return new Parser(source).parse()
}

class Parser {
  readonly #reader: Reader
  readonly #names = new Map<string, number>()
  #options: PatternOptions = ruleOptions
  #captures = 0

  constructor(source: string) {
    this.#reader = new Reader(source)
  }

  parse(): PatternTree {
    const root = this.#parseAlternation()
    if (!this.#reader.isAtEnd) this.#reader.fail('a closing parenthesis has no opening one')
    checkReferences(root, this.#captures)
    return { root, captures: this.#captures }
  }

  /** Everything up to the end of the group, which is left to be taken. Options switched inside end with it. */
  #parseAlternation(): PatternNode {
    const options = this.#options
    const branches = [this.#parseBranch()]
    while (this.#reader.take('|')) branches.push(this.#parseBranch())
    this.#options = options
    return joinBranches(branches)
  }

  #parseBranch(): PatternNode {
    const items: PatternNode[] = []
    while (true) {
      this.#skipWhatDoesNotCount()
      if (this.#reader.isAtEnd || this.#reader.peek() === '|' || this.#reader.peek() === ')') break
      if (this.#reader.isAtOneOf('\\(')) items.push(...this.#parseAtoms())
      else items.push(this.#parseCharacter())
      this.#parseQuantifier(items)
    }
    return items.length === 1 && items[0] ? items[0] : { kind: 'sequence', items }
  }

  /** A quantifier belongs to the last item. A second one has nothing to repeat. */
  #parseQuantifier(items: PatternNode[]): void {
    this.#skipWhatDoesNotCount()
    const quantifier = readQuantifier(this.#reader, this.#options)
    if (!quantifier) return
    const item = items.pop() ?? this.#reader.fail('a quantifier has nothing to repeat')
    items.push({ kind: 'repeat', item, ...quantifier })
  }

  #skipWhatDoesNotCount(): void {
    if (!this.#options.extended && !this.#reader.isAtOneOf('(\\')) return
    while (this.#skipComment() || this.#reader.take('\\E') || this.#skipBlanks()) {}
  }

  #skipComment(): boolean {
    if (!this.#reader.take('(?#')) return false
    if (!this.#reader.takeUntil(')').found) this.#reader.fail('a comment has no end')
    return true
  }

  #skipBlanks(): boolean {
    if (!this.#options.extended) return false
    if (this.#reader.match(/[\t-\r ]+/y)) return true
    if (!this.#reader.take('#')) return false
    this.#reader.takeUntil('\n')
    return true
  }

  /** What begins with a backslash or a parenthesis: usually one node; none for a switch of options, several for a quotation. */
  #parseAtoms(): readonly PatternNode[] {
    if (this.#reader.take('\\Q')) {
      return [...this.#reader.takeUntil('\\E').text].map((character) => this.#literal(character))
    }
    if (this.#reader.take('\\')) return [this.#escaped(readEscape(this.#reader, this.#captures))]
    this.#reader.next()
    return this.#parseGroup()
  }

  #parseCharacter(): PatternNode {
    if (readQuantifier(this.#reader, this.#options)) this.#reader.fail('a quantifier has nothing to repeat')
    const character = this.#reader.next()
    const { dotAll, multiline } = this.#options
    if (character === '[') return { kind: 'bytes', set: readCharacterClass(this.#reader, this.#options) }
    if (character === '.')
      return { kind: 'bytes', set: dotAll ? byteSets.all : byteSets.newline.complement() }
    if (character === '^') return { kind: 'assertion', position: multiline ? 'lineStart' : 'start' }
    if (character === '$') return { kind: 'assertion', position: multiline ? 'lineEnd' : 'end' }
    return this.#literal(character)
  }

  #literal(character: string): PatternNode {
    const set = ByteSet.of(character)
    if (set.size === 0) this.#reader.fail('the pattern has a character above U+00FF and is no byte string')
    return { kind: 'bytes', set: this.#options.ignoreCase ? set.ignoringCase() : set }
  }

  #escaped(escaped: Escape): PatternNode {
    switch (escaped.kind) {
      case 'byte':
        return this.#literal(String.fromCharCode(escaped.byte))
      case 'set':
        return { kind: 'bytes', set: escaped.set }
      case 'position':
        return { kind: 'assertion', position: escaped.position }
      case 'lineBreak':
        return lineBreak
      case 'nothing':
        return { kind: 'sequence', items: [] }
      case 'reference':
        return this.#reference(escaped.to, escaped.isRelative)
    }
  }

  #reference(to: number | string, isRelative: boolean): PatternNode {
    const index = typeof to === 'string' ? this.#names.get(to) : isRelative ? this.#relative(to) : to
    if (index === undefined) return this.#reader.fail(`no group so far is named ${to}`)
    return { kind: 'backReference', index, ignoreCase: this.#options.ignoreCase }
  }

  #relative(to: number): number {
    return to < 0 ? this.#captures + 1 + to : this.#captures + to
  }

  /** What follows an opening parenthesis. */
  #parseGroup(): readonly PatternNode[] {
    const reader = this.#reader
    if (reader.take('?:')) return [this.#parseInside()]
    if (!reader.isAtOneOf('?*')) {
      return [this.#options.noCaptures ? this.#parseInside() : this.#parseCapture(undefined)]
    }
    if (reader.peek() === '*') reader.fail('verbs (*…) are not supported')
    for (const [opening, look] of lookarounds) {
      if (reader.take(opening)) return [{ kind: 'look', ...look, item: this.#parseInside() }]
    }
    if (reader.take('?>')) return [{ kind: 'atomic', item: this.#parseInside() }]
    if (reader.take('?|')) return [this.#parseBranchReset()]
    const name = reader.match(/\?P?<([A-Za-z_]\w*)>|\?'([A-Za-z_]\w*)'/y)
    if (name) return [this.#parseCapture(name[1] ?? name[2])]
    const reference = reader.match(/\?P=([A-Za-z_]\w*)\)/y)
    if (reference?.[1]) return [this.#reference(reference[1], false)]
    const switches = reader.match(/\?(\^?[imsxnJU]*(?:-[imsxnU]*)?)([:)])/y)
    if (switches) return this.#parseSwitches(switches[1] ?? '', switches[2] === ':')
    return reader.fail('this kind of group is not supported')
  }

  /** `(?i)` for the rest of the group that it stands in, `(?i:…)` for what it encloses. */
  #parseSwitches(switches: string, encloses: boolean): readonly PatternNode[] {
    const options = this.#options
    this.#options = switchOptions(options, switches)
    if (!encloses) return []
    const item = this.#parseInside()
    this.#options = options
    return [item]
  }

  #parseCapture(name: string | undefined): PatternNode {
    const index = ++this.#captures
    if (name !== undefined) {
      if (this.#names.has(name)) this.#reader.fail(`two groups are named ${name}`)
      this.#names.set(name, index)
    }
    return { kind: 'capture', index, item: this.#parseInside() }
  }

  /** The branches of `(?|…)` count their groups from the same number. */
  #parseBranchReset(): PatternNode {
    const options = this.#options
    const capturesBefore = this.#captures
    let capturesMax = capturesBefore
    const branches: PatternNode[] = []
    do {
      this.#captures = capturesBefore
      branches.push(this.#parseBranch())
      capturesMax = Math.max(capturesMax, this.#captures)
    } while (this.#reader.take('|'))
    this.#captures = capturesMax
    this.#options = options
    this.#close()
    return joinBranches(branches)
  }

  #parseInside(): PatternNode {
    const inside = this.#parseAlternation()
    this.#close()
    return inside
  }

  #close(): void {
    if (!this.#reader.take(')')) this.#reader.fail('a group is not closed')
  }
}

function joinBranches(branches: readonly PatternNode[]): PatternNode {
  const [only] = branches
  return branches.length === 1 && only ? only : { kind: 'alternation', branches }
}

function checkReferences(node: PatternNode, captures: number): void {
  if (node.kind === 'backReference' && (node.index < 1 || node.index > captures)) {
    throw new SyntaxFailure(`there is no group ${node.index} to refer to`)
  }
  for (const child of childrenOf(node)) checkReferences(child, captures)
}
