import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInShell, type ShellPlace } from '../programs/shell.ts'
import { root } from './root.ts'

/*
 * Documents whose commands are run as they stand there. Commands are in blocks called "sh". A block called "text" behind one shows all that
 * its commands print on standard output; "…" in it stands for anything. Times, UUIDs and ids of 16 digits are examples.
 */

/** One block of commands. */
export interface Passage {
  /** Where it begins: the document and the number of the line. */
  readonly place: string
  readonly commands: string
  /** Undefined where the document does not show what they print. */
  readonly shown: string | undefined
}

/**
 * The passages of a document, in its order.
 *
 * @param document its path in the repository
 * @param replacements for texts of the document, wherever they are in commands and in what is shown. Each has to be there
 */
export function passagesIn(
  document: string,
  replacements: Readonly<Record<string, string | number>>,
): readonly Passage[] {
  let text = readFileSync(join(root, document), 'utf8')
  for (const [from, to] of Object.entries(replacements)) {
    assert.ok(text.includes(from), `${document} does not say ${from}`)
    text = text.replaceAll(from, String(to))
  }
  const passages: Passage[] = []
  for (const block of text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)) {
    const [, language, content = ''] = block
    const place = `${document}:${text.slice(0, block.index).split('\n').length}`
    if (language === 'sh') passages.push({ place, commands: content, shown: undefined })
    if (language !== 'text') continue
    const last = passages.pop()
    assert.ok(last && last.shown === undefined, `${place}: no commands have printed this`)
    passages.push({ ...last, shown: content })
  }
  return passages
}

/** Runs passages in one shell, and holds what each prints against what the document shows. */
export async function follow(passages: readonly Passage[], place: ShellPlace): Promise<void> {
  const script = passages.map(({ commands }, at) => `${commands}\necho '${endOf(at)}'`).join('\n')
  const { status, stdout, stderr } = await runInShell(script, place)
  let rest = stdout
  for (const [at, passage] of passages.entries()) {
    const end = rest.indexOf(`${endOf(at)}\n`)
    const story = `${rest}\n${stderr}`
    assert.notEqual(end, -1, `${passage.place}: the shell ended with ${status}:\n${story}`)
    assertShown(rest.slice(0, end), passage)
    rest = rest.slice(end + endOf(at).length + 1)
  }
  assert.equal(status, 0, stderr)
}

/** Holds what was printed against what the document shows, where it shows something. */
export function assertShown(output: string, { place, shown }: Passage): void {
  if (shown === undefined) return
  assert.match(output, new RegExp(`^${shown.split('…').map(patternOf).join('[\\s\\S]*?')}$`), place)
}

function endOf(at: number): string {
  return `--- the end of passage ${at}`
}

const examples = [
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|\+00:00)/,
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/,
  /\b[\da-f]{16}\b/,
].map(({ source }) => source)
const anyExample = new RegExp(examples.join('|'), 'g')

/** A pattern for a text with examples of what is another one each time. */
function patternOf(text: string): string {
  const patterns = Array.from(text.matchAll(anyExample), ([example]) =>
    examples.find((source) => new RegExp(`^(?:${source})$`).test(example)),
  )
  const plain = text.split(anyExample).map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  return plain.map((part, at) => `${part}${patterns[at] ?? ''}`).join('')
}
