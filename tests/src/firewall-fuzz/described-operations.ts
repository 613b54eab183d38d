/** A JSON Schema of the document, in which nothing is taken for granted. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly items?: Schema
  readonly examples?: readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  /** Left out where the parameter is described by a content type. */
  readonly schema?: Schema
}

interface Body {
  readonly content: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface PathItem {
  readonly parameters?: readonly Parameter[]
  readonly [method: string]: unknown
}

interface OperationObject {
  readonly operationId?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, object>>
}

/** An OpenAPI document as far as the fuzzer reads it. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** One operation of the document. */
export interface DescribedOperation {
  readonly id: string
  readonly method: string
  /** With names in braces: "/restapi/v3.2/services/{service_id}". */
  readonly path: string
  readonly queryParameters: readonly Parameter[]
  /** What its JSON body is to be; undefined when it takes none. */
  readonly body: Schema | undefined
  /** The statuses that have a description of their own, and "default". */
  readonly statuses: readonly string[]
}

const methods = ['get', 'post', 'put', 'delete', 'patch']

/** Every operation of the document, in its order. */
export function describedOperations(document: OpenApiDocument): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method): DescribedOperation[] => {
      const operation = item[method] as OperationObject | undefined
      if (operation === undefined) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
      const schema = operation.requestBody?.content['application/json']?.schema
      return [
        {
          id: operation.operationId ?? `${method} ${path}`,
          method: method.toUpperCase(),
          path,
          queryParameters: parameters.filter((parameter) => parameter.in === 'query'),
          body: schema && resolved(document, schema),
          statuses: Object.keys(operation.responses),
        },
      ]
    }),
  )
}

function resolved(document: OpenApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return (name === undefined ? undefined : document.components.schemas[name]) ?? schema
}
