import type { SpecialOperation } from '../operations/operation.ts'
import { operationExamples, withOperationExample } from './operation-examples.ts'
import type { PathItem } from './paths.ts'

type Paths = Readonly<Record<string, PathItem>>

/**
 * The paths with the special operations among them. One that shares address and method with a kind is left out:
 * OpenAPI has no word for operations that a query parameter tells apart.
 */
export function withSpecials(paths: Paths, specials: readonly SpecialOperation[], root: string): Paths {
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
