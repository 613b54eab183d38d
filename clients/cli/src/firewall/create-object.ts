import { examples } from '../api-command.ts'
import { say } from '../output.ts'
import { readOnlyObject, type StatedObject } from './documents.ts'
import { addressOf, namesIn, objectTitle, readKinds } from './kinds.ts'
import { type Management, managementCommand, withManagement } from './management.ts'
import { membersIn } from './members.ts'

/** `palisade firewall create KIND NAME FIELD=VALUE…`. */
export function createCommand() {
  return managementCommand('create')
    .description('create an object')
    .argument('<kind>', 'such as service')
    .argument(
      '[words...]',
      'NAME, such as shop, or shop/web1 for a server, unless there is one object of the kind; then FIELD=VALUE…, where VALUE is text or @FILE',
    )
    .option('-f, --file <file>', 'take the fields from a YAML or JSON file; - is standard input')
    .addHelpText(
      'after',
      examples(
        'palisade firewall create service shop ip-address=192.0.2.10 port=8081',
        'palisade firewall create server shop/web1 ip-address=192.0.2.7 port=80',
      ),
    )
    .action(async (kindName, words, _options, command) => {
      const options = command.opts()
      const kinds = await readKinds()
      const kind = kinds.named(kindName)
      const [name = '', ...pairs] = kind.identifiedBy === undefined ? ['', ...words] : words
      const stated =
        options.file === undefined
          ? { names: namesIn(kind, name), fields: {}, sections: {}, kind }
          : readOnlyObject(options.file, kind, name, kinds)
      const fields = { ...stated.fields, ...membersIn(pairs, kind.fields, `a ${kind.name}`) }
      await withManagement(options, async (management) => {
        await createObject(management, { ...stated, fields })
      })
      say(`${objectTitle(kind, stated.names)} is created.`, options)
    })
}

/** Creates an object with its sections. */
export async function createObject(
  management: Management,
  { kind, names, fields, sections }: StatedObject,
): Promise<void> {
  const body = kind.identifiedBy === undefined ? fields : { [kind.identifiedBy]: names.at(-1), ...fields }
  const collection = addressOf(kind, kind.identifiedBy === undefined ? names : names.slice(0, -1))
  await management.call('POST', collection, { body })
  for (const [segment, members] of Object.entries(sections)) {
    await management.call('PUT', `${addressOf(kind, names)}/${segment}`, { body: members })
  }
}
