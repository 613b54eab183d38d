/*
 * The kinds of objects that the firewall has, as its OpenAPI document tells them. What shows or asks for any of them, the command line and
 * the console's forms, is made of this.
 */
import {
  type ContractAddress as Address,
  addressesOf,
  type ContractDocument,
  type ContractOperation as Operation,
  type ContractSchema as Schema,
} from './contract-document.ts'

/** A kind of objects of the firewall's configuration. */
export interface FirewallKind {
  /** Singular, as documents call it: "server". */
  readonly name: string
  readonly description: string
  /** Its collection after the address of the object around it: "servers", "certificates/signed-certificate". */
  readonly path: string
  /** The kind whose objects hold this one's. */
  readonly parent?: string
  /** The member of a reply's object that says of what kind it is, and the name of the only object of a kind: "Server", "System". */
  readonly title: string
  /** The field that names an object; none where there is a single one. */
  readonly identifiedBy?: string
  readonly operations: readonly KindOperation[]
  readonly fields: Readonly<Record<string, FirewallField>>
  /** By the segment at which they are read and changed. */
  readonly sections: Readonly<Record<string, FirewallSection>>
}

/** A part of an object that has an address of its own and is read and changed there, not with the object. */
export interface FirewallSection {
  readonly title: string
  readonly description: string
  readonly operations: readonly KindOperation[]
  readonly fields: Readonly<Record<string, FirewallField>>
}

/** A field of an object or section: what it takes, shows and means. A member that is absent sets no limit. */
export interface FirewallField {
  readonly description?: string
  /** What it takes, where that is one of a few. */
  readonly values?: readonly string[]
  readonly isList?: true
  readonly isRequired?: true
  /** Taken and never shown. */
  readonly isSecret?: true
  /** Shown and never taken. */
  readonly isReadOnly?: true
  /** Decided when an object is created. */
  readonly isCreateOnly?: true
  /** The kinds whose objects it names. */
  readonly names?: readonly string[]
  /** What it is while nobody says otherwise. */
  readonly default?: string | number | readonly string[]
  /** Takes whole numbers, no less than `min` and no more than `max`. */
  readonly isNumber?: true
  readonly min?: number
  readonly max?: number
  /** In characters; of each item of a list. */
  readonly lengthMax?: number
  /** A regular expression that the text matches, or each item of a list. */
  readonly pattern?: string
  /** Is taken and kept, and nothing obeys it. */
  readonly isKept?: true
}

/** What the API offers for objects of a kind: `list` shows all of them, `read` one. Sections have neither `list` nor `delete`. */
export type KindOperation = 'list' | 'create' | 'read' | 'update' | 'delete'

/**
 * The kinds of the firewall's OpenAPI document, in its order.
 *
 * @throws Error when an object's own field cannot be told from the examples
 */
export function kindsOf(document: ContractDocument): FirewallKind[] {
  const addresses = addressesOf(document)
  const items = addresses.flatMap((address) => {
    const kind = kindAt(address)
    return kind === undefined ? [] : [{ kind, ...address }]
  })
  return items.map(({ kind: name, path, operations }) => {
    const collection = path.replace(/\/\{[^/]+\}$/, '')
    const around = items
      .filter((one) => collection.startsWith(`${one.path}/`))
      .sort((a, b) => b.path.length - a.path.length)[0]
    const isNamed = collection !== path
    const listing = isNamed ? addresses.find((one) => one.path === collection)?.operations : undefined
    const all = { ...listing, ...operations }
    const type = inPascalCase(name)
    const { schemas } = document.components
    const list = isNamed ? listing?.get : operations.get
    const [one] = Object.values(operations)
    const creation = all.post
    const title = one?.tags[0] ?? name
    const identifiedBy = isNamed ? fieldOfName(name, creation ?? list) : undefined
    return {
      name,
      description: sentencesAfterFirst(list?.summary) || descriptionOf(title, document),
      path: collection.slice(around ? around.path.length + 1 : 0),
      ...(around ? { parent: around.kind } : {}),
      title,
      ...(identifiedBy === undefined ? {} : { identifiedBy }),
      operations: [
        ...(isNamed && listing?.get ? ['list' as const] : []),
        ...(creation ? ['create' as const] : []),
        ...(operations.get ? ['read' as const] : []),
        ...(operations.put ? ['update' as const] : []),
        ...(operations.delete ? ['delete' as const] : []),
      ],
      fields: fieldsOf(schemas, [`${type}Creation`, `${type}Members`], type),
      sections: Object.fromEntries(
        addresses.flatMap((address) => {
          const segment = address.path.startsWith(`${path}/`) ? address.path.slice(path.length + 1) : ''
          const section = segment === '' ? undefined : sectionAt(address, name, segment, schemas)
          return section ? [[segment, section] as const] : []
        }),
      ),
    }
  })
}

