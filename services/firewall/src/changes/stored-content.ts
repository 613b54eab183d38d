import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import type { Value, Values } from '../kinds/values.ts'
import { type Content, completeContent } from '../objects/content.ts'
import { withoutTransient } from './members.ts'

/**
 * A content as the fields of the kind are now: since it was stored, fields may have been added, have become transient, or have
 * become lists where they held one value.
 *
 * @param stored without its seals
 */
export function contentOfStored(kind: CompiledKind, { values, sections }: Content): Content {
  const listed = Object.entries(sections).map(([segment, ofSection]) => {
    const fields = kind.sections.find((section) => section.segment === segment)?.fields
    return [segment, fields ? withLists(ofSection, fields) : ofSection] as const
  })
  return completeContent(kind, {
    values: withLists(withoutTransient(values, kind.fields), kind.fields),
    sections: Object.fromEntries(listed),
  })
}

function withLists(values: Values, { listNames }: FieldSet): Values {
  const single = listNames.filter((name) => name in values && !Array.isArray(values[name]))
  if (single.length === 0) return values
  const after: Record<string, Value> = { ...values }
  for (const name of single) after[name] = [String(values[name])]
  return after
}
