import { examples } from '../api-command.ts'
import { UsageError } from '../connection.ts'
import { say } from '../output.ts'
import { addressOf, type Fields, objectTitle, type PlacedKind, placeIn, readKinds } from './kinds.ts'
import { managementCommand, withManagement } from './management.ts'
import { membersIn } from './members.ts'

/** `palisade firewall set KIND [NAME] [SECTION] FIELD=VALUE…`. */
export function setCommand() {
  return managementCommand('set')
    .description('change fields of an object, or of a section of it; the others stay as they are')
    .argument('<kind>', 'such as service')
    .argument('<words...>', 'NAME, then SECTION where one is meant, then FIELD=VALUE…')
    .addHelpText(
      'after',
      examples(
        'palisade firewall set service shop comments="The shop"',
        'palisade firewall set service shop basic-security mode=Active',
        'palisade firewall set system dns primary-dns-server=192.0.2.53',
      ),
    )
    .action(async (kindName, words, _options, command) => {
      const options = command.opts()
      const kind = (await readKinds()).named(kindName)
      // A name may have an equals sign, and so may a value: the first word with one that begins with a field is a pair.
      const start = words.findIndex(
        (word, index) => /^[a-z0-9_-]+=/i.test(word) && (index > 0 || kind.identifiedBy === undefined),
      )
      const place = placeIn(kind, start < 0 ? words : words.slice(0, start))
      const pairs = start < 0 ? [] : words.slice(start)
      if (pairs.length === 0) throw new UsageError('Say what is to be changed: FIELD=VALUE.')
      const [fields, what] = fieldsAt(kind, place.section)
      const body = membersIn(pairs, fields, what)
      const address = addressOf(kind, place.names)
      await withManagement(options, (management) =>
        management.call('PUT', place.section === undefined ? address : `${address}/${place.section}`, {
          body,
        }),
      )
      say(`${objectTitle(kind, place.names)} is changed.`, options)
    })
}

function fieldsAt(kind: PlacedKind, segment: string | undefined): [Fields, string] {
  const section = segment === undefined ? undefined : kind.sections[segment]
  return section ? [section.fields, `the section ${segment}`] : [kind.fields, `a ${kind.name}`]
}
