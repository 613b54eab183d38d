import { compileMacro } from '../engine/macro.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { Position } from '../language/rule-set-failure.ts'
import { readByteString, resolveBeside } from '../language/source-files.ts'
import type { OperatorSyntax } from '../language/syntax.ts'
import { type InjectionDetector, type Operator, type OperatorContext, operators } from '../matching/index.ts'

/** An operator ready to run: itself where its argument has no macros, otherwise what makes it. */
export type CompiledOperator = Operator | ((inspection: Inspection) => Operator)

/** An operator with macros is kept for this many different arguments; the lists and limits of a site are few. */
const rememberedMax = 16

/**
 * Looks an operator up and gives it its argument.
 *
 * @param injections what it may ask for injections
 * @throws {Error} when it is not known, or its argument is none for it
 */
export function compileOperator(
  syntax: OperatorSyntax,
  at: Position,
  injections: InjectionDetector | undefined,
): CompiledOperator {
  const factory = operators.get(syntax.name)
  if (factory === undefined) throw new Error(`the operator @${syntax.name} is not known`)
  const context: OperatorContext = {
    readFile: (name) => readByteString(resolveBeside(at.file, name)),
    injections,
  }
  // A regular expression is full of % and braces; only %{name} is a macro, also there.
  const argument = compileMacro(syntax.argument)
  if (argument.constant !== undefined) return factory.create(argument.constant, context)
  const remembered = new Map<string, Operator>()
  return (inspection) => {
    const text = argument.expand(inspection)
    const operator = remembered.get(text)
    if (operator !== undefined) return operator
    if (remembered.size >= rememberedMax) remembered.clear()
    const newOperator = factory.create(text, context)
    remembered.set(text, newOperator)
    return newOperator
  }
}
