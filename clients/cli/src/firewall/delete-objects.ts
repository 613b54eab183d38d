import { examples } from '../api-command.ts'
import { confirmAtTerminal } from '../login/ask.ts'
import { say } from '../output.ts'
import { deletedSentence, yesOption } from './deletion.ts'
import {
  addressOf,
  type Kinds,
  type NamePath,
  namesIn,
  objectTitle,
  type PlacedKind,
  readKinds,
} from './kinds.ts'
import { type Management, managementCommand, membersOf, objectsOf, withManagement } from './management.ts'

/** So many objects are named and looked into in a question; of more it is told how many they are. */
const namedMax = 10

/** How many deletions the management keeps (`transfer/checkpoints.ts` of the service). */
const deletionsKept = 100

/** `palisade firewall delete KIND NAME…`. */
export function deleteCommand() {
  return managementCommand('delete')
    .description('delete objects, with all that lies inside them')
    .argument('<kind>', 'such as service')
    .argument('<names...>', 'shop, or shop/web1 for a server')
    .addOption(yesOption())
    .addHelpText(
      'after',
      examples(
        'palisade firewall delete service shop',
        'palisade firewall delete server shop/web1 shop/web2 --yes',
      ),
    )
    .action(async (kindName, words, _options, command) => {
      const options = command.opts()
      const kinds = await readKinds()
      const kind = kinds.named(kindName)
      const all = words.map((word) => namesIn(kind, word))
      await withManagement(options, async (management) => {
        await confirmAtTerminal(options, () => deletionQuestion(management, kinds, kind, all))
        for (const names of all) {
          const reply = await management.call('DELETE', addressOf(kind, names))
          say(deletedSentence(objectTitle(kind, names), reply), options)
        }
      })
    })
}

async function deletionQuestion(
  management: Management,
  kinds: Kinds,
  kind: PlacedKind,
  all: readonly NamePath[],
): Promise<string> {
  if (all.length > namedMax) return questionOfMany(kind, all.length)
  const objects = []
  for (const names of all) {
    const inside = await contentsOf(management, kinds, kind, names)
    objects.push(
      `${objectTitle(kind, names)}${inside.length === 0 ? '' : `, and with it ${inside.join(', ')}`}`,
    )
  }
  const lasting = await lastingLosses(management, kind, all)
  return [`Delete ${objects.join('; ')}?`, ...lasting].join(' ')
}

function questionOfMany(kind: PlacedKind, count: number): string {
  const sentences = [`Delete ${count} ${kind.path.split('/').at(-1)}, with all that lies inside them?`]
  if (kind.name === 'user') sentences.push('Nothing takes this back.')
  else if (count > deletionsKept)
    sentences.push(`Only the last ${deletionsKept} deletions can be taken back.`)
  if (kind.name === 'service') sentences.push('Requests that they have stored do not come back.')
  return sentences.join(' ')
}

/** What lies right inside an object: "2 servers". */
async function contentsOf(
  management: Management,
  kinds: Kinds,
  kind: PlacedKind,
  names: NamePath,
): Promise<string[]> {
  const children = kinds.all.filter(
    ({ parent, operations }) => parent === kind.name && operations.includes('list'),
  )
  const counted = children.map(async (child) => {
    const count = objectsOf(await management.call('GET', addressOf(child, names))).length
    if (count === 0) return []
    return [count === 1 ? `1 ${child.name}` : `${count} ${child.path.split('/').at(-1)}`]
  })
  return (await Promise.all(counted)).flat()
}

/** What does not come back with the objects, as sentences. */
async function lastingLosses(
  management: Management,
  kind: PlacedKind,
  all: readonly NamePath[],
): Promise<string[]> {
  if (kind.name === 'user') return ['Nothing takes this back.']
  if (kind.name !== 'service') return []
  const counts = await Promise.all(
    all.map(async (names) => {
      const { data } = await management.call('GET', `${addressOf(kind, names)}/stored-requests`)
      return Number(membersOf(data).requests ?? 0)
    }),
  )
  const count = counts.reduce((sum, one) => sum + one, 0)
  return count === 0 ? [] : [`Nothing takes back the loss of stored requests (${count}).`]
}
