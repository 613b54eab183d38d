import { featuresOf, type Transformation } from '../matching/index.ts'
import type { Candidates } from './candidates.ts'

/** Transformations in the order in which a rule applies them. */
export interface Chain {
  readonly transformations: readonly Transformation[]
  /** A value without any of these features comes out unchanged. */
  readonly featureMask: number
}

/** Makes a chain of transformations. */
export function chainOf(transformations: readonly Transformation[]): Chain {
  return {
    transformations,
    featureMask: transformations.reduce((mask, { featureMask }) => mask | featureMask, 0),
  }
}

/**
 * A byte string under inspection, with what was found out about it so far: its features, what transformations make of it,
 * which rules its literals admit. Rules that read the same value share one Content, and so the work.
 */
export class Content {
  readonly text: string
  #features: number | undefined
  #made: Map<Transformation | Chain, Content> | undefined
  #candidates: Candidates | undefined
  #round = 0
  #candidateSet = 0

  constructor(text: string) {
    this.text = text
  }

  /** This content after one transformation; the same object when nothing changes. */
  after(transformation: Transformation): Content {
    if ((this.#featureMask() & transformation.featureMask) === 0) return this
    const known = this.#made?.get(transformation)
    if (known !== undefined) return known
    const text = transformation.apply(this.text)
    return this.#keep(transformation, text === this.text ? this : new Content(text))
  }

  /** This content after all transformations of a chain. */
  through(chain: Chain): Content {
    if ((this.#featureMask() & chain.featureMask) === 0) return this
    const known = this.#made?.get(chain)
    if (known !== undefined) return known
    let content: Content = this
    for (const transformation of chain.transformations) content = content.after(transformation)
    return this.#keep(chain, content)
  }

  /** For `multiMatch`: this content and each different one on the way through a chain. */
  stagesThrough(chain: Chain): readonly Content[] {
    const stages: Content[] = [this]
    let content: Content = this
    for (const transformation of chain.transformations) {
      const next = content.after(transformation)
      if (next !== content) stages.push(next)
      content = next
    }
    return stages
  }

  /** The set of the patterns that this text can match. Remembered as long as the set is. */
  candidateSet(candidates: Candidates): number {
    if (this.#candidates === candidates && this.#round === candidates.round) return this.#candidateSet
    this.#candidates = candidates
    this.#round = candidates.round
    this.#candidateSet = candidates.scan(this.text)
    return this.#candidateSet
  }

  #keep(by: Transformation | Chain, content: Content): Content {
    this.#made ??= new Map()
    this.#made.set(by, content)
    return content
  }

  #featureMask(): number {
    this.#features ??= featuresOf(this.text)
    return this.#features
  }
}
