import { type ContractDocument, kindsOf, logsOf } from '@palisade/sdk'

/**
 * The module that holds the tables of kinds and logs: `npm run contract` writes it (kinds.generated.ts), since the document itself takes a
 * tenth of a second to read.
 */
export function kindsModule(document: ContractDocument): string {
  const lines = (values: readonly object[]) => values.map((value) => `  ${JSON.stringify(value)},\n`).join('')
  return `// Made of the contract by "npm run contract".
import type { FirewallKind, FirewallLog } from '@palisade/sdk'

export const kinds: readonly FirewallKind[] = [
${lines(kindsOf(document))}]

export const logs: readonly FirewallLog[] = [
${lines(logsOf(document))}]
`
}
