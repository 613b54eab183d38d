import type { Change } from '../changes/behaviour.ts'
import type { Values } from '../kinds/values.ts'
import { type Content, valuesOf, withValues } from '../objects/content.ts'

/** A member of an object that is also in one of its sections: one thing with two addresses. */
export interface SharedMember {
  readonly member: string
  /** The segment of the section. */
  readonly section: string
}

/** The content in which what was given at one address shows at the other, so that nothing old is left there. */
export function inStep(
  shared: readonly SharedMember[],
  content: Content,
  { given, section, before }: Change,
): Content {
  return shared
    .filter((one) => given.has(one.member) && (section === undefined || section === one.section))
    .filter((one) => before || content.values[one.member] !== undefined)
    .reduce((after, one) => {
      const value = valuesOf(after, section)[one.member]
      const other = section === undefined ? one.section : undefined
      return withValues(after, other, withMember(valuesOf(after, other), one.member, value))
    }, content)
}

function withMember(values: Values, member: string, value: Values[string] | undefined): Values {
  const { [member]: _, ...others } = values
  return value === undefined ? others : { ...others, [member]: value }
}
