import type { FirewallKind } from '@palisade/sdk'
import type { Suggestion } from '../suggestions.ts'
import { addressOf, type Fields, namesAround, type PlacedKind, readKinds, sectionOf } from './kinds.ts'
import { type ManagementOptions, objectsOf, withManagement } from './management.ts'

/** What follows the kind in a command of objects. */
export interface ObjectWords {
  /** What is named: an object that is there, a new one, or the object around those of the kind. */
  readonly names: 'object' | 'new object' | 'object around' | undefined
  /** Whether a section may follow the name. */
  readonly takesSection: boolean
  /** Whether fields with values follow. */
  readonly takesFields: boolean
}

/**
 * What may come next: a kind, the name of an object (which the server is asked for), a section, a field or its value.
 *
 * @param words what has been typed behind the command; the last one is to be completed
 */
export async function suggestObjects(shape: ObjectWords, words: readonly string[]): Promise<Suggestion[]> {
  const kinds = await readKinds()
  const [kindName = '', ...rest] = words
  if (words.length <= 1) return kinds.all.map(({ name, description }) => [name, description])
  const kind = kinds.named(kindName)
  const named = kind.lineage.filter(({ identifiedBy }) => identifiedBy !== undefined)
  const isNamed = named.length > 0 && shape.names !== undefined
  const name = isNamed ? rest.shift() : undefined
  const beginning = rest.at(-1) ?? ''
  if (isNamed && rest.length === 0) {
    const last = shape.names === 'object around' ? named.length - 1 : named.length
    return suggestNames(kind, name ?? '', named.slice(0, last), shape.names === 'new object')
  }
  const section = rest.slice(0, -1).find((word) => !word.includes('='))
  const fields = section === undefined ? kind.fields : sectionOf(kind, section)[1].fields
  const sections =
    shape.takesSection && rest.length === 1
      ? Object.entries(kind.sections).map(([segment, { description }]): Suggestion => [segment, description])
      : []
  return [...sections, ...(shape.takesFields ? suggestFields(fields, beginning) : [])]
}

function suggestFields(fields: Fields, beginning: string): Suggestion[] {
  const [, name = ''] = /^([^=]+)=/.exec(beginning) ?? []
  const { values } = fields[name] ?? {}
  if (name !== '') return (values ?? []).map((value) => [`${name}=${value}`, ''])
  return Object.entries(fields)
    .filter(([, { isReadOnly }]) => !isReadOnly)
    .map(([field, { description = '' }]) => [`${field}=`, description])
}

/**
 * The names at the place that has been typed so far: of services, and behind `shop/` of its servers.
 *
 * @param levels the kinds whose objects are named, outermost first
 * @param isNew whether the last of them is not there yet
 */
async function suggestNames(
  kind: PlacedKind,
  typed: string,
  levels: readonly FirewallKind[],
  isNew: boolean,
): Promise<Suggestion[]> {
  const around = typed.split('/').slice(0, -1)
  const level = levels[around.length]
  const isLast = level === levels.at(-1)
  if (level === undefined || (isLast && isNew)) return []
  const lineage = kind.lineage.slice(0, kind.lineage.indexOf(level) + 1)
  const place = { ...level, lineage }
  const reply = await withManagement(optionsOfEnvironment(), (management) =>
    management.call('GET', addressOf(place, namesAround(place, around.join('/')))),
  )
  const end = isLast ? '' : '/'
  return objectsOf(reply).map(([name]) => [[...around, `${name}${end}`].join('/'), ''])
}

/** A shell asks before options of the command line are read. */
function optionsOfEnvironment(): ManagementOptions {
  const { PALISADE_SERVER, PALISADE_FIREWALL_USERNAME, PALISADE_FIREWALL_PASSWORD_FILE } = process.env
  return {
    administrator: 'admin',
    server: PALISADE_SERVER,
    username: PALISADE_FIREWALL_USERNAME,
    passwordFile: PALISADE_FIREWALL_PASSWORD_FILE,
  }
}
