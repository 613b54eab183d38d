import type { OperatorFactory } from './operator.ts'

/** All operators by lower-cased name, without `@`. */
export const operators: ReadonlyMap<string, OperatorFactory> = new Map()
