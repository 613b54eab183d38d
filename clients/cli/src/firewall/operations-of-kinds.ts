import { inPascalCase, type KindOperation } from '@palisade/sdk'
import { readKinds } from './kinds.ts'

/** The commands that every kind of objects has. */
export type ObjectCommand = 'list' | 'get' | 'create' | 'set' | 'delete'

const commands: Readonly<Record<KindOperation, ObjectCommand>> = {
  list: 'list',
  create: 'create',
  read: 'get',
  update: 'set',
  delete: 'delete',
}

/** The ids of the operations of the firewall's contract that a command calls, of all kinds and their sections. */
export async function operationsOfKinds(command: ObjectCommand): Promise<string[]> {
  const { all } = await readKinds()
  return all.flatMap(({ name, path, operations, sections }) => {
    const type = inPascalCase(name)
    const ids = { list: `list${inPascalCase(path.split('/').at(-1) ?? '')}`, ...idsOf(type) }
    const own = operations.filter((operation) => commands[operation] === command)
    return [
      ...own.map((operation) => ids[operation]),
      ...Object.entries(sections).flatMap(([segment, section]) => {
        const sectionIds = idsOf(type + inPascalCase(segment))
        return section.operations.flatMap((operation) => {
          if (operation === 'list') return []
          // To create a section means to change it.
          return (operation === 'read' ? 'get' : 'set') === command ? [sectionIds[operation]] : []
        })
      }),
    ]
  })
}

function idsOf(type: string): Readonly<Record<Exclude<KindOperation, 'list'>, string>> {
  return { create: `create${type}`, read: `get${type}`, update: `update${type}`, delete: `delete${type}` }
}
