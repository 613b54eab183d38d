import { type Body, membersOf } from '../../changes/members.ts'
import { notAcceptable } from '../../failure.ts'
import { ReferringDocument } from './json-reference.ts'

/** What an OpenAPI document says of one URL, as far as profiles can be made of it. */
export interface DescribedUrl {
  /** With "*" in the place of what varies. */
  readonly url: string
  /** In capitals. */
  readonly methods: readonly string[]
  readonly takesQuery: boolean
  readonly contentTypes: readonly string[]
  /** Of the query and of forms, by name. */
  readonly parameters: ReadonlyMap<string, DescribedValue>
  /** The keys of JSON bodies, with dots between those that lie in each other. */
  readonly jsonKeys: ReadonlyMap<string, DescribedValue>
  /** The methods that take JSON, and its content types. */
  readonly jsonMethods: readonly string[]
  readonly jsonContentTypes: readonly string[]
}

/** What one value may be. */
export interface DescribedValue {
  readonly type: 'array' | 'boolean' | 'file' | 'integer' | 'number' | 'object' | 'string' | undefined
  readonly format: string | undefined
  readonly isRequired: boolean
  readonly isNullable: boolean
  readonly choices: readonly string[]
  readonly lengthMax: number | undefined
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly itemsMax: number | undefined
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** How deep keys of JSON are followed, and how many are told of one URL. */
const jsonDepthMax = 4
const jsonKeysMax = 500

/**
 * What an OpenAPI 3 or a Swagger 2 document says of the URLs of an API.
 *
 * @param value parsed JSON of any origin
 * @throws ConfigurationRefused not-acceptable, when it is no such document
 */
export function describedUrls(value: unknown): DescribedUrl[] {
  const document = new ReferringDocument(membersOf(value))
  const { openapi, swagger, paths } = document.root
  const isOpenApi3 = typeof openapi === 'string' && openapi.startsWith('3.')
  if (!isOpenApi3 && swagger !== '2.0') {
    throw notAcceptable(
      'The document must be OpenAPI 3 (its member openapi "3.…") or Swagger 2 (swagger "2.0").',
    )
  }
  const base = isOpenApi3 ? basePathOfServers(document) : textOf(document.root.basePath)
  const calls = Object.entries(membersOf(paths)).flatMap(([path, item]) =>
    callsAt(document, urlOf(base, path), document.part(item)),
  )
  if (calls.length === 0)
    throw notAcceptable('The document describes no operation: its member paths is empty.')
  return [...Map.groupBy(calls, ({ url }) => url)].map(([url, ofUrl]) => merged(url, ofUrl))
}

/** One method at one path. */
interface DescribedCall {
  readonly url: string
  readonly method: string
  readonly takesQuery: boolean
  readonly contentTypes: readonly string[]
  readonly parameters: readonly (readonly [name: string, value: DescribedValue])[]
  readonly jsonKeys: readonly (readonly [key: string, value: DescribedValue])[]
}

function callsAt(document: ReferringDocument, url: string, item: Body): DescribedCall[] {
  return methods
    .filter((method) => item[method] !== undefined)
    .map((method) => {
      const operation = document.part(item[method])
      const parameters = [...document.parts(item.parameters), ...document.parts(operation.parameters)]
      const inQuery = parameters.filter((parameter) => parameter.in === 'query')
      const inForm = parameters.filter((parameter) => parameter.in === 'formData')
      const bodies = bodiesOf(document, operation, parameters, inForm.length > 0)
      const ofForms = bodies
        .filter(({ contentType }) => formTypes.includes(contentType))
        .flatMap(({ schema }) => propertiesOf(document, schema))
      const ofJson = bodies.filter(({ contentType }) => isJson(contentType))
      return {
        url,
        method: method.toUpperCase(),
        takesQuery: inQuery.length > 0,
        contentTypes: bodies.map(({ contentType }) => contentType),
        parameters: [
          ...[...inQuery, ...inForm].map((one) => [textOf(one.name), parameterValue(document, one)] as const),
          ...ofForms,
        ].filter(([name]) => name !== ''),
        jsonKeys: ofJson.flatMap(({ schema }) => keysOf(document, schema, '', 1).take(jsonKeysMax).toArray()),
      }
    })
}

/** What an operation takes: as OpenAPI 3 says it in requestBody, or Swagger 2 in parameters. */
function bodiesOf(
  document: ReferringDocument,
  operation: Body,
  parameters: readonly Body[],
  hasForm: boolean,
): { contentType: string; schema: unknown }[] {
  const content = document.members(document.part(operation.requestBody).content)
  if (content.length > 0) {
    return content.map(([contentType, media]) => ({
      contentType: contentType.split(';')[0]?.trim().toLowerCase() ?? '',
      schema: membersOf(media).schema,
    }))
  }
  const body = parameters.find((parameter) => parameter.in === 'body')
  if (!body && !hasForm) return []
  return document
    .texts(operation.consumes ?? document.root.consumes ?? (hasForm ? formTypes[0] : 'application/json'))
    .map((contentType) => ({ contentType: contentType.toLowerCase(), schema: body?.schema }))
}

/** Swagger 2 says beside the name what OpenAPI 3 says in a schema. */
function parameterValue(document: ReferringDocument, parameter: Body): DescribedValue {
  const schema = parameter.schema === undefined ? parameter : document.part(parameter.schema)
  return describedValue(document, schema, parameter.required === true)
}

function propertiesOf(
  document: ReferringDocument,
  value: unknown,
): (readonly [name: string, value: DescribedValue])[] {
  return Array.from(partsOf(document, value)).flatMap((schema) => {
    const required = new Set(document.texts(schema.required))
    return document
      .members(schema.properties)
      .map(
        ([name, property]) =>
          [name, describedValue(document, document.part(property), required.has(name))] as const,
      )
  })
}

/** The keys of an object and of those inside it, as far as somebody asks; of a list, those of its items. */
function* keysOf(
  document: ReferringDocument,
  value: unknown,
  before: string,
  depth: number,
): Generator<readonly [key: string, value: DescribedValue]> {
  if (depth > jsonDepthMax) return
  for (const schema of partsOf(document, value)) {
    const required = new Set(document.texts(schema.required))
    for (const [name, property] of document.members(schema.properties)) {
      const key = `${before}${name}`
      yield [key, describedValue(document, document.part(property), required.has(name))]
      yield* keysOf(document, property, `${key}.`, depth + 1)
    }
    if (schema.items !== undefined) yield* keysOf(document, schema.items, before, depth + 1)
  }
}

/** A schema and those of which it is put together, each once. */
function partsOf(document: ReferringDocument, value: unknown): ReadonlySet<Body> {
  const parts = new Set(value === undefined ? [] : [document.part(value)])
  for (const { allOf, oneOf, anyOf } of parts) {
    for (const list of [allOf, oneOf, anyOf]) {
      for (const part of document.parts(list)) parts.add(part)
    }
  }
  return parts
}

function describedValue(document: ReferringDocument, schema: Body, isRequired: boolean): DescribedValue {
  const types = document.texts(schema.type)
  const type = types.find((one) => one !== 'null')
  const items = type === 'array' ? document.part(schema.items) : schema
  const format = textOf(schema.format)
  return {
    type: format === 'binary' ? 'file' : knownTypes.find((one) => one === type),
    format: format === '' ? undefined : format,
    isRequired,
    isNullable: schema.nullable === true || types.includes('null'),
    choices: document.texts(items.enum),
    lengthMax: countOf(schema.maxLength),
    minimum: numberOf(schema.minimum),
    maximum: numberOf(schema.maximum),
    itemsMax: countOf(schema.maxItems),
  }
}

const knownTypes = ['array', 'boolean', 'file', 'integer', 'number', 'object', 'string'] as const

/** What all the methods at a URL have together; what is required has to be so by all of them. */
function merged(url: string, calls: readonly DescribedCall[]): DescribedUrl {
  const inAll = (values: readonly DescribedValue[]) =>
    values.length >= calls.length && values.every(({ isRequired }) => isRequired)
  const together = (entries: readonly (readonly [string, DescribedValue])[]) =>
    new Map(
      [...Map.groupBy(entries, ([name]) => name)].map(([name, ofName]) => {
        const values = ofName.map(([, value]) => value)
        return [name, { ...widest(values), isRequired: inAll(values) }] as const
      }),
    )
  const ofJson = calls.filter(({ contentTypes }) => contentTypes.some(isJson))
  return {
    url,
    methods: distinct(calls.map(({ method }) => method)),
    takesQuery: calls.some(({ takesQuery }) => takesQuery),
    contentTypes: distinct(calls.flatMap(({ contentTypes }) => contentTypes)),
    parameters: together(calls.flatMap(({ parameters }) => parameters)),
    jsonKeys: together(ofJson.flatMap(({ jsonKeys }) => jsonKeys)),
    jsonMethods: distinct(ofJson.map(({ method }) => method)),
    jsonContentTypes: distinct(ofJson.flatMap(({ contentTypes }) => contentTypes.filter(isJson))),
  }
}

/** What takes all that any of the values takes; the type is unknown where they differ. */
function widest(values: readonly DescribedValue[]): Omit<DescribedValue, 'isRequired'> {
  const [first] = values
  const isLimited = (limit: (value: DescribedValue) => number | undefined) =>
    values.every((value) => limit(value) !== undefined)
  const limits = (limit: (value: DescribedValue) => number | undefined) =>
    values.map((value) => limit(value) ?? 0)
  const greatest = (limit: (value: DescribedValue) => number | undefined) =>
    isLimited(limit) ? limits(limit).reduce((most, one) => Math.max(most, one)) : undefined
  return {
    type: values.every(({ type }) => type === first?.type) ? first?.type : undefined,
    format: values.every(({ format }) => format === first?.format) ? first?.format : undefined,
    isNullable: values.some(({ isNullable }) => isNullable),
    choices: values.every(({ choices }) => choices.length > 0)
      ? distinct(values.flatMap(({ choices }) => choices))
      : [],
    lengthMax: greatest(({ lengthMax }) => lengthMax),
    minimum: isLimited(({ minimum }) => minimum)
      ? limits(({ minimum }) => minimum).reduce((least, one) => Math.min(least, one))
      : undefined,
    maximum: greatest(({ maximum }) => maximum),
    itemsMax: greatest(({ itemsMax }) => itemsMax),
  }
}

/** The path of the first server's URL, in which variables have their defaults. */
function basePathOfServers(document: ReferringDocument): string {
  const [server] = document.parts(document.root.servers)
  const variables = membersOf(server?.variables)
  const url = textOf(server?.url).replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    textOf(membersOf(variables[name]).default),
  )
  return URL.canParse(url, 'http://server.invalid') ? new URL(url, 'http://server.invalid').pathname : ''
}

/**
 * The URL of a path. One "*" stands for what varies: from the first name in braces to the last, or only for that one.
 */
function urlOf(base: string, path: string): string {
  const url = `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`.split(/[?#]/)[0] ?? ''
  const first = url.search(/[{*]/)
  if (first === -1) return url
  return `${url.slice(0, first)}*${url.slice(Math.max(url.lastIndexOf('}'), url.lastIndexOf('*')) + 1)}`
}

function isJson(contentType: string): boolean {
  return /^application\/(?:.+\+)?json$/.test(contentType)
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
