import type { FirewallKind } from '@palisade/sdk'
import type { Management } from './management.ts'
import { partsOf } from './parts.ts'
import { defaultOf, isSame, shownValue, type Value } from './values.ts'

/** The name of the kind whose objects are compared. */
export const policyKind = 'security-policy'

/** Stands in the place of a policy's name for what a new one has. No policy can have this name. */
export const factory = '(new)'

/** The values of a policy: by the part that they are in and the name of the field. */
export type PolicyContent = ReadonlyMap<string, ReadonlyMap<string, Value>>

/** A field that is not the same in two policies; undefined where the part is not there. */
export interface PolicyDifference {
  readonly part: string
  readonly name: string
  readonly one: Value | undefined
  readonly other: Value | undefined
}

/** A policy with what lies inside it: its sections, and the objects of the kinds inside. */
export async function readPolicy(
  management: Management,
  kind: FirewallKind,
  inside: readonly FirewallKind[],
  name: string,
): Promise<PolicyContent> {
  if (name === factory) return contentOf(kind, {})
  const address = `security-policies/${encodeURIComponent(name)}`
  const [{ members }, ...lists] = await Promise.all([
    management.read(address),
    ...inside.map(async (one) => ({
      one,
      objects: await management.list(`${address}/${one.path}`),
    })),
  ])
  return new Map([
    ...contentOf(kind, members),
    ...lists.flatMap(({ one, objects }) =>
      objects.flatMap(([object, shown]) =>
        Array.from(contentOf(one, shown), ([part, values]) => [`${part}: ${object}`, values] as const),
      ),
    ),
  ])
}

function contentOf(kind: FirewallKind, members: Readonly<Record<string, unknown>>): PolicyContent {
  return new Map(
    partsOf(kind, members).map(({ segment, title, fields, shown }) => {
      const values = Object.entries(fields)
        .filter(([name, { isSecret }]) => name !== kind.identifiedBy && !isSecret)
        .map(([name, field]) => {
          const isShown = shown[name] !== undefined
          return [name, isShown ? shownValue(field, shown[name]) : defaultOf(field)] as const
        })
      return [segment === '' ? kind.title : title, new Map(values)] as const
    }),
  )
}

/** What differs, in the order of the contract. */
export function differencesOf(one: PolicyContent, other: PolicyContent): readonly PolicyDifference[] {
  const parts = [...new Set([...one.keys(), ...other.keys()])]
  return parts.flatMap((part) => {
    const mine = one.get(part)
    const theirs = other.get(part)
    const names = [...new Set([...(mine?.keys() ?? []), ...(theirs?.keys() ?? [])])]
    return names.flatMap((name) => {
      const [first, second] = [mine?.get(name), theirs?.get(name)]
      const isEqual = first !== undefined && second !== undefined && isSame(first, second)
      return isEqual ? [] : [{ part, name, one: first, other: second }]
    })
  })
}
