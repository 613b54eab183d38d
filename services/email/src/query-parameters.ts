import { RequestRefused } from '@palisade/platform'

/** What a request asks for, as Fastify gives it: a list where a parameter is repeated. */
export type Query = Readonly<Record<string, unknown>>

interface Limits {
  readonly default: number
  readonly minimum: number
  readonly maximum: number
}

/** @throws RequestRefused bad-request, naming the parameter, when it is repeated, no integer or out of range */
export function readInteger(query: Query, name: string, { minimum, maximum, ...limits }: Limits): number {
  const text = readOnce(query, name)
  if (text === undefined) return limits.default
  const value = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  throw wrong(name, `must be an integer from ${minimum} to ${maximum}`)
}

/** @throws RequestRefused bad-request, naming the parameter, when it is repeated or none of the choices */
export function readChoice<Meaning>(
  query: Query,
  name: string,
  choices: Readonly<Record<string, Meaning>>,
): Meaning | undefined {
  const text = readOnce(query, name)
  if (text === undefined) return undefined
  if (typeof text === 'string' && Object.hasOwn(choices, text)) return choices[text]
  throw wrong(name, `must be ${Object.keys(choices).join(' or ')}`)
}

function readOnce(query: Query, name: string): unknown {
  const text = query[name]
  if (Array.isArray(text)) throw wrong(name, 'may be given once only')
  return text
}

function wrong(name: string, what: string): RequestRefused {
  return new RequestRefused('bad-request', `The parameter ${name} ${what}.`, { field: name })
}
