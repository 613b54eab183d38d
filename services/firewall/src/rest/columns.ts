import type { Permissions } from '../access/permissions.ts'
import { isShown } from '../kinds/kind.ts'
import { shownValue, type Value } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import type { View } from '../objects/view.ts'

/**
 * The text of a single object with the objects of other kinds that its view shows as columns: `"Local Hosts":{"hostname":["a","b"],…}`,
 * in the order of names. Kinds that the permissions do not reach are left out.
 */
export function withColumns(
  text: string,
  object: ConfigurationObject,
  { columns, fields: shown }: Pick<View, 'columns' | 'fields'>,
  snapshot: Snapshot,
  permissions: Permissions,
): string {
  const members = columns
    .filter(({ kind }) => permissions.mayReachKind(kind, undefined, 'read'))
    .map(({ title, kind }) => {
      const objects = [...(snapshot.collection(kind, kind.lineage.length > 1 ? object.path : []) ?? [])]
      const fields = Array.from(kind.fields).filter(
        ({ name, field }) => isShown(field) && shown?.has(name) !== false,
      )
      const lists = fields.map(({ name, field }): [string, Value[]] => [
        name,
        objects.map(({ content }) => shownValue(field, content.values[name])),
      ])
      return `${JSON.stringify(title)}:${JSON.stringify(Object.fromEntries(lists))}`
    })
  return `{${[text.slice(1, -1), ...members].filter((member) => member !== '').join(',')}}`
}
