import { foldCase } from '../fold-case.ts'
import { type Automaton, buildAutomaton, firstTextIn } from '../prefilter/automaton.ts'
import { readContent } from './content.ts'
import {
  type Operator,
  OperatorArgumentError,
  type OperatorContext,
  type OperatorFactory,
} from './operator.ts'

/** Finds one of the words of its argument, in any case. */
export const pm: OperatorFactory = {
  name: 'pm',
  create(argument) {
    return findPhrases(
      (readContent(argument) ?? argument).split(/[\t-\r ]+/).filter((phrase) => phrase !== ''),
    )
  },
}

/** Finds one of the lines of files, in any case. Several files are separated by blanks. */
export const pmFromFile: OperatorFactory = phrasesOfFiles('pmFromFile')
/** Phrases from files, one a line, without regard to case. */
export const pmf: OperatorFactory = phrasesOfFiles('pmf')

function phrasesOfFiles(name: string): OperatorFactory {
  return {
    name,
    create(argument, context) {
      return findPhrases(readFiles(argument, context).flatMap((text) => phrasesOf(text)))
    },
  }
}

/** The contents of files named in an argument, separated by blanks. */
export function readFiles(argument: string, context: OperatorContext): readonly string[] {
  const names = argument.split(/[\t-\r ]+/).filter((name) => name !== '')
  if (names.length === 0) throw new OperatorArgumentError('expected the name of a file')
  return names.map((name) => context.readFile(name))
}

/**
 * Lines that are empty, begin with `#` or have one character only do not count. ModSecurity reads a line together with its end,
 * so that quotes around it belong to the phrase.
 */
function phrasesOf(text: string): readonly string[] {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? [])
    .map((line) => (readContent(line) ?? line).replaceAll(/^[\t-\r ]+|[\t-\r ]+$/g, ''))
    .filter((phrase) => phrase.length > 1 && !phrase.startsWith('#'))
}

function findPhrases(phrases: readonly string[]): Operator {
  if (phrases.length === 0) throw new OperatorArgumentError('expected one phrase at least')
  const spellings = new Map<string, string>()
  for (const phrase of phrases) {
    const folded = foldCase(phrase)
    if (!spellings.has(folded)) spellings.set(folded, phrase)
  }
  const words = [...spellings.keys()]
  // Most lists are never asked for, since a prefilter knows their words, and the tables of a long one take megabytes.
  let automaton: Automaton | undefined
  return {
    literals: [words],
    match(value) {
      automaton ??= buildAutomaton(new Map(words.map((word, number) => [word, [number]])))
      const text = firstTextIn(automaton, value)
      return text === undefined ? undefined : { captures: [spellingOf(text, words, spellings)] }
    },
  }
}

/**
 * The beginning of a phrase as the first phrase that begins so spells it. ModSecurity captures what it has read of a phrase where a
 * match ends, even if that is another, shorter phrase.
 *
 * @param text folded
 * @param words all phrases, folded
 * @param spellings of each word, in the order of `words`
 */
function spellingOf(
  text: string,
  words: readonly string[],
  spellings: ReadonlyMap<string, string>,
): string | undefined {
  const first = words.find((word) => word.startsWith(text))
  return first === undefined ? undefined : spellings.get(first)?.slice(0, text.length)
}
