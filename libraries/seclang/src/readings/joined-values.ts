import type { Argument } from '../bodies/parsed-body.ts'

/** Of values that have nothing else in them, no attack can be put together. */
const plain = /^[\w.@:-]*$/

/**
 * What applications see that join the values of parameters of one name by commas (ASP, ASP.NET, and lists as JavaScript writes them), so that
 * an attack may come in pieces. Names are compared without case, as these applications do.
 *
 * @param argumentList in their order; byte strings
 * @returns one for each name that comes again, unless all of its values are plain words
 */
export function joinedValues(argumentList: readonly Argument[]): readonly Argument[] {
  const byName = Map.groupBy(argumentList, ({ name }) => name.toLowerCase())
  return [...byName.values()]
    .filter((same) => same.length > 1 && !same.every(({ value }) => plain.test(value)))
    .map((same) => ({ name: same[0]?.name ?? '', value: same.map(({ value }) => value).join(',') }))
}
