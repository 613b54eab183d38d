import { featuresOf, type Prefilter, type Transformation } from '../matching/index.ts'

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
  #transformed: Map<Transformation, Content> | undefined
  #candidates: { readonly prefilter: Prefilter; readonly bits: Uint32Array } | undefined

  constructor(text: string) {
    this.text = text
  }

  /** This content after one transformation; the same object when nothing changes. */
  after(transformation: Transformation): Content {
    if ((this.#featureMask() & transformation.featureMask) === 0) return this
    const known = this.#transformed?.get(transformation)
    if (known !== undefined) return known
    const text = transformation.apply(this.text)
    const content = text === this.text ? this : new Content(text)
    this.#transformed ??= new Map()
    this.#transformed.set(transformation, content)
    return content
  }

  /** This content after all transformations of a chain. */
  through(chain: Chain): Content {
    if ((this.#featureMask() & chain.featureMask) === 0) return this
    return chain.transformations.reduce<Content>(
      (content, transformation) => content.after(transformation),
      this,
    )
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

  /** The bits of the patterns of `prefilter` that this text can match. Remembered for the last prefilter asked for. */
  candidates(prefilter: Prefilter): Uint32Array {
    if (this.#candidates?.prefilter === prefilter) return this.#candidates.bits
    const bits = new Uint32Array(prefilter.words)
    prefilter.scan(this.text, bits)
    this.#candidates = { prefilter, bits }
    return bits
  }

  #featureMask(): number {
    this.#features ??= featuresOf(this.text)
    return this.#features
  }
}
