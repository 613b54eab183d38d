import { addressesOf, type ContractDocument } from './contract-document.ts'

/** A log of the firewall. */
export interface FirewallLog {
  /** The address of its entries: "access-logs". */
  readonly path: string
  readonly description: string
  readonly fields: readonly string[]
  /** The fields that can be asked about, with the operators that each takes. */
  readonly filters: Readonly<Record<string, readonly string[]>>
}

/** The logs of the firewall's OpenAPI document: the lists that take filters. */
export function logsOf(document: ContractDocument): FirewallLog[] {
  return addressesOf(document).flatMap(({ path, operations }) => {
    const { parameters = [], summary } = operations.get ?? {}
    const [filters] = Object.values(parameters.find(({ name }) => name === 'filters')?.content ?? {})
    if (filters === undefined) return []
    return {
      path,
      description: summary ?? '',
      fields: parameters.find(({ name }) => name === 'parameters')?.schema?.items?.examples ?? [],
      filters: Object.fromEntries(
        filters.schema.items.anyOf.map(({ properties }) => [
          properties?.field?.const ?? '',
          properties?.operators?.enum ?? [],
        ]),
      ),
    }
  })
}
