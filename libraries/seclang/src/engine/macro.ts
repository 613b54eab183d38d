import type { Inspection } from '../inspection/inspection.ts'
import { variableNamed } from '../variables/index.ts'
import { readVariable, type Variable } from '../variables/variable.ts'

/** A text with references to variables: `%{tx.score} of %{tx.limit}`. */
export interface Macro {
  /** As it was written. */
  readonly source: string
  /** The text, when it refers to nothing. */
  readonly constant: string | undefined
  /** Whether it refers to nothing but variables of TX. */
  readonly readsOnlyTx: boolean
  /** The text with each reference replaced by the first value of its variable; by nothing when it has none. */
  expand(inspection: Inspection): string
}

/** A macro that is empty. */
export const emptyMacro: Macro = constantMacro('')

/**
 * Compiles the references `%{NAME}` and `%{NAME.key}` of a text.
 *
 * @throws {Error} when a variable is not known
 */
export function compileMacro(text: string): Macro {
  const parts = text.split(/%\{([^}]+)\}/)
  if (parts.length === 1) return constantMacro(text)
  // What was captured stands at odd places.
  const pieces = parts.map((part, index) => (index % 2 === 0 ? part : referenceTo(part)))
  return {
    source: text,
    constant: undefined,
    readsOnlyTx: pieces.every((piece) => typeof piece === 'string' || piece.variable.name === 'TX'),
    expand: (inspection) => {
      let expanded = ''
      for (const piece of pieces) expanded += typeof piece === 'string' ? piece : textOf(piece, inspection)
      return expanded
    },
  }
}

function constantMacro(text: string): Macro {
  return { source: text, constant: text, readsOnlyTx: true, expand: () => text }
}

interface Reference {
  readonly variable: Variable
  readonly lowerKey: string | undefined
}

function referenceTo(text: string): Reference {
  const [, name = '', key] = /^\s*([A-Za-z_]+)(?:[.:](.+))?$/s.exec(text) ?? []
  const variable = variableNamed(name.toUpperCase())
  if ((key !== undefined) !== variable.hasKeys) {
    throw new Error(`%{${text}}: ${variable.name} ${variable.hasKeys ? 'needs a' : 'takes no'} key`)
  }
  return { variable, lowerKey: key?.toLowerCase() }
}

function textOf({ variable, lowerKey }: Reference, inspection: Inspection): string {
  const collection = readVariable(variable, inspection)
  const targets = lowerKey === undefined ? collection.all() : collection.byKey(lowerKey)
  return targets[0]?.content.text ?? ''
}
