import { createHash } from 'node:crypto'
import { type LearntParameter, type LearntUrl, learntKey } from '@palisade/proxy-protocol'

/** A URL has been seen often enough after so many requests of so many clients, a parameter after so many. */
const urlRequestsMin = 20
const parameterRequestsMin = 10
const clientsMin = 2

/** A class that is narrower than any text takes so many. */
const classRequestsMin = 20

/** How often each value of a choice has to have come on average, and how many values a choice may have. */
const requestsPerValueMin = 25
const choicesMax = 8

/** Limits are set to twice what was seen, and to no less. */
const valueLengthMin = 64
const contentLengthMin = 32_768

/** Values that say which of the types a parameter is, in words of parameter profiles. */
export interface ProposedParameter {
  readonly parameter: string
  readonly learnt: LearntParameter
  readonly type: 'Input' | 'Global Choice' | 'File Upload'
  readonly parameterClass: string
  readonly values: readonly string[]
  readonly valueLengthMax: number
  /** As members of the API have them: percent-encoded. */
  readonly metacharacters: string
  readonly hasEnoughEvidence: boolean
}

/** A URL profile that would let pass what was seen, and parameters of it in which people write. */
export interface ProfileProposal {
  /** The same whenever it is asked for. */
  readonly id: string
  readonly url: string
  readonly extendedMatch: string
  readonly learnt: LearntUrl
  readonly contentLengthMax: number
  readonly parameters: readonly ProposedParameter[]
  /** Parameters that deserve a second opinion, since people write there. They get no profile, which would limit what they write. */
  readonly written: readonly ProposedParameter[]
  readonly hasEnoughEvidence: boolean
}

/**
 * What the sketches of a service propose, in their order.
 *
 * @param isTrusted whether only trusted clients were learnt from, of whom one is enough
 * @param isStrict whether URLs need profiles that take nothing besides their address
 */
export function proposeProfiles(
  all: readonly LearntUrl[],
  { isTrusted, isStrict }: { readonly isTrusted: boolean; readonly isStrict: boolean },
): ProfileProposal[] {
  const clients = isTrusted ? 1 : clientsMin
  return all.flatMap((learnt) => {
    const url = textOf(learnt.url)
    if (url === undefined || /["\\]/.test(url)) return []
    if (!isStrict && learnt.parameters.length === 0 && learnt.contentTypes.length === 0) return []
    const parameters = parametersOf(learnt).flatMap(
      (parameter) => proposedParameter(parameter, clients) ?? [],
    )
    const { navigation } = learnt
    return {
      id: createHash('sha256').update(learntKey(learnt)).digest('hex').slice(0, 16),
      url,
      extendedMatch: navigation ? `(Parameter ${navigation.parameter} eq ${navigation.value})` : '*',
      learnt,
      contentLengthMax: Math.max(contentLengthMin, roomFor(learnt.bodyBytes)),
      parameters: parameters.filter((parameter) => !isWritten(parameter) && parameter.learnt.in !== 'json'),
      written: parameters.filter(isWritten),
      hasEnoughEvidence: learnt.requests >= urlRequestsMin && learnt.clients.length >= clients,
    }
  })
}

/** Without what is a file as well: one profile decides about a name, and that about text would refuse every file. */
function parametersOf({ parameters }: LearntUrl): readonly LearntParameter[] {
  const files = new Set(parameters.flatMap((one) => (one.in === 'file' ? one.name : [])))
  return parameters.filter((one) => one.in !== 'form' || !files.has(one.name))
}

function proposedParameter(learnt: LearntParameter, clients: number): ProposedParameter | undefined {
  const parameter = textOf(learnt.name)
  if (parameter === undefined) return undefined
  const choices = choicesOf(learnt)
  return {
    parameter,
    learnt,
    type: learnt.in === 'file' ? 'File Upload' : choices.length > 0 ? 'Global Choice' : 'Input',
    parameterClass: choices.length > 0 || learnt.in === 'file' ? 'Generic' : classOf(learnt),
    values: choices,
    valueLengthMax: Math.max(valueLengthMin, roomFor(learnt.length)),
    metacharacters: Array.from(
      learnt.characters,
      (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
    ).join(''),
    hasEnoughEvidence: learnt.requests >= parameterRequestsMin && learnt.clients.length >= clients,
  }
}

/** Letters alone are words, and there may be others tomorrow. */
function classOf({ classes, length, requests }: LearntParameter): string {
  if (length === 0 || requests < classRequestsMin || classes.includes('Alpha')) return 'Generic'
  return classes[0] ?? 'Generic'
}

/** The values of a parameter that has few, each of which somebody may know. */
function choicesOf({ values, hasOtherValues, requests }: LearntParameter): string[] {
  const texts = values.flatMap(({ value }) => value ?? [])
  const isComplete = !hasOtherValues && texts.length === values.length && texts.length <= choicesMax
  return isComplete && requests >= requestsPerValueMin * texts.length ? texts.toSorted() : []
}

/** Where people write: words with blanks between them. */
function isWritten({ learnt, type }: ProposedParameter): boolean {
  return type === 'Input' && learnt.sentences > 0
}

/** Twice as much, as a power of two. */
function roomFor(size: number): number {
  return size === 0 ? 0 : 2 ** (Math.ceil(Math.log2(size)) + 1)
}

/** A byte string as text; undefined where it is none. */
function textOf(bytes: string): string | undefined {
  const text = Buffer.from(bytes, 'latin1').toString('utf8')
  return /[\ufffd\p{Cc}]/u.test(text) || text.trim() !== text ? undefined : text
}
