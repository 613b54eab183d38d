/** What is read of an OpenAPI document of Palisade. */
export interface ContractDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: Readonly<Record<string, ContractSchema>> }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
}

/** A JSON Schema in the document. */
export interface ContractSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly const?: string
  readonly description?: string
  readonly writeOnly?: boolean
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, ContractSchema>>
  readonly items?: ContractSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly $ref?: string
  readonly 'x-default'?: string | number | readonly string[]
  readonly 'x-enforced'?: boolean
}

/** One method at an address. */
export interface ContractOperation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly ContractParameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >
}

interface ContractParameter {
  readonly name: string
  readonly schema?: { readonly items?: { readonly examples?: readonly string[] } }
  readonly content?: Readonly<
    Record<string, { readonly schema: { readonly items: { readonly anyOf: readonly ContractSchema[] } } }>
  >
}

/** An address with its methods, in lower case. */
export interface ContractAddress {
  readonly path: string
  readonly operations: Readonly<Record<string, ContractOperation>>
}

const root = '/restapi/v3.2/'

/** The addresses of the firewall's document, without what stands before each of them. */
export function addressesOf({ paths }: ContractDocument): ContractAddress[] {
  return Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).filter(([method]) => method !== 'parameters')
    return {
      path: path.slice(root.length),
      operations: Object.fromEntries(operations) as ContractAddress['operations'],
    }
  })
}
