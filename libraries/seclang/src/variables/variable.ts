import { Content } from '../content/content.ts'
import {
  emptyCollection,
  FixedCollection,
  keyedTarget,
  plainTarget,
  type Target,
  type TargetCollection,
} from '../content/target.ts'
import type { Inspection } from '../inspection/inspection.ts'
import type { NamedContent } from '../request/header-list.ts'

/** Something that rules can look at. */
export interface Variable {
  /** In upper case. */
  readonly name: string
  /** Whether it holds several values with keys: `ARGS:user`. */
  readonly hasKeys: boolean
  /** The only keys that there are, where rules may ask for no others. */
  readonly keys?: readonly string[]
  /**
   * How long what was read stays true: for the whole transaction, until the next phase (or until a body was parsed), or not
   * at all, because rules change it.
   */
  readonly lifetime: 'transaction' | 'phase' | 'volatile'
  /** Present where it gives no more than `ctl:argumentsLimit` allows when it is read first. */
  readonly isLimited?: true
  read(inspection: Inspection): TargetCollection
}

/** The values of a variable, remembered as long as they cannot change. */
export function readVariable(variable: Variable, inspection: Inspection): TargetCollection {
  const { lifetime } = variable
  if (lifetime === 'volatile') return variable.read(inspection)
  return (
    inspection.keptValues(variable, lifetime) ??
    inspection.keepValues(variable, lifetime, variable.read(inspection))
  )
}

type Lifetime = Variable['lifetime']

/**
 * A variable with one value, or none where `read` gives undefined.
 *
 * @param comesAgain whether other transactions often have the same value, as they have of what is the same all through a transaction
 */
export function scalar(
  name: string,
  lifetime: Lifetime,
  read: (inspection: Inspection) => string | number | undefined,
  comesAgain: boolean = lifetime === 'transaction',
): Variable {
  return {
    name,
    hasKeys: false,
    lifetime,
    read: (inspection) => {
      const value = read(inspection)
      return value === undefined
        ? emptyCollection
        : new FixedCollection([plainTarget(name, contentOf(String(value), comesAgain, inspection))])
    },
  }
}

function contentOf(text: string, comesAgain: boolean, { contents }: Inspection): Content {
  return comesAgain ? contents.of(text) : new Content(text)
}

/** A variable that is 1 or 0. */
export function flag(
  name: string,
  lifetime: Lifetime,
  read: (inspection: Inspection) => boolean | undefined,
): Variable {
  return scalar(name, lifetime, (inspection) => (read(inspection) ? 1 : 0), true)
}

/** A variable with the values of a list, by their names. */
export function valuesOf(
  name: string,
  lifetime: Lifetime,
  read: (inspection: Inspection) => readonly NamedContent[],
): Variable {
  return collection(name, lifetime, (inspection) =>
    read(inspection).map((entry) => keyedTarget(name, entry.name.text, entry.value)),
  )
}

/** The same with what the values of the list could mean besides. */
export function valuesWithReadings(
  name: string,
  lifetime: Lifetime,
  read: (inspection: Inspection) => readonly NamedContent[],
  readings: (inspection: Inspection) => readonly NamedContent[],
): Variable {
  return collection(name, lifetime, (inspection) => {
    const targets = read(inspection).map((entry) => keyedTarget(name, entry.name.text, entry.value))
    if (!inspection.settings.readsEncodedValues) return targets
    for (const entry of readings(inspection))
      targets.push({ ...keyedTarget(name, entry.name.text, entry.value), isReading: true })
    return targets
  })
}

/** A variable with the names of a list. */
export function namesOf(
  name: string,
  lifetime: Lifetime,
  read: (inspection: Inspection) => readonly NamedContent[],
): Variable {
  return collection(name, lifetime, (inspection) =>
    read(inspection).map((entry) => keyedTarget(name, entry.name.text, entry.name)),
  )
}

/** A variable with several values. */
export function collection(
  name: string,
  lifetime: Lifetime,
  read: (inspection: Inspection) => readonly Target[],
): Variable {
  return { name, hasKeys: true, lifetime, read: (inspection) => new FixedCollection(read(inspection)) }
}
