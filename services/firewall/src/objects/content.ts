import type { CompiledKind } from '../kinds/compiled-kind.ts'
import { sameValue, type Value, type Values } from '../kinds/values.ts'

/** What an object holds itself, without the objects inside it. */
export interface Content {
  readonly values: Values
  /** The values of each of its sections, by segment. */
  readonly sections: Readonly<Record<string, Values>>
}

/**
 * A content of the kind with these values, and with the defaults of every field that they leave out. Sections of
 * which nothing is given share one object of defaults: most sections of most objects are like that.
 */
export function completeContent(kind: CompiledKind, content: Partial<Content>): Content {
  return {
    values: { ...kind.fields.defaults, ...content.values },
    sections: Object.fromEntries(
      kind.sections.map(({ segment, fields: { defaults } }) => {
        const values = content.sections?.[segment]
        return [segment, values === undefined ? defaults : { ...defaults, ...values }]
      }),
    ),
  }
}

/**
 * What has to be kept of a content so that {@link completeContent} gives it again. What clients cannot set is not
 * kept where it is the default: a later release may know better.
 */
export function partToStore(kind: CompiledKind, { values, sections }: Content): Content {
  const stored: Record<string, Value> = { ...values }
  for (const { name, field } of kind.fields) {
    if (field.readOnly && sameValue(values[name], kind.fields.defaults[name])) delete stored[name]
  }
  const changed = kind.sections.filter(({ segment, fields }) => sections[segment] !== fields.defaults)
  return {
    values: stored,
    sections: Object.fromEntries(changed.map(({ segment }) => [segment, sections[segment] ?? {}])),
  }
}

/** The values of one section, or the object's own when the section is undefined. */
export function valuesOf({ values, sections }: Content, section: string | undefined): Values {
  return section === undefined ? values : (sections[section] ?? {})
}

/** The content with other values in one section, or in the object itself when the section is undefined. */
export function withValues(content: Content, section: string | undefined, values: Values): Content {
  if (section === undefined) return { ...content, values }
  return { ...content, sections: { ...content.sections, [section]: values } }
}
