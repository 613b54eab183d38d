import type { Transformation } from '../matching/index.ts'

/** Transformations in the order in which a rule applies them. */
export interface Chain {
  readonly transformations: readonly Transformation[]
  /** A value without any of these features comes out unchanged. */
  readonly featureMask: number
  /** A value without any of these comes out with no other change than in the case of letters. */
  readonly featureMaskBeyondCase: number
}

/** Makes a chain of transformations. */
export function chainOf(transformations: readonly Transformation[]): Chain {
  return {
    transformations,
    featureMask: maskOf(transformations),
    featureMaskBeyondCase: maskOf(transformations.filter(({ changesOnlyCase }) => changesOnlyCase !== true)),
  }
}

function maskOf(transformations: readonly Transformation[]): number {
  return transformations.reduce((mask, { featureMask }) => mask | featureMask, 0)
}
