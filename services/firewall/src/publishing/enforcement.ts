import {
  type EnforcedFields,
  enforcedFields,
  isEnforced,
  unenforcedFields,
} from '../features/enforced-fields.ts'
import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { sameValue, type Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'

/**
 * What an object asks for that no proxy does: members that were changed from their defaults, and objects inside it, as
 * an administrator would look for them: `url-encryption status`, `content-rules`.
 *
 * @returns nothing for kinds that proxies do not read
 */
export function unenforcedMembers(object: ConfigurationObject): string[] {
  const { kind, content } = object
  if (!isEnforced(kind)) return []
  return [
    ...unenforcedIn(kind, undefined, kind.fields, content.values),
    ...kind.sections.flatMap(({ segment, fields }) =>
      unenforcedIn(kind, segment, fields, valuesOf(content, segment)).map((member) => `${segment} ${member}`),
    ),
    ...unenforcedChildren(object),
    ...unenforcedInChildren(object),
  ]
}

function unenforcedIn(
  kind: CompiledKind,
  section: string | undefined,
  fields: FieldSet,
  values: Values,
): string[] {
  const changed = unenforcedFields(kind, section, fields).filter(
    (name) => !sameValue(values[name], fields.defaults[name]),
  )
  return [...changed, ...otherValues(values, enforcedFields(kind, section))]
}

function otherValues(values: Values, names: EnforcedFields): string[] {
  return [...names]
    .filter(
      ([name, enforcedValues]) =>
        enforcedValues !== undefined &&
        values[name] !== undefined &&
        !enforcedValues.includes(String(values[name])),
    )
    .map(([name]) => `${name} ${values[name]}`)
}

/** Of the objects inside that proxies read; servers tell it themselves, and the factory's objects ask for nothing. */
function unenforcedInChildren({ children }: ConfigurationObject): string[] {
  return [...children]
    .filter(([kind]) => kind.name !== 'server' && isEnforced(kind))
    .flatMap(([kind, objects]) => Array.from(objects, (object) => ({ kind, object })))
    .filter(({ object }) => object.version > 0)
    .flatMap(({ kind, object }) =>
      unenforcedMembers(object).map((member) => `${kind.segments.join('/')}/${object.name} ${member}`),
    )
}

function unenforcedChildren({ children }: ConfigurationObject): string[] {
  return [...children.keys()].filter((kind) => !isEnforced(kind)).map((kind) => kind.segments.join('/'))
}
