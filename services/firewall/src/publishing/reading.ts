import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { Value, Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { referencesIn, referredObject } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'

/** The objects of one kind inside another. */
export function childrenOf(object: ConfigurationObject, kindName: string): readonly ConfigurationObject[] {
  for (const [kind, children] of object.children) if (kind.name === kindName) return [...children]
  return []
}

/** Those of them that are not switched off. */
export function switchedOn(object: ConfigurationObject, kindName: string): readonly ConfigurationObject[] {
  return childrenOf(object, kindName).filter(({ content }) => content.values.status !== 'Off')
}

/** The objects that a member names, in its order; those that are not there are left out. */
export function referredBy(
  object: ConfigurationObject,
  section: string | undefined,
  member: string,
  snapshot: Snapshot,
): ConfigurationObject[] {
  return referencesIn(object, section, member).flatMap(
    (reference) => referredObject(reference, snapshot) ?? [],
  )
}

/** The first kind of which a member names objects. */
export function kindNamedBy(kind: CompiledKind, member: string): CompiledKind | undefined {
  return kind.references.find(({ fieldName }) => fieldName === member)?.targets[0]
}

/** A list as texts; a text between whose parts there are commas, too. */
export function texts(value: Value | undefined): string[] {
  const items = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

/** A number; undefined for a member that has none. */
export function numberIn(values: Values, member: string): number | undefined {
  const value = values[member]
  return value === undefined || value === '' ? undefined : Number(value)
}

export function textIn(values: Values, member: string): string {
  return String(values[member] ?? '')
}

/** Yes and On are both meant by members that switch something. */
export function isOn(value: Value | undefined): boolean {
  return value === 'Yes' || value === 'On' || value === 'Enable'
}

/** An object with one member, or with none where there is no value. */
export function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [name in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [name in Name]?: Value })
}