/** The kind whose objects are at an address; undefined for sections and for what is done rather than kept. */
function kindAt({ operations }: Address): string | undefined {
  for (const { operationId, summary } of Object.values(operations)) {
    const [, verb, name = ''] = /^(Read one|Change a|Delete a) ([a-z0-9-]+)\b/.exec(summary) ?? []
    const id = { 'Read one': 'get', 'Change a': 'update', 'Delete a': 'delete' }[verb ?? '']
    if (id !== undefined && operationId === `${id}${inPascalCase(name)}`) return name
  }
  return undefined
}

function sectionAt(
  { operations }: Address,
  kind: string,
  segment: string,
  schemas: ContractDocument['components']['schemas'],
): FirewallSection | undefined {
  const summary = operations.get?.summary ?? operations.put?.summary ?? ''
  const [, title] = /^(?:Read|Change) "(.*)" of a /.exec(summary) ?? []
  if (title === undefined || segment.includes('{')) return undefined
  const type = `${inPascalCase(kind)}${inPascalCase(segment)}`
  return {
    title,
    description: sentencesAfterFirst(operations.get?.summary),
    operations: [
      ...(operations.post ? ['create' as const] : []),
      ...(operations.get ? ['read' as const] : []),
      ...(operations.put ? ['update' as const] : []),
    ],
    fields: fieldsOf(schemas, [`${type}Members`], type),
  }
}

/** The field whose value the reply's id, or the listing's key, repeats in the example. */
function fieldOfName(kind: string, operation: Operation | undefined): string {
  const [body] = Object.values(operation?.requestBody?.content ?? {})
  const [reply] = Object.values(operation?.responses[body ? '201' : '200']?.content ?? {})
  const shown = membersOf(reply?.example)
  const [name, members] = body
    ? [shown.id, membersOf(body.example)]
    : (Object.entries(membersOf(shown.data)).map(([key, object]) => [key, membersOf(object)] as const)[0] ?? [
        undefined,
        {},
      ])
  const field = Object.keys(members).find((member) => String(members[member]) === String(name))
  if (field === undefined) throw new Error(`The examples of ${kind} do not tell which field is its name.`)
  return field
}

/**
 * @param schemaNames the names of the schemas of what requests give, the one for creating first
 * @param shown the name of the schema of what replies show
 */
function fieldsOf(
  schemas: ContractDocument['components']['schemas'],
  schemaNames: readonly string[],
  shown: string,
): Record<string, FirewallField> {
  const properties = Object.assign({}, ...schemaNames.map((name) => schemas[name]?.properties).reverse())
  const required = schemaNames.flatMap((name) => schemas[name]?.required ?? [])
  const readOnly = Object.entries(schemas[shown]?.properties ?? {}).filter(
    // The others are what replies show of objects inside, under titles, and how the object fares.
    ([name, { description = '' }]) =>
      !(name in properties) &&
      /^[a-z]/.test(name) &&
      name !== 'object' &&
      !/^Only with category/.test(description),
  )
  return Object.fromEntries([
    ...Object.entries<Schema>(properties).map(
      ([name, schema]) => [name, fieldOf(schema, schemas, required.includes(name))] as const,
    ),
    ...readOnly.map(
      ([name, schema]) => [name, { ...fieldOf(schema, schemas, false), isReadOnly: true }] as const,
    ),
  ])
}

function fieldOf(
  schema: Schema,
  schemas: ContractDocument['components']['schemas'],
  isRequired: boolean,
): FirewallField {
  const { description, items = schema, 'x-default': initial } = schema
  const { minimum: min, maximum: max, maxLength: lengthMax, pattern } = items
  const values = valuesOf(items, schemas)
  const [, names] = /(?:^| )Names an? (.+?)\./.exec(description ?? schema.items?.description ?? '') ?? []
  return {
    ...(description === undefined ? {} : { description }),
    ...(values === undefined ? {} : { values }),
    ...(schema.items ? { isList: true as const } : {}),
    ...(isRequired ? { isRequired: true as const } : {}),
    ...(schema.writeOnly ? { isSecret: true as const } : {}),
    ...(/Decided at creation\./.test(description ?? '') ? { isCreateOnly: true as const } : {}),
    ...(names === undefined ? {} : { names: names.split(/, | or /) }),
    ...(initial === undefined ? {} : { default: initial }),
    ...([items.type].flat().includes('integer') ? { isNumber: true as const } : {}),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(lengthMax === undefined ? {} : { lengthMax }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(schema['x-enforced'] === false ? { isKept: true as const } : {}),
  }
}

function valuesOf(
  schema: Schema,
  schemas: ContractDocument['components']['schemas'],
): readonly string[] | undefined {
  return (
    schema.enum ??
    (schema.$ref === undefined ? undefined : schemas[schema.$ref.split('/').at(-1) ?? '']?.enum)
  )
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The only object of a kind has no list that would say what it is. */
function descriptionOf(title: string, { tags = [] }: ContractDocument): string {
  return tags.find(({ name }) => name === title)?.description ?? ''
}

function sentencesAfterFirst(summary = ''): string {
  return summary.replace(/^.*?\. ?/, '')
}

/** "url-encryption" becomes "UrlEncryption", as in the document's names. */
export function inPascalCase(name: string): string {
  return name
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
