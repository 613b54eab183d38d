import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { DescribedOperation, OpenApiDocument, Schema } from './described-operations.ts'

/** Compares replies with what the document says about them. */
export class DocumentedReplies {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  readonly #document: OpenApiDocument

  constructor(document: OpenApiDocument) {
    this.#document = document
    addFormats.default(this.#ajv)
    this.#ajv.addSchema({ $id: 'document', ...closed(document) })
  }

  /** @returns what is wrong with a reply, in words; empty when it is as documented */
  faultsOf(operation: DescribedOperation, status: number, contentType: string, text: string): string[] {
    const statusKey = operation.statuses.includes(String(status)) ? String(status) : 'default'
    if (statusKey === 'default' && status < 400) return [`status ${status} is not documented`]
    const place = this.#contentOf(operation, statusKey)
    const type = contentType.split(';')[0]?.trim() ?? ''
    if (place === undefined || !(type in place.content)) return [`content type ${type} is not documented`]
    if (type !== 'application/json') return []
    const validate = this.#ajv.getSchema(`document${place.pointer}/content/application~1json/schema`)
    if (!validate) return ['its schema is not in the document']
    if (validate(parsed(text))) return []
    return [this.#ajv.errorsText(validate.errors)]
  }

  #contentOf({ path, method }: DescribedOperation, status: string) {
    const responses = Object(this.#document.paths[path]?.[method.toLowerCase()]).responses
    const response = responses?.[status]
    const own = ['paths', path, method.toLowerCase(), 'responses', status]
    if (typeof response?.$ref === 'string') {
      const segments = response.$ref.slice(2).split('/')
      const shared = segments.reduce(
        (inside: object, segment: string) => Object(inside)[segment],
        this.#document,
      )
      return { pointer: pointerTo(segments), content: Object(shared).content ?? {} }
    }
    return response && { pointer: pointerTo(own), content: response.content ?? {} }
  }
}

/**
 * The document with every object closed that stands for objects of the configuration, shown or listed: what a reply
 * has besides is not documented. What special operations answer may be more than is told.
 */
function closed({ components, paths, ...others }: OpenApiDocument): object {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, closedSchema(schema)])
  return {
    ...others,
    components: { ...components, schemas: Object.fromEntries(schemas) },
    paths: closedReplies(paths),
  }
}

function closedSchema(schema: Schema): Schema {
  return schema.properties === undefined ? schema : { additionalProperties: false, ...schema }
}

/** Replies that show objects of the configuration say of which kind they are. */
function closedReplies(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closedReplies)
  if (typeof part !== 'object' || part === null) return part
  const inner = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closedReplies(value)]))
  const kind: unknown = Object(Object(inner.properties).object).const
  return kind === undefined ? inner : closedSchema(inner)
}

function pointerTo(segments: readonly string[]): string {
  const escaped = segments.map((segment) => segment.replaceAll('~', '~0').replaceAll('/', '~1'))
  return `#/${escaped.map(encodeURIComponent).join('/')}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
