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

interface TrieNode {
  readonly text: string
  readonly next: Map<number, TrieNode>
  readonly outputs: Set<number>
  /** The node of the longest proper end of this node's text that is in the trie. */
  suffix: TrieNode | undefined
  state: number
}

/**
 * @param words case-folded byte strings, none of them empty, with the numbers to report for each
 */
export function buildAutomaton(words: ReadonlyMap<string, readonly number[]>): Automaton {
  const { classOf, classCount } = classesOf(words.keys())
  const root = newNode('')
  for (const [word, numbers] of words) insert(root, word, numbers, classOf)
  const nodes = linkSuffixes(root)
  const accepting = numberStates(nodes, classCount)
  return {
    classOf,
    classCount,
    wordLengthMax: words.keys().reduce((longest, { length }) => Math.max(longest, length), 1),
    accepting,
    transitions: tabulate(nodes, classCount),
    ...listOutputs(nodes),
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

function newNode(text: string): TrieNode {
  return { text, next: new Map(), outputs: new Set(), suffix: undefined, state: 0 }
}

function insert(root: TrieNode, word: string, numbers: readonly number[], classOf: Uint8Array): void {
  let node = root
  for (let at = 0; at < word.length; at++) {
    const byteClass = classOf[word.charCodeAt(at)] ?? 0
    const next = node.next.get(byteClass) ?? newNode(word.slice(0, at + 1))
    node.next.set(byteClass, next)
    node = next
  }
  for (const number of numbers) node.outputs.add(number)
}

/** @returns all nodes, shorter texts first */
function linkSuffixes(root: TrieNode): readonly TrieNode[] {
  const nodes = [root]
  for (const node of nodes) {
    for (const [byteClass, child] of node.next) {
      child.suffix = suffixOf(node, byteClass) ?? root
      for (const number of child.suffix.outputs) child.outputs.add(number)
      nodes.push(child)
    }
  }
  return nodes
}

function suffixOf(parent: TrieNode, byteClass: number): TrieNode | undefined {
  for (let shorter = parent.suffix; shorter; shorter = shorter.suffix) {
    const next = shorter.next.get(byteClass)
    if (next) return next
  }
  return undefined
}

/** @returns the first accepting state */
function numberStates(nodes: readonly TrieNode[], classCount: number): number {
  const silent = nodes.filter(({ outputs }) => outputs.size === 0)
  const reporting = nodes.filter(({ outputs }) => outputs.size > 0)
  for (const [rank, node] of [...silent, ...reporting].entries()) node.state = rank * classCount
  return silent.length * classCount
}

function tabulate(nodes: readonly TrieNode[], classCount: number): Int32Array {
  const transitions = new Int32Array(nodes.length * classCount)
  for (const node of nodes) {
    const suffix = node.suffix?.state
    if (suffix !== undefined) transitions.copyWithin(node.state, suffix, suffix + classCount)
    for (const [byteClass, child] of node.next) transitions[node.state + byteClass] = child.state
  }
  return transitions
}

function listOutputs(nodes: readonly TrieNode[]): Pick<Automaton, 'outputStarts' | 'outputs' | 'texts'> {
  const reporting = nodes
    .filter(({ outputs }) => outputs.size > 0)
    .toSorted((one, other) => one.state - other.state)
  const lists = reporting.map(({ outputs }) => [...outputs])
  const starts = [0]
  for (const list of lists) starts.push((starts.at(-1) ?? 0) + list.length)
  return {
    outputStarts: Int32Array.from(starts),
    outputs: Int32Array.from(lists.flat()),
    texts: reporting.map(({ text }) => text),
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
