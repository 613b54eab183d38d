import { operationExamples } from './operation-examples.ts'
import type { PathItem } from './paths.ts'
import type { Schema } from './schemas.ts'
import { withOperationExample } from './with-operation-example.ts'

/** Of an operation that is done rather than kept: where it is, and what the document says of it. */
export interface DescribedSpecial {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** What follows the version, with names in braces: "ops/export-configuration", "certificates/{name}". */
  readonly path: string
  /** Where a kind has the same address and method: the parameter of the query that tells this operation. */
  readonly when?: { readonly parameter: string; readonly value: string }
  /** The operation as the OpenAPI document has it, without what all have; undefined when it is described elsewhere. */
  readonly description?: DescribedOperation
}

/** An operation of OpenAPI, but for its path parameters, which follow from the path. */
export interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Schema[]
  readonly requestBody?: Schema
  readonly responses: Readonly<Record<string, Schema>>
}

type Paths = Readonly<Record<string, PathItem>>

/**
 * The paths with the special operations among them. One that shares address and method with a kind is left out:
 * OpenAPI has no word for operations that a query parameter tells apart.
 */
export function withSpecials(paths: Paths, specials: readonly DescribedSpecial[], root: string): Paths {
  const all: Record<string, PathItem> = { ...paths }
  for (const { path, method, when, description } of specials) {
    if (when !== undefined || description === undefined) continue
    const address = `${root}/${path}`
    const { parameters = [], ...described } = description
    const names = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }))
    const operation = {
      ...described,
      parameters: [...names, ...parameters],
    }
    const shown = withOperationExample(operation, operationExamples[description.operationId] ?? {})
    all[address] = { ...all[address], [method.toLowerCase()]: shown }
  }
  return all
}
