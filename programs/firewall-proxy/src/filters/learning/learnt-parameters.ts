import { type LearntClass, type LearntParameter, learntClasses, learntMax } from '@palisade/proxy-protocol'
import type { Argument } from '@palisade/seclang'
import type { FormParts } from '../request-protection/request-parts.ts'
import { secretName, type ValueMemory } from './value-memory.ts'

/** How much of a value is looked at for its characters, in bytes. */
const readMax = 20_000

/** Parameters with longer names are not learnt. */
const nameMax = 128

/** What values of a class look like; some values that the class takes are left to the rules all the same. */
const shapes: Readonly<Record<LearntClass, RegExp>> = {
  Integer: /^\d{1,15}$/,
  'Hex Number': /^(?=[A-Fa-f]{0,127}\d)[\dA-Fa-f]{8,128}$/,
  Email: /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z\d-]{1,63}(?:\.[A-Za-z\d-]{1,63}){1,8}$/,
  Alpha: /^[A-Za-z]+$/,
  Alphanumeric: /^[A-Za-z\d]+$/,
}

/** Two words with a blank between them. */
const sentence = /[A-Za-z\x80-\xff][,.;:!?")]?\s+["(]?[A-Za-z\x80-\xff]/

/** From whom parameters came, and how their values are told apart. */
export interface LearningDependencies {
  readonly client: string
  readonly memory: ValueMemory
  /** Whether nothing of the values may be kept. */
  readonly masks: (name: string) => boolean
}

/** What one request shows of its parameters, those of one name together. */
export function learntParameters(
  all: readonly Argument[],
  source: 'form' | 'json',
  deps: LearningDependencies,
): LearntParameter[] {
  const byName = Map.groupBy(
    all.filter(({ name }) => name !== '' && name.length <= nameMax),
    ({ name }) => name,
  )
  return Array.from(byName.entries().take(learntMax.parameters), ([name, same]) =>
    learntParameter(
      name,
      source,
      same.map(({ value }) => value),
      deps,
    ),
  )
}

function learntParameter(
  name: string,
  source: 'form' | 'json',
  values: readonly string[],
  { client, memory, masks }: LearningDependencies,
): LearntParameter {
  const nonEmptyValues = values.filter((value) => value !== '')
  const isSecret = masks(name) || secretName.test(name)
  const learnt = isSecret
    ? []
    : nonEmptyValues.slice(0, learntMax.values).map((value) => memory.learn(name, value, client))
  const ownValues = learnt.filter((value) => value !== undefined)
  const characters = nonEmptyValues.flatMap((value) => value.slice(0, readMax).match(/[^A-Za-z\d\s]/g) ?? [])
  return {
    name,
    in: source,
    requests: 1,
    clients: [client],
    instances: values.length,
    length: Math.max(0, ...nonEmptyValues.map(({ length }) => length)),
    classes: learntClasses.filter((one) => nonEmptyValues.every((value) => shapes[one].test(value))),
    characters: [...new Set(characters)].sort().join(''),
    sentences: Number(!isSecret && nonEmptyValues.some((value) => sentence.test(value.slice(0, readMax)))),
    values: ownValues,
    hasOtherValues: ownValues.length < nonEmptyValues.length,
    extensions: [],
  }
}

/** What one request shows of the files that it carries. */
export function learntFiles(files: FormParts['files'], client: string): LearntParameter[] {
  const byField = Map.groupBy(
    files.filter(({ field }) => field !== '' && field.length <= nameMax),
    ({ field }) => field,
  )
  return Array.from(byField, ([name, same]) => ({
    name,
    in: 'file',
    requests: 1,
    clients: [client],
    instances: same.length,
    length: 0,
    classes: [],
    characters: '',
    sentences: 0,
    values: [],
    hasOtherValues: true,
    extensions: [
      ...new Set(
        same.flatMap(({ fileName }) => /\.([a-z\d]{1,16})$/.exec(fileName.toLowerCase())?.[1] ?? []),
      ),
    ].slice(0, learntMax.extensions),
  }))
}
