/** What a document is made of. Comments are left out on purpose: what stands in them is read by nobody, and may be anything. */
const piece =
  /(?:[\s,\ufeff]+)|(?<name>[A-Za-z_]\w*)|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))|(?<string>"""[^"\\]*"""|"(?:[^"\\\r\n]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*")|(?<mark>\.{3}|[!$&()=:@[\]{|}])/y

interface Piece {
  readonly kind: 'name' | 'number' | 'string' | 'mark' | 'end'
  readonly text: string
}

/** How deep selections and values may lie within each other. */
const depthMax = 64

/** How many pieces a document may have. */
const piecesMax = 20_000

const end: Piece = { kind: 'end', text: '' }

/**
 * The strings of a document of GraphQL with operations and fragments (GraphQL, October 2021, section 2), decoded.
 *
 * @returns undefined for what is no such document as a whole, or has comments
 */
export function stringsOfGraphql(text: string): readonly string[] | undefined {
  if (!/^\s*(?:query|mutation|subscription|fragment|\{)/.test(text)) return undefined
  const pieces = piecesOf(text)
  if (pieces === undefined) return undefined
  return new Parser(pieces).isDocument()
    ? pieces.filter(({ kind }) => kind === 'string').map(stringOf)
    : undefined
}

function piecesOf(text: string): Piece[] | undefined {
  const pieces: Piece[] = []
  piece.lastIndex = 0
  while (piece.lastIndex < text.length) {
    const match = piece.exec(text)
    if (match === null || pieces.length > piecesMax) return undefined
    const kind = (['name', 'number', 'string', 'mark'] as const).find(
      (one) => match.groups?.[one] !== undefined,
    )
    if (kind !== undefined) pieces.push({ kind, text: match[0] })
  }
  return pieces
}

function stringOf({ text }: Piece): string {
  return text.startsWith('"""') ? text.slice(3, -3) : (JSON.parse(text) as string)
}

/** Reads pieces by the grammar. Each method says whether its part of the grammar is there, and goes behind it. */
class Parser {
  readonly #pieces: readonly Piece[]
  #at = 0
  #depth = 0

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces
  }

  isDocument(): boolean {
    if (this.#pieces.length === 0) return false
    while (this.#at < this.#pieces.length) if (!this.#isDefinition()) return false
    return true
  }

  get #next(): Piece {
    return this.#pieces[this.#at] ?? end
  }

  #takes(text: string): boolean {
    if (this.#next.text !== text || this.#next.kind === 'string') return false
    this.#at++
    return true
  }

  #takesKind(kind: Piece['kind']): boolean {
    if (this.#next.kind !== kind) return false
    this.#at++
    return true
  }

  #isDefinition(): boolean {
    if (this.#next.text === '{') return this.#isSelectionSet()
    if (this.#takes('fragment')) {
      return (
        this.#takesKind('name') &&
        this.#takes('on') &&
        this.#takesKind('name') &&
        this.#areDirectives() &&
        this.#isSelectionSet()
      )
    }
    if (!(this.#takes('query') || this.#takes('mutation') || this.#takes('subscription'))) return false
    this.#takesKind('name')
    return this.#areVariables() && this.#areDirectives() && this.#isSelectionSet()
  }

  #areVariables(): boolean {
    if (!this.#takes('(')) return true
    do {
      if (!(this.#takes('$') && this.#takesKind('name') && this.#takes(':') && this.#isType())) return false
      if (this.#takes('=') && !this.#isValue()) return false
      if (!this.#areDirectives()) return false
    } while (!this.#takes(')'))
    return true
  }

  #isType(): boolean {
    let open = 0
    while (this.#takes('[')) open++
    if (!this.#takesKind('name')) return false
    this.#takes('!')
    for (; open > 0; open--) {
      if (!this.#takes(']')) return false
      this.#takes('!')
    }
    return true
  }

  #areDirectives(): boolean {
    while (this.#takes('@')) if (!(this.#takesKind('name') && this.#areArguments())) return false
    return true
  }

  #areArguments(): boolean {
    if (!this.#takes('(')) return true
    do {
      if (!(this.#takesKind('name') && this.#takes(':') && this.#isValue())) return false
    } while (!this.#takes(')'))
    return true
  }

  #isValue(): boolean {
    if (this.#takes('$')) return this.#takesKind('name')
    if (this.#takesKind('number') || this.#takesKind('string') || this.#takesKind('name')) return true
    if (this.#takes('[')) return this.#isWithin(']', () => this.#isValue())
    if (!this.#takes('{')) return false
    return this.#isWithin('}', () => this.#takesKind('name') && this.#takes(':') && this.#isValue())
  }

  #isSelectionSet(): boolean {
    if (!this.#takes('{') || this.#next.text === '}') return false
    return this.#isWithin('}', () => this.#isSelection())
  }

  #isSelection(): boolean {
    if (this.#takes('...')) {
      if (this.#takes('on')) return this.#takesKind('name') && this.#areDirectives() && this.#isSelectionSet()
      this.#takesKind('name')
      return this.#areDirectives() && (this.#next.text !== '{' || this.#isSelectionSet())
    }
    if (!this.#takesKind('name')) return false
    if (this.#takes(':') && !this.#takesKind('name')) return false
    return (
      this.#areArguments() && this.#areDirectives() && (this.#next.text !== '{' || this.#isSelectionSet())
    )
  }

  #isWithin(close: string, isOne: () => boolean): boolean {
    if (this.#depth >= depthMax) return false
    this.#depth++
    while (!this.#takes(close)) if (!isOne()) return false
    this.#depth--
    return true
  }
}
