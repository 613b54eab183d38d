import type { CompiledReference } from '../kinds/compiled-kind.ts'
import type { Value } from '../kinds/values.ts'
import type { ConfigurationObject } from './configuration-object.ts'
import { type Content, valuesOf, withValues } from './content.ts'

/** One object named by another. */
export interface Reference {
  readonly by: CompiledReference
  readonly name: string
  /** Where the named object is, or would have to be. */
  readonly path: readonly string[]
}

type Referring = Pick<ConfigurationObject, 'kind' | 'path' | 'content'>

/** The references that an object makes, or would make if it held this content. */
export function referencesOf({ kind, path, content }: Referring): Reference[] {
  return kind.references.flatMap((by) => {
    const values = valuesOf(content, by.section)
    const around = by.within
      ? by.within.map((fieldName) => String(values[fieldName] ?? ''))
      : path.slice(0, by.target.lineage.length - 1)
    return [values[by.fieldName] ?? []]
      .flat()
      .map((named) => ({ by, name: String(named), path: [...around, String(named)] }))
  })
}

/** Whether what is referred to is the object, or lies inside it. */
export function leadsInto(reference: Reference, object: ConfigurationObject): boolean {
  const depth = object.path.length
  return (
    reference.by.target.lineage[depth - 1] === object.kind &&
    object.path.every((name, index) => reference.path[index] === name)
  )
}

/** The content with another name wherever these references name their object. */
export function withOtherName(content: Content, references: readonly Reference[], name: string): Content {
  return references.reduce((changed, { by, name: before }) => {
    const values = valuesOf(changed, by.section)
    const value = values[by.fieldName]
    const renamed: Value = Array.isArray(value)
      ? value.map((item: string) => (item === before ? name : item))
      : name
    return withValues(changed, by.section, { ...values, [by.fieldName]: renamed })
  }, content)
}
