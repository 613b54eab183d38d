import { featuresOf, type Operator, type OperatorMatch, type Transformation } from '../matching/index.ts'
import { readingsOf } from '../readings/readings.ts'
import { type Candidates, noCandidates } from './candidates.ts'
import type { Chain } from './chain.ts'
import type { LiteralScan } from './literal-scan.ts'
import { SmallMap } from './small-map.ts'

/** How much of a text is read at once for its features. */
const featureBlock = 1_024

/** The result of a scan that no pattern can match. */
const noPatterns = new Uint32Array()

/** Which patterns are searched for in a content. A cached content keeps the result by this object, and tells which of the patterns it does match. */
export interface PatternScan extends LiteralScan {
  /** Whether a content matches one of the patterns, which takes longer than to look for its literals. */
  matches(pattern: number, content: Content): boolean
}

/** What is kept of a content that comes again in later transactions. */
interface MatchCache {
  readonly matches: Map<Operator, OperatorMatch | undefined>
  readonly candidates: Map<Candidates, Uint32Array | undefined>
  readonly scans: Map<PatternScan, Uint32Array>
  /** Undefined where nothing was asked, as of most that transformations make. */
  answers: Map<Question, boolean> | undefined
}

/** Something to be asked of a text, to which the answer is always the same. */
type Question = (text: string) => boolean

/**
 * A byte string under inspection, with what was found out about it so far: its features, what transformations make of it,
 * which rules its literals admit. Rules that read the same value share one Content, and so the work. A content that is to last
 * keeps for later transactions what it costs most to find out.
 */
export class Content {
  readonly text: string
  /** Of the text up to {@link #scannedTo}. */
  #features = 0
  #scannedTo = 0
  /** Present where this differs from it in the case of letters only, so that the same literals are in both. */
  readonly #caseVariant: Content | undefined
  #results: SmallMap<Transformation | Chain, Content> | undefined
  #readings: readonly Content[] | undefined
  #candidates: Candidates | undefined
  #round = 0
  #candidateSet = noCandidates
  #cache: MatchCache | undefined

  constructor(text: string, alike?: Content) {
    this.text = text
    this.#caseVariant = alike
  }

