import type { AddColumnNode, KyselyPlugin, RootOperationNode } from 'kysely'

/** Refuses statements that keep older servers from using the tables: all but new tables and indexes, and columns that may be left out. */
export const addingOnly: KyselyPlugin = {
  transformQuery({ node }) {
    const fault = faultOf(node)
    if (fault !== undefined) throw new Error(`an additive step only adds: ${fault}`)
    return node
  },
  async transformResult({ result }) {
    return result
  },
}

function faultOf(node: RootOperationNode): string | undefined {
  if (node.kind === 'CreateTableNode' || node.kind === 'CreateIndexNode') return undefined
  if (node.kind !== 'AlterTableNode') return `${node.kind} does something else`
  const { columnAlterations = [], ...others } = node
  const isOther = ([name, value]: [string, unknown]) =>
    !['kind', 'table'].includes(name) && value !== undefined
  if (Object.entries(others).some(isOther)) return 'a table is changed beside its columns'
  const added = columnAlterations.filter((one): one is AddColumnNode => one.kind === 'AddColumnNode')
  if (added.length < columnAlterations.length) return 'a column that is there is changed'
  const needed = added.find(({ column }) => column.notNull === true && column.defaultTo === undefined)
  return needed && `the column ${needed.column.column.column.name} has to be given`
}
