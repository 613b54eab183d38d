/**
 * An Aho-Corasick automaton over case-folded bytes, as one table:
 *
 * - Bytes that no word has are one class, all others one class each; `classOf` gives a byte's class, A–Z that of a–z.
 * - A state is the index of its row: `transitions[state + class]` is the next state.
 * - States in which a word ends come last, from `accepting` on. Their words are
 *   `outputs[outputStarts[rank]]` up to `outputs[outputStarts[rank + 1]]`, where rank counts accepting states.
 */
export interface Automaton {
  readonly classOf: Uint8Array
  readonly classCount: number
  /** How long the longest word is; 1 at least. */
  readonly wordLengthMax: number
  readonly transitions: Int32Array
  /** The first accepting state. The start is state 0, which accepts only in an automaton of no other use. */
  readonly accepting: number
  readonly outputStarts: Int32Array
  /** Numbers that came with the words. */
  readonly outputs: Int32Array
  /** Of each accepting state the text that leads to it from the start: a word, or what begins one and ends with another. */
  readonly texts: readonly string[]
}

/**
 * @param words case-folded byte strings, none of them empty, with the numbers to report for each
 */
export function buildAutomaton(words: ReadonlyMap<string, readonly number[]>): Automaton {
  const { classOf, classCount } = classesOf(words.keys())
  const states = new States(new Trie(words, classOf), classCount)
  return {
    classOf,
    classCount,
    wordLengthMax: words.keys().reduce((longest, { length }) => Math.max(longest, length), 1),
    transitions: states.transitions,
    accepting: states.accepting,
    ...states.outputs(),
  }
}

function classesOf(words: Iterable<string>): { readonly classOf: Uint8Array; readonly classCount: number } {
  const classOf = new Uint8Array(256)
  let classCount = 1
  for (const word of words) {
    for (let at = 0; at < word.length; at++) {
      const byte = word.charCodeAt(at)
      if (classOf[byte] === 0) classOf[byte] = classCount++
    }
  }
  for (let byte = 0x41; byte <= 0x5a; byte++) classOf[byte] = classOf[byte + 0x20] ?? 0
  return { classOf, classCount }
}

/** Words by their beginnings: each of these is a node. Nodes go by their numbers; 0 is the root, and stands where there is no node. */
class Trie {
  readonly #classOf: Uint8Array
  /** Of each node the class of the last byte of its text. */
  readonly classes: number[] = [0]
  /** Of each node its first child, and the next child of its parent. */
  readonly firstChild: number[] = [0]
  readonly nextSibling: number[] = [0]
  /** Of the nodes in which words end, the numbers of these. */
  readonly numbers = new Map<number, readonly number[]>()
  /** Of each node a word that begins with its text, and how long that text is. */
  readonly #words: string[] = ['']
  readonly #lengths: number[] = [0]

  constructor(words: ReadonlyMap<string, readonly number[]>, classOf: Uint8Array) {
    this.#classOf = classOf
    for (const [word, numbers] of words) this.numbers.set(this.#nodeOf(word), numbers)
  }

  get size(): number {
    return this.classes.length
  }

  textOf(node: number): string {
    return (this.#words[node] ?? '').slice(0, this.#lengths[node])
  }

  #nodeOf(word: string): number {
    let node = 0
    for (let at = 0; at < word.length; at++) {
      const byteClass = this.#classOf[word.charCodeAt(at)] ?? 0
      let child = this.firstChild[node] ?? 0
      while (child !== 0 && this.classes[child] !== byteClass) child = this.nextSibling[child] ?? 0
      node = child === 0 ? this.#add(node, byteClass, word, at + 1) : child
    }
    return node
  }

  #add(parent: number, byteClass: number, word: string, length: number): number {
    const node = this.classes.push(byteClass) - 1
    this.nextSibling.push(this.firstChild[parent] ?? 0)
    this.firstChild[parent] = node
    this.firstChild.push(0)
    this.#words.push(word)
    this.#lengths.push(length)
    return node
  }
}

/** The states of the nodes of a trie. */
class States {
  readonly #trie: Trie
  readonly #width: number
  readonly transitions: Int32Array
  /** Silent states are taken from the beginning, accepting ones from the end. */
  #silent = 0
  accepting: number
  /** Of each accepting state, the last first: its node, and the numbers of the words that end there. */
  readonly #reports: { readonly node: number; readonly numbers: readonly number[] }[] = []

  constructor(trie: Trie, width: number) {
    this.#trie = trie
    this.#width = width
    this.transitions = new Int32Array(trie.size * width)
    this.accepting = this.transitions.length
    this.#link()
  }

  /**
   * Shorter texts come first. The suffix of a node is that of the longest proper end of its text that is a node: where the node has no child, it
   * leads on as its suffix does.
   */
  #link(): void {
    const { transitions } = this
    const { classes, firstChild, nextSibling } = this.#trie
    const width = this.#width
    const queue = [{ node: 0, state: this.#stateOf(0, 0), suffix: 0 }]
    for (const { node, state, suffix } of queue) {
      if (node !== 0) transitions.copyWithin(state, suffix, suffix + width)
      for (let child = firstChild[node] ?? 0; child !== 0; child = nextSibling[child] ?? 0) {
        const byteClass = classes[child] ?? 0
        const suffixOfChild = node === 0 ? 0 : (transitions[suffix + byteClass] ?? 0)
        const stateOfChild = this.#stateOf(child, suffixOfChild)
        transitions[state + byteClass] = stateOfChild
        queue.push({ node: child, state: stateOfChild, suffix: suffixOfChild })
      }
    }
  }

  /** A new state. What ends with a word, or has a suffix that does, accepts. */
  #stateOf(node: number, suffix: number): number {
    const own = this.#trie.numbers.get(node)
    const ofSuffix = suffix < this.accepting ? undefined : this.#reports[this.#rankFromEnd(suffix)]?.numbers
    if (own === undefined && ofSuffix === undefined) {
      const state = this.#silent
      this.#silent += this.#width
      return state
    }
    const numbers = own && ofSuffix ? [...new Set([...own, ...ofSuffix])] : (own ?? ofSuffix ?? [])
    this.#reports.push({ node, numbers })
    this.accepting -= this.#width
    return this.accepting
  }

  #rankFromEnd(state: number): number {
    return (this.transitions.length - state) / this.#width - 1
  }

  /** What accepting states report, in their order. */
  outputs(): Pick<Automaton, 'outputStarts' | 'outputs' | 'texts'> {
    const reports = this.#reports.toReversed()
    const starts = [0]
    const outputs: number[] = []
    for (const { numbers } of reports) {
      outputs.push(...numbers)
      starts.push(outputs.length)
    }
    return {
      outputStarts: Int32Array.from(starts),
      outputs: Int32Array.from(outputs),
      texts: reports.map(({ node }) => this.#trie.textOf(node)),
    }
  }
}

/**
 * Looks for the first place in a value where a word ends.
 *
 * @returns the text of the state there (see {@link Automaton.texts}), which the word ends
 */
export function firstTextIn(automaton: Automaton, value: string): string | undefined {
  const { classOf, transitions, accepting, classCount, texts } = automaton
  let state = 0
  for (let at = 0; at < value.length; at++) {
    state = transitions[state + (classOf[value.charCodeAt(at) & 0xff] ?? 0)] ?? 0
    if (state >= accepting) return texts[(state - accepting) / classCount]
  }
  return undefined
}
