import { examples } from '../api-command.ts'
import { UsageError } from '../connection.ts'
import { printList, printThing, say } from '../output.ts'
import { documentOf, readOnlyObject, type StatedObject } from './documents.ts'
import {
  addressOf,
  called,
  type Fields,
  nameForm,
  namesAround,
  namesIn,
  type PlacedKind,
  readKinds,
  sectionOf,
} from './kinds.ts'
import {
  type Management,
  managementCommand,
  membersOf,
  objectOf,
  objectsOf,
  type Reply,
  withManagement,
} from './management.ts'
import { type Members, membersIn } from './members.ts'

/*
 * The commands that every kind of objects has.
 */

/** `palisade firewall kinds [KIND]`. */
export function kindsCommand() {
  return managementCommand('kinds')
    .description('list the kinds of objects, or the fields of one kind')
    .argument('[kind]', 'a kind, such as service')
    .argument('[section]', 'a section of it, such as basic-security')
    .addHelpText(
      'after',
      examples(
        'palisade firewall kinds',
        'palisade firewall kinds service',
        'palisade firewall kinds service basic-security',
      ),
    )
    .action(async (kindName, sectionName, _options, command) => {
      const options = command.opts()
      const kinds = await readKinds()
      if (kindName === undefined) {
        printList(
          kinds.all,
          [
            ['kind', ({ name }) => name],
            ['named', nameForm],
            ['what may be done', ({ operations }) => operations.join(' ')],
            ['description', ({ description }) => description],
          ],
          options,
        )
        return
      }
      const kind = kinds.named(kindName)
      const [, part] = sectionName === undefined ? ['', kind] : sectionOf(kind, sectionName)
      printList(
        Object.entries(part.fields).map(([name, field]) => ({ name, ...field })),
        [
          ['field', ({ name }) => name],
          [
            'takes',
            ({ values, names, isList }) =>
              `${isList ? 'list of ' : ''}${values?.join(', ') ?? names?.join(' or ') ?? 'text'}`,
          ],
          [
            '',
            ({ isRequired, isReadOnly, isCreateOnly, isSecret, isKept }) =>
              wordsFor({
                required: isRequired,
                'read-only': isReadOnly,
                'at creation': isCreateOnly,
                secret: isSecret,
                'not enforced': isKept,
              }),
          ],
          ['description', ({ description }) => description],
        ],
        options,
      )
      if (
        sectionName === undefined &&
        Object.keys(kind.sections).length > 0 &&
        (options.output ?? 'table') === 'table'
      ) {
        say(`Sections: ${Object.keys(kind.sections).join(', ')}`, options)
      }
    })
}

function wordsFor(words: Readonly<Record<string, true | undefined>>): string {
  return Object.keys(words)
    .filter((word) => words[word])
    .join(', ')
}

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
      say(`${called(kind, stated.names)} is created.`, options)
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
      say(`${called(kind, place.names)} is changed.`, options)
    })
}

function fieldsAt(kind: PlacedKind, segment: string | undefined): [Fields, string] {
  const section = segment === undefined ? undefined : kind.sections[segment]
  return section ? [section.fields, `the section ${segment}`] : [kind.fields, `a ${kind.name}`]
}

/**
 * The names and the section in words: `shop basic-security`, or `dns` for the only object of a kind.
 *
 * @throws UsageError when they are too many
 */
function placeIn(
  kind: PlacedKind,
  words: readonly string[],
): { names: readonly string[]; section: string | undefined } {
  const isNamed = kind.lineage.some(({ identifiedBy }) => identifiedBy !== undefined)
  const [name = '', section, another] = isNamed || words[0] === kind.title ? words : ['', ...words]
  if (another !== undefined) throw new UsageError(`${another} is no FIELD=VALUE.`)
  return {
    names: namesIn(kind, name),
    section: section === undefined ? undefined : sectionOf(kind, section)[0],
  }
}

/** `palisade firewall delete KIND NAME…`. */
export function deleteCommand() {
  return managementCommand('delete')
    .description('delete objects, with all that lies inside them')
    .argument('<kind>', 'such as service')
    .argument('<names...>', 'shop, or shop/web1 for a server')
    .addHelpText(
      'after',
      examples(
        'palisade firewall delete service shop',
        'palisade firewall delete server shop/web1 shop/web2',
      ),
    )
    .action(async (kindName, words, _options, command) => {
      const options = command.opts()
      const kind = (await readKinds()).named(kindName)
      const all = words.map((word) => namesIn(kind, word))
      await withManagement(options, async (management) => {
        for (const names of all) {
          await management.call('DELETE', addressOf(kind, names))
          say(`${called(kind, names)} is deleted.`, options)
        }
      })
    })
}
