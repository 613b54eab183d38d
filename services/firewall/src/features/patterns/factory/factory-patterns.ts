import type { FactoryObject } from '../../../kinds/kind.ts'

/**
 * A pattern that the firewall ships with. Patterns are tried at every place of long texts that strangers chose, so
 * repetitions inside an expression have limits: the time they take grows with the text, not faster.
 */
export interface FactoryPattern {
  readonly regex: RegExp
  /** What it finds, for the administrator who reads its name in a log. */
  readonly description: string
  /** A check of the digits found; none when left out. */
  readonly algorithm?: 'Credit Card Check Digit'
}

/** Patterns by type and by name. */
export type FactoryPatterns = Readonly<Record<string, Readonly<Record<string, FactoryPattern>>>>

/** The types, as objects of the kind that patterns lie in. */
export function typesOf(patterns: FactoryPatterns): FactoryObject[] {
  return Object.keys(patterns).map((type) => ({ path: [type] }))
}

/** The patterns, as objects inside those of {@link typesOf}. */
export function objectsOf(patterns: FactoryPatterns): FactoryObject[] {
  return Object.entries(patterns).flatMap(([type, ofType]) =>
    Object.entries(ofType).map(([name, { regex, ...fields }]) => ({
      path: [type, name],
      fields: { regex: regex.source, ...fields },
    })),
  )
}
