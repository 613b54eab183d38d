import { fieldReaders } from '../features/field-readers.ts'
import type { ReadFields } from '../kinds/field-reader.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { sameValue, type Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import { obeyedChecks } from './obeyed-checks.ts'

/** The members of a kind that proxies obey, and those that say nothing about traffic. */
export interface Obeyed {
  readonly own: readonly string[]
  /** Of own members, the values that are obeyed where not all are. */
  readonly values?: ObeyedValues
  /** The same of members of sections, by segment. */
  readonly sectionValues?: Readonly<Record<string, ObeyedValues>>
  /** By segment. */
  readonly sections: Readonly<Record<string, readonly string[]>>
  /** The kinds inside it whose objects are obeyed. */
  readonly children: readonly string[]
  /** Members that name, describe or place the object for administrators. */
  readonly administrative: readonly string[]
}

/** By member. */
type ObeyedValues = Readonly<Record<string, readonly string[]>>

/** Of the servers of services and content rules. */
const servers: Obeyed = {
  own: [],
  sections: {},
  children: [],
  administrative: ['name', 'comments', 'address-version', 'resolved-ips'],
}

const listed: Readonly<Record<string, Obeyed>> = {
  service: {
    own: ['type', 'status', 'ip-address', 'port', 'certificate', 'ecdsa-certificate'],
    sections: {},
    children: [
      'server',
      'rule-group',
      'http-request-rewrite',
      'http-response-rewrite',
      'response-body-rewrite',
      'url-encryption-rule',
      'url-translation',
      'allow-or-deny-client',
      'url-acl',
      'header-acl',
      'url-profile',
      'url-policy',
      'adaptive-profiling-rule',
      'url-optimizer',
      'parameter-optimizer',
      'json-profile',
      'rule-exception',
      'second-opinion',
    ],
    administrative: ['name', 'comments', 'vsite', 'group', 'app-id', 'mask', 'address-version'],
  },
  server: servers,
  'rule-group': {
    own: [],
    sections: {},
    children: ['rule-group-server'],
    administrative: ['name', 'comments', 'app-id'],
  },
  'rule-group-server': servers,
  'http-request-rewrite': withoutTraffic('name', 'comments'),
  'http-response-rewrite': withoutTraffic('name', 'comments'),
  'response-body-rewrite': withoutTraffic('name', 'comments'),
  'url-encryption-rule': withoutTraffic('name'),
  'url-translation': withoutTraffic('name', 'comments'),
  ...obeyedChecks,
}

/**
 * What proxies obey. Everything else that the catalogue can say about a service is kept and not enforced yet, and
 * docs/firewall-enforcement.md says so.
 */
export const obeyedByKind: Readonly<Record<string, Obeyed>> = fieldReaders.reduce(withReader, listed)

function withReader(
  all: Readonly<Record<string, Obeyed>>,
  { kinds, section, fields }: ReadFields,
): Readonly<Record<string, Obeyed>> {
  const names = [...fields.keys()]
  const limited = Object.fromEntries(
    [...fields].flatMap(([name, enforced]) => (enforced ? [[name, enforced]] : [])),
  )
  const obeyed = (before: Obeyed = withoutTraffic()): Obeyed =>
    section === undefined
      ? { ...before, own: [...before.own, ...names], values: { ...before.values, ...limited } }
      : {
          ...before,
          sections: { ...before.sections, [section]: [...(before.sections[section] ?? []), ...names] },
          sectionValues: {
            ...before.sectionValues,
            [section]: { ...before.sectionValues?.[section], ...limited },
          },
        }
  return { ...all, ...Object.fromEntries(kinds.map((kind) => [kind, obeyed(all[kind])])) }
}

/** A kind of which nothing is listed here but the members that say nothing about traffic. */
function withoutTraffic(...administrative: readonly string[]): Obeyed {
  return { own: [], sections: {}, children: [], administrative }
}

/**
 * What an object asks for that no proxy does: members that were changed from their defaults, and objects inside it, as
 * an administrator would look for them: `url-encryption status`, `content-rules`.
 *
 * @returns nothing for kinds that proxies do not read
 */
export function unenforcedMembers(object: ConfigurationObject): string[] {
  const { kind, content } = object
  const obeyed = obeyedByKind[kind.name]
  if (obeyed === undefined) return []
  const own = changedMembers(kind.fields, content.values, [...obeyed.own, ...obeyed.administrative])
  const inSections = kind.sections.flatMap(({ segment, fields }) =>
    [
      ...changedMembers(fields, valuesOf(content, segment), obeyed.sections[segment] ?? []),
      ...otherValues(valuesOf(content, segment), obeyed.sectionValues?.[segment]),
    ].map((member) => `${segment} ${member}`),
  )
  return [
    ...own,
    ...otherValues(content.values, obeyed.values),
    ...inSections,
    ...unenforcedChildren(object, obeyed),
    ...unenforcedInChildren(object),
  ]
}

function otherValues(values: Values, obeyed: ObeyedValues = {}): string[] {
  return Object.entries(obeyed)
    .filter(([name, known]) => values[name] !== undefined && !known.includes(String(values[name])))
    .map(([name]) => `${name} ${values[name]}`)
}

/** Of the objects inside that proxies read; servers tell it themselves, and the factory's objects ask for nothing. */
function unenforcedInChildren({ children }: ConfigurationObject): string[] {
  return [...children]
    .filter(([kind]) => kind.name !== 'server' && obeyedByKind[kind.name] !== undefined)
    .flatMap(([kind, objects]) => Array.from(objects, (object) => ({ kind, object })))
    .filter(({ object }) => object.version > 0)
    .flatMap(({ kind, object }) =>
      unenforcedMembers(object).map((member) => `${kind.segments.join('/')}/${object.name} ${member}`),
    )
}

function changedMembers(fields: FieldSet, values: Values, obeyed: readonly string[]): string[] {
  return [...fields]
    .map(({ name }) => name)
    .filter((name) => !obeyed.includes(name) && !sameValue(values[name], fields.defaults[name]))
}

function unenforcedChildren({ children }: ConfigurationObject, obeyed: Obeyed): string[] {
  return [...children.keys()]
    .filter((kind) => !obeyed.children.includes(kind.name))
    .map((kind) => kind.segments.join('/'))
}
