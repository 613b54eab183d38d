import { examples } from '../api-command.ts'
import { printList } from '../output.ts'
import { addressOf, namesAround, type PlacedKind, readKinds } from './kinds.ts'
import { type Management, managementCommand, objectsOf, withManagement } from './management.ts'
import type { Members } from './members.ts'

/** `palisade firewall list KIND [PARENT]`. */
export function listCommand() {
  return managementCommand('list')
    .description('list the objects of a kind')
    .argument('<kind>', 'such as services, or server')
    .argument('[parent]', 'the object around them: shop, or shop/rule')
    .option('--health', 'how they fare')
    .addHelpText(
      'after',
      examples('palisade firewall list services', 'palisade firewall list servers shop --health'),
    )
    .action(async (kindName, parent = '', _options, command) => {
      const options = command.opts()
      const kind = (await readKinds()).named(kindName)
      const around = namesAround(kind, parent)
      await withManagement(options, async (management) => {
        if (options.health) {
          const fares = objectsOf(
            await management.call('GET', addressOf(kind, around), { query: { category: 'operational' } }),
          )
          printList(
            fares.map(([name, members]) => ({
              name,
              status: members['operational-status'],
              reason: members['status-reason'],
            })),
            [
              ['name', ({ name }) => name],
              ['status', ({ status }) => status],
              ['reason', ({ reason }) => reason],
            ],
            options,
          )
          return
        }
        const objects = await objectsIn(management, kind, around)
        const columns = columnsOf(kind, objects)
        printList(
          objects,
          [
            ['name', ({ name }) => name],
            ...columns.map((field) => [field, (one: Listed) => one.values[field]] as const),
          ],
          options,
        )
      })
    })
}

interface Listed {
  readonly name: string
  readonly values: Members
}

async function objectsIn(
  management: Management,
  kind: PlacedKind,
  around: readonly string[],
): Promise<Listed[]> {
  const reply = await management.call('GET', addressOf(kind, around))
  return objectsOf(reply).map(([name, members]) => ({
    name,
    values: Object.fromEntries(Object.entries(members).filter(([field]) => field in kind.fields)),
  }))
}

/** The first fields that hold something, and not the same everywhere by default: as many as a terminal has room for. */
function columnsOf(kind: PlacedKind, objects: readonly Listed[]): string[] {
  const shown = Object.keys(kind.fields).filter((field) => {
    const texts = objects.map(({ values }) => String(values[field] ?? ''))
    return (
      field !== kind.identifiedBy &&
      texts.some((text) => text !== '') &&
      texts.every((text) => text.length <= 40)
    )
  })
  return shown.slice(0, 5)
}
