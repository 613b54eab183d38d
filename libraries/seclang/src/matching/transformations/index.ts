import type { Transformation } from './transformation.ts'

/** All transformations by lower-cased name. */
export const transformations: ReadonlyMap<string, Transformation> = new Map()
