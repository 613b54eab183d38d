import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../repository/root.ts'
import type { Management } from './proxy.ts'

/** An operation of the firewall's contract. */
export interface ContractOperation {
  readonly id: string
  readonly method: string
  /** After the version, with the names of the contract's examples in it. */
  readonly path: string
  readonly summary: string
  readonly example: object | undefined
}

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> }
}

interface Item extends Readonly<Record<string, unknown>> {
  readonly parameters?: readonly { readonly name: string; readonly example?: string }[]
}

const version = '/restapi/v3.2/'

/** Every operation of the firewall's contract, in its order. */
export function firewallOperations(): ContractOperation[] {
  const file = join(root, 'clients/contract/openapi/firewall.json')
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, Item> }
  return Object.entries(paths).flatMap(([template, { parameters = [], ...methods }]) => {
    const names = new Map(parameters.map(({ name, example }) => [name, example]))
    const path = template
      .slice(version.length)
      .replaceAll(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(names.get(name) ?? name))
    return Object.entries(methods).map(([method, operation]) => {
      const { operationId, summary, requestBody } = operation as Described
      const example = requestBody?.content['application/json']?.example
      return { id: operationId, method: method.toUpperCase(), path, summary, example }
    })
  })
}

/**
 * Creates the contract's example of every kind that can be created.
 *
 * @returns how many kinds can be, and why the others could not
 */
export async function createExamples(management: Management): Promise<{ kinds: number; refusals: string[] }> {
  const creations = firewallOperations().filter(({ summary }) => /^Create a [a-z0-9-]+\.$/.test(summary))
  let left = creations
  let refusals: string[] = []
  // An example that names another one is refused until that is there.
  for (let before = Number.POSITIVE_INFINITY; left.length > 0 && left.length < before; ) {
    before = left.length
    refusals = []
    for (const { path, example } of [...left]) {
      await management.call('POST', path, example).then(
        () => {
          left = left.filter((one) => one.path !== path)
        },
        (error: Error) => refusals.push(error.message),
      )
    }
  }
  return { kinds: creations.length, refusals }
}
