import { argumentVariables } from './argument-variables.ts'
import { bodyVariables } from './body-variables.ts'
import { collectionVariables } from './collection-variables.ts'
import { matchVariables } from './match-variables.ts'
import { requestVariables } from './request-variables.ts'
import { responseVariables } from './response-variables.ts'
import { timeVariables } from './time-variables.ts'
import type { Variable } from './variable.ts'

/** All variables by name. */
const variables: ReadonlyMap<string, Variable> = new Map(
  [
    ...requestVariables,
    ...argumentVariables,
    ...bodyVariables,
    ...responseVariables,
    ...matchVariables,
    ...timeVariables,
    ...collectionVariables,
  ].map((variable) => [variable.name, variable]),
)

/** @param name in upper case @throws {Error} when there is no such variable */
export function variableNamed(name: string): Variable {
  const variable = variables.get(name)
  if (variable === undefined) throw new Error(`the variable ${name} is not known`)
  return variable
}
