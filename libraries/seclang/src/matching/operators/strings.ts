import { foldCase } from '../fold-case.ts'
import { readContent } from './content.ts'
import { matchIf, OperatorArgumentError, type OperatorFactory } from './operator.ts'

/** An operator that asks whether a value has its argument somewhere. An empty argument is everywhere. */
function holding(name: string, isMatch: (value: string, argument: string) => boolean): OperatorFactory {
  return {
    name,
    create: (argument) => ({
      literals: argument === '' ? undefined : [[foldCase(argument)]],
      match: (value) => matchIf(isMatch(value, argument)),
    }),
  }
}

export const streq = holding('streq', (value, argument) => value === argument)
export const contains = holding('contains', (value, argument) => value.includes(argument))
export const beginsWith = holding('beginsWith', (value, argument) => value.startsWith(argument))
export const endsWith = holding('endsWith', (value, argument) => value.endsWith(argument))
export const containsWord = holding('containsWord', hasWord)

/** With neither a letter, a digit nor an underscore before and after it. */
function hasWord(value: string, word: string): boolean {
  if (word === '') return true
  for (let at = value.indexOf(word); at >= 0; at = value.indexOf(word, at + 1)) {
    if (!isWordCharacter(value, at - 1) && !isWordCharacter(value, at + word.length)) return true
  }
  return false
}

function isWordCharacter(value: string, at: number): boolean {
  return /\w/.test(value.charAt(at))
}

/** Whether the value stands somewhere in the argument; the empty value does. */
export const within: OperatorFactory = {
  name: 'within',
  create: (argument) => ({ match: (value) => matchIf(argument.includes(value)) }),
}

/** `@contains` with an argument as that of `@pm`. */
export const strmatch: OperatorFactory = {
  name: 'strmatch',
  create(argument) {
    const content = readContent(argument)
    if (content === undefined) throw new OperatorArgumentError('expected a text without unknown escapes')
    return contains.create(content, { readFile: () => '' })
  },
}
