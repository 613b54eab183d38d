import { examples } from '../api-command.ts'
import { printThing } from '../output.ts'
import { documentOf, type StatedObject } from './documents.ts'
import { addressOf, type PlacedKind, placeIn, readKinds } from './kinds.ts'
import {
  type Management,
  managementCommand,
  membersOf,
  objectOf,
  type Reply,
  withManagement,
} from './management.ts'
import type { Members } from './members.ts'

/** `palisade firewall get KIND [NAME] [SECTION]`. */
export function getCommand() {
  return managementCommand('get')
    .description('show an object, or a section of it')
    .argument('<kind>', 'such as service')
    .argument('[name]', 'shop, or shop/web1 for a server; left out for the only object of a kind')
    .argument('[section]', 'such as basic-security')
    .option('--all', 'with all sections')
    .addHelpText(
      'after',
      examples(
        'palisade firewall get service shop basic-security',
        'palisade firewall get server shop/web1 -o yaml',
      ),
    )
    .action(async (kindName, name, section, _options, command) => {
      const options = command.opts()
      const kind = (await readKinds()).named(kindName)
      const place = placeIn(
        kind,
        [name, section].filter((word) => word !== undefined),
      )
      await withManagement(options, async (management) => {
        const object = await readStated(management, kind, place.names)
        if (place.section !== undefined) {
          const members = await readSection(management, kind, place.names, place.section)
          printThing(members, options)
        } else if ((options.output ?? 'table') !== 'table') {
          printThing(documentOf(object.stated, object.status), options)
        } else {
          const inside = Object.entries(object.stated.sections).flatMap(([segment, members]) =>
            Object.entries(members).map(([field, value]) => [`${segment} ${field}`, value] as const),
          )
          printThing(
            { ...object.stated.fields, ...object.status, ...(options.all ? Object.fromEntries(inside) : {}) },
            options,
          )
        }
      })
    })
}

/** An object with everything that can be set, and what can only be read. */
async function readStated(
  management: Management,
  kind: PlacedKind,
  names: readonly string[],
): Promise<{ readonly stated: StatedObject; readonly status: Members }> {
  const reply = await management.call('GET', addressOf(kind, names))
  const shown = shownObject(kind, reply)
  const own = Object.entries(shown).filter(([field]) => field in kind.fields && field !== kind.identifiedBy)
  const pick = (isReadOnly: boolean) =>
    Object.fromEntries(own.filter(([field]) => (kind.fields[field]?.isReadOnly ?? false) === isReadOnly))
  const sections = Object.entries(kind.sections).map(([segment, { title, fields }]) => {
    const members = Object.entries(membersOf(shown[title])).filter(
      ([field]) => field in fields && !fields[field]?.isReadOnly,
    )
    return [segment, Object.fromEntries(members)] as const
  })
  return {
    stated: { kind, names, fields: pick(false), sections: Object.fromEntries(sections) },
    status: pick(true),
  }
}

/** Some single objects stand right in the data of a reply. */
function shownObject(kind: PlacedKind, reply: Reply): Members {
  const data = membersOf(reply.data)
  const isFlat = kind.identifiedBy === undefined && Object.keys(data).some((member) => member in kind.fields)
  return isFlat ? data : objectOf(reply)
}

async function readSection(
  management: Management,
  kind: PlacedKind,
  names: readonly string[],
  segment: string,
): Promise<Members> {
  const reply = await management.call('GET', `${addressOf(kind, names)}/${segment}`)
  const title = kind.sections[segment]?.title ?? segment
  return membersOf(objectOf(reply)[title] ?? membersOf(reply.data)[title])
}
