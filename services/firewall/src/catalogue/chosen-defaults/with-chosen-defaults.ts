import type { Field, Fields, Kind } from '../../kinds/kind.ts'
import type { ChosenDefaults } from './chosen-defaults.ts'

/**
 * The kinds with our defaults in the fields that have none of their own.
 *
 * @throws Error when a chosen default is for a field that is not there, or that has a default
 */
export function withChosenDefaults(kinds: readonly Kind[], chosen: ChosenDefaults): readonly Kind[] {
  const unused = new Set(Object.keys(chosen))
  const complete = (owner: string, fields: Fields): Fields => {
    unused.delete(owner)
    return withDefaults(owner, fields, chosen[owner] ?? {})
  }
  const completed = kinds.map((kind) => ({
    ...kind,
    fields: complete(kind.name, kind.fields),
    ...(kind.sections && {
      sections: Object.fromEntries(
        Object.entries(kind.sections).map(([segment, section]) => [
          segment,
          { ...section, fields: complete(`${kind.name}/${segment}`, section.fields) },
        ]),
      ),
    }),
  }))
  if (unused.size > 0)
    throw new Error(`defaults were chosen for ${[...unused].join(', ')}, which is not there`)
  return completed
}

function withDefaults(owner: string, fields: Fields, chosen: ChosenDefaults[string]): Fields {
  const completed: Record<string, Field> = { ...fields }
  for (const [name, value] of Object.entries(chosen)) {
    const field = fields[name]
    if (!field) throw new Error(`a default was chosen for ${owner} ${name}, which is not there`)
    if (field.default !== undefined) throw new Error(`${owner} ${name} has a default and needs no chosen one`)
    // Whether the value is one of the field's is checked when the kind is compiled.
    completed[name] = { ...field, default: value } as Field
  }
  return completed
}
