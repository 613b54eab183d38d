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

/** Whether value and argument are the same bytes; case counts. */
export const streq = holding('streq', (value, argument) => value === argument)

/** Whether the argument stands anywhere in the value; case counts. */
export const contains = holding('contains', (value, argument) => value.includes(argument))

/** Whether the value begins with the argument; case counts. */
export const beginsWith = holding('beginsWith', (value, argument) => value.startsWith(argument))

/** Whether the value ends with the argument; case counts. */
export const endsWith = holding('endsWith', (value, argument) => value.endsWith(argument))

/** Whether the argument stands in the value as a word: without a letter, digit or underscore of ASCII right before and after it. */
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
