import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { ConfigurationObject } from './configuration-object.ts'

/** The objects of one kind inside another. */
export function childrenOf(object: ConfigurationObject, kindName: string): readonly ConfigurationObject[] {
  for (const [kind, children] of object.children) if (kind.name === kindName) return [...children]
  return []
}

/** The first kind of which a member names objects. */
export function kindNamedBy(kind: CompiledKind, member: string): CompiledKind | undefined {
  return kind.references.find(({ fieldName }) => fieldName === member)?.targets[0]
}

/** An object with one member, or with none where there is no value. */
export function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [name in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [name in Name]?: Value })
}
