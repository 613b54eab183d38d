import { notAcceptable } from '../../failure.ts'
import type { DocumentMembers, DocumentObject } from '../../transfer/document.ts'
import { NamesOfObjects } from '../names-of-objects.ts'
import type { DescribedUrl, DescribedValue } from './described-api.ts'

/** The objects to be created, by kind, as documents of the configuration have them. */
export type ProfileObjects = Readonly<Record<ProfileKind, readonly DocumentObject[]>>

type ProfileKind = 'url-profile' | 'parameter-profile' | 'json-profile' | 'json-key-profile'

/** How many objects one API may become. */
const objectsMax = 10_000

const commentLengthMax = 256

/** The longest limits that the fields take. */
const valueLengthMax = 1_073_741_824
const jsonLengthMax = 8192

/**
 * The profiles of an API in a service: a URL profile for each URL with a parameter profile for each parameter, and a
 * JSON profile where JSON is taken, with a key profile for each key.
 *
 * @param apiName stands in the names and comments of the profiles
 * @param isTaken whether the service has a profile of that name already
 */
export function profilesOf(
  urls: readonly DescribedUrl[],
  { service, apiName, isTaken }: { service: string; apiName: string; isTaken: (name: string) => boolean },
): ProfileObjects {
  const objects: Record<ProfileKind, DocumentObject[]> = {
    'url-profile': [],
    'parameter-profile': [],
    'json-profile': [],
    'json-key-profile': [],
  }
  const names = new NamesOfObjects(isTaken)
  for (const described of urls) {
    const name = names.next(`${apiName}${described.url}`)
    objects['url-profile'].push({ path: [service, name], members: urlMembers(described, apiName) })
    const inside = new NamesOfObjects(() => false)
    for (const [parameter, value] of described.parameters) {
      const path = [service, name, inside.next(parameter)]
      objects['parameter-profile'].push({ path, members: parameterMembers(parameter, value) })
    }
    if (described.jsonMethods.length === 0) continue
    objects['json-profile'].push({ path: [service, name], members: jsonMembers(described, apiName) })
    const keys = new NamesOfObjects(() => false)
    for (const [key, value] of described.jsonKeys) {
      const path = [service, name, keys.next(key)]
      objects['json-key-profile'].push({ path, members: keyMembers(key, value) })
    }
  }
  const count = Object.values(objects).reduce((sum, ofKind) => sum + ofKind.length, 0)
  if (count > objectsMax) {
    throw notAcceptable(`The document would become ${count} profiles; expected were at most ${objectsMax}.`)
  }
  return objects
}

function urlMembers(
  { url, methods, takesQuery, contentTypes }: DescribedUrl,
  apiName: string,
): DocumentMembers {
  return {
    url,
    'allowed-methods': methods,
    'allow-query-string': takesQuery ? 'Yes' : 'No',
    ...(contentTypes.length > 0 ? { 'allowed-content-types': contentTypes } : {}),
    comment: commentOf(apiName),
  }
}

function parameterMembers(parameter: string, value: DescribedValue): DocumentMembers {
  return {
    parameter,
    'parameter-class': classOf(value),
    type: value.type === 'file' ? 'File Upload' : choicesOf(value).length > 0 ? 'Global Choice' : 'Input',
    ...(choicesOf(value).length > 0 ? { values: choicesOf(value) } : {}),
    ...limit('max-value-length', value.lengthMax, valueLengthMax),
    required: value.isRequired ? 'Yes' : 'No',
  }
}

function jsonMembers({ url, jsonMethods, jsonContentTypes }: DescribedUrl, apiName: string): DocumentMembers {
  return {
    'host-match': '*',
    'url-match': url,
    method: jsonMethods,
    'allowed-content-types': jsonContentTypes,
    comment: commentOf(apiName),
  }
}

function keyMembers(key: string, value: DescribedValue): DocumentMembers {
  return {
    key,
    'value-class': classOf(value),
    'value-type': jsonTypes[value.type ?? 'file'],
    'allow-null': value.isNullable ? 'Yes' : 'No',
    ...limit('max-length', value.lengthMax, jsonLengthMax),
    ...limit('max-array-elements', value.itemsMax, jsonLengthMax),
    ...wholeNumber('min-number-value', value.minimum),
    ...wholeNumber('max-number-value', value.maximum),
  }
}

/** In the words of key profiles; they have none for truth values and files. */
const jsonTypes = {
  array: 'Array',
  boolean: 'Any',
  file: 'Any',
  integer: 'Number',
  number: 'Number',
  object: 'Object',
  string: 'String',
} as const satisfies Record<NonNullable<DescribedValue['type']>, string>

function classOf({ type, format }: DescribedValue): string {
  if (type === 'integer') return 'Integer'
  return type === 'string' && format === 'email' ? 'Email' : 'Generic'
}

function choicesOf({ type, choices }: DescribedValue): readonly string[] {
  return type === 'boolean' ? ['true', 'false'] : choices
}

/** Left out where it is not given, or longer than the field takes: then others limit it. */
function limit(member: string, value: number | undefined, max: number): DocumentMembers {
  return value === undefined || value === 0 || value > max ? {} : { [member]: value }
}

function wholeNumber(member: string, value: number | undefined): DocumentMembers {
  return value === undefined || !Number.isSafeInteger(value) ? {} : { [member]: String(value) }
}

function commentOf(apiName: string): string {
  return `From the OpenAPI document ${apiName}`.slice(0, commentLengthMax)
}