  /** From now on this content, and all that is made of it, remembers beyond the transaction. */
  keep(): this {
    if (this.#cache !== undefined) return this
    this.#cache = { matches: new Map(), candidates: new Map(), scans: new Map(), answers: undefined }
    this.#results = undefined
    this.#readings = undefined
    return this
  }

  /** Which kinds of characters the text has, as transformations know them. */
  get features(): number {
    while (this.#scannedTo < this.text.length || this.#features === 0) this.#scanFeatures()
    return this.#features
  }

  /** Whether the text has one of some features; reads no more of it than that takes. */
  hasFeature(mask: number): boolean {
    while ((this.#features & mask) === 0) {
      if (this.#features !== 0 && this.#scannedTo >= this.text.length) return false
      this.#scanFeatures()
    }
    return true
  }

  /** Whether a chain may make something else of it. */
  isChangedBy({ featureMask }: Chain): boolean {
    return featureMask !== 0 && this.hasFeature(featureMask)
  }

  /** This content after one transformation; the same object when nothing changes. */
  after(transformation: Transformation): Content {
    if (!this.hasFeature(transformation.featureMask)) return this
    const result = this.#results?.get(transformation)
    if (result !== undefined) return result
    const text = transformation.apply(this.text)
    const alike = transformation.changesOnlyCase ? this : undefined
    return this.#remember(transformation, text === this.text ? this : this.#another(text, alike))
  }

  /** This content after all transformations of a chain. */
  through(chain: Chain): Content {
    if (!this.isChangedBy(chain)) return this
    const result = this.#results?.get(chain)
    if (result !== undefined) return result
    let content: Content = this
    for (const transformation of chain.transformations) content = content.after(transformation)
    return this.#remember(chain, content)
  }

  /** For `multiMatch`: this content and each different one on the way through a chain. */
  stagesThrough(chain: Chain): readonly Content[] {
    if (!this.isChangedBy(chain)) return [this]
    let stages: Content[] | undefined
    let content: Content = this
    for (const transformation of chain.transformations) {
      const next = content.after(transformation)
      if (next === content) continue
      // An array of one makes room for many when it gets another one; mostly there are two.
      if (stages === undefined) stages = [this, next]
      else stages.push(next)
      content = next
    }
    return stages ?? [this]
  }

  /** What else the text could mean to an application. */
  get readings(): readonly Content[] {
    this.#readings ??= readingsOf(this.text).map((text) => this.#another(text, undefined))
    return this.#readings
  }

  /** What an operator finds in the text. @param operator one that gives the same for the same text, always */
  match(operator: Operator): OperatorMatch | undefined {
    const matches = this.#cache?.matches
    if (matches === undefined) return operator.match(this.text)
    const match = matches.get(operator)
    if (match !== undefined || matches.has(operator)) return match
    const newMatch = operator.match(this.text)
    matches.set(operator, newMatch)
    return newMatch
  }

  /** The answer for the text. @param question the same function each time, of which there are few */
  answer(question: Question): boolean {
    const cache = this.#cache
    const answer = cache?.answers?.get(question)
    if (answer !== undefined) return answer
    const newAnswer = question(this.text)
    if (cache !== undefined) {
      cache.answers ??= new Map()
      cache.answers.set(question, newAnswer)
    }
    return newAnswer
  }

  /** The set of the patterns that this text can match; good for this round of the candidates. */
  candidateSet(candidates: Candidates): number {
    if (this.#caseVariant !== undefined) return this.#caseVariant.candidateSet(candidates)
    if (this.#candidates === candidates && this.#round === candidates.round) return this.#candidateSet
    this.#candidates = candidates
    this.#round = candidates.round
    this.#candidateSet = this.#cache ? this.#cachedSet(this.#cache, candidates) : candidates.scan(this.text)
    return this.#candidateSet
  }

  /** Adds to `patternSet` the patterns of a scan that this content can match; where the content is cached, only those that it does match. */
  addCandidates(scan: PatternScan, patternSet: Uint32Array): void {
    if (this.#cache === undefined) this.#scanLiterals(scan, patternSet)
    else addAll(patternSet, this.#cache.scans.get(scan) ?? this.#firstScan(this.#cache, scan))
  }

  /** What this content matches for certain: it pays to find that out once for all transactions that have it. */
  #firstScan(cache: MatchCache, scan: PatternScan): Uint32Array {
    const matches = new Uint32Array(scan.unfiltered.length)
    this.#scanLiterals(scan, matches)
    for (let word = 0; word < matches.length; word++) {
      for (let rest = matches[word] ?? 0; rest !== 0; rest &= rest - 1) {
        const bit = 31 - Math.clz32(rest & -rest)
        if (!scan.matches(32 * word + bit, this)) matches[word] = (matches[word] ?? 0) & ~(1 << bit)
      }
    }
    const own = matches.some((word) => word !== 0) ? matches : noPatterns
    cache.scans.set(scan, own)
    return own
  }

  #scanLiterals({ candidates, parts, unfiltered }: LiteralScan, patternSet: Uint32Array): void {
    addAll(patternSet, unfiltered)
    for (const { chain, atEveryStage, patterns } of parts) {
      const { featureMaskBeyondCase } = chain
      // What differs in the case of letters only has the same literals.
      if (featureMaskBeyondCase === 0 || !this.hasFeature(featureMaskBeyondCase))
        candidates.addTo(patternSet, this.candidateSet(candidates), patterns)
      else if (atEveryStage) this.#addEveryStage(chain, candidates, patterns, patternSet)
      else candidates.addTo(patternSet, this.through(chain).candidateSet(candidates), patterns)
    }
  }

  #addEveryStage(chain: Chain, candidates: Candidates, patterns: Uint32Array, patternSet: Uint32Array): void {
    let content: Content = this
    candidates.addTo(patternSet, content.candidateSet(candidates), patterns)
    for (const transformation of chain.transformations) {
      const next = content.after(transformation)
      if (next !== content) candidates.addTo(patternSet, next.candidateSet(candidates), patterns)
      content = next
    }
  }

  #cachedSet(cache: MatchCache, candidates: Candidates): number {
    const copy = cache.candidates.get(candidates)
    if (copy !== undefined) return candidates.add(copy)
    if (cache.candidates.has(candidates)) return noCandidates
    const set = candidates.scan(this.text)
    cache.candidates.set(candidates, candidates.copyOf(set))
    return set
  }

  #scanFeatures(): void {
    const to = Math.min(this.text.length, this.#scannedTo + featureBlock)
    this.#features |= featuresOf(this.text, this.#scannedTo, to)
    this.#scannedTo = to
  }

  #another(text: string, alike: Content | undefined): Content {
    const content = new Content(text, alike)
    return this.#cache === undefined ? content : content.keep()
  }

  #remember(by: Transformation | Chain, content: Content): Content {
    if (this.#results === undefined)
      this.#results = new SmallMap<Transformation | Chain, Content>(by, content)
    else this.#results.set(by, content)
    return content
  }
}

function addAll(patternSet: Uint32Array, words: Uint32Array): void {
  for (let word = 0; word < words.length; word++)
    patternSet[word] = (patternSet[word] ?? 0) | (words[word] ?? 0)
}
