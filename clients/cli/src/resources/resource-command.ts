import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { ResourceAction } from '@palisade/sdk'
import { apiCommand, examples, optionText, wholeNumber } from '../api-command.ts'
import { connect } from '../connection.ts'
import { confirm } from '../login/ask.ts'
import { addLoginOptions, loginTarget, withSession } from '../login/session.ts'
import { calls } from '../operations.ts'
import { printEach, printLine, printThing, say } from '../output.ts'
import { columnsOf, readable } from '../readable.ts'
import { suggestArguments } from '../suggestions.ts'
import { follow } from './follow.ts'
import { bodyOf, describeMembers, suggestMembers } from './members.ts'
import { addPlacementOptions, placementOf, resourceClient } from './placement.ts'
import { descriptionOf, type PathParameters, type ResourcePath } from './resource-client.ts'

/** A resource of /admin/v1 as commands. Everything else comes from the contract. */
export interface Resource {
  /** As they are typed behind `palisade`, such as `email domains`. */
  readonly words: string
  readonly path: ResourcePath
  readonly description: string
  /** Members of an item that a table shows; the first is its id. */
  readonly columns: readonly [string, ...string[]]
  /** What examples of the help say. */
  readonly example: {
    readonly id: string
    /** Options that name where it is, such as `--account 5584599`. */
    readonly parents?: string
    readonly list?: string
    readonly create?: string
    readonly set?: string
  }
  /** Those that need nothing but the members of their bodies. */
  readonly actions?: readonly string[]
  /** The member with the moment of an item, where new ones can be followed. */
  readonly followedBy?: string
  /** An API token may not add one. */
  readonly isAddedBySession?: true
}

/** Commands for what a resource lets be done: list, show, create, set, delete, and its actions. */
export function resourceCommand(resource: Resource) {
  const command = new Command(resource.words.split(' ').at(-1) ?? '')
    .description(resource.description)
    .addCommand(list(resource))
    .addCommand(show(resource))
  addChanges(command, resource)
  return command
}

/** Adds create, set, delete and the actions, as far as a resource has them, to a command that has its own list and show. */
export function addChanges(command: CommandUnknownOpts, resource: Resource): void {
  const { operations, actions } = descriptionOf(resource.path)
  if (operations.create !== null) command.addCommand(create(resource))
  if (operations.update !== null) command.addCommand(set(resource))
  if (operations.delete !== null) command.addCommand(remove(resource))
  for (const action of actions) {
    if (resource.actions?.includes(action.name)) command.addCommand(act(resource, action))
  }
}

function list(resource: Resource) {
  const { id, filters, orders, operations } = descriptionOf(resource.path)
  const filterOptions = Object.entries(filters).map(
    ([name, description]) => [name, new Option(`--${name} <value>`, description)] as const,
  )
  const command = apiCommand('list')
    .description('list all, or those that the filters choose')
    .addOption(new Option('--order <member>', 'descending with a minus before it').choices(orders))
    .option('--limit <number>', 'no more than so many', wholeNumber({ min: 1, max: 1_000_000_000 }))
    .addHelpText('after', examplesOf(resource, 'list', resource.example.list ?? ''))
  addPlacementOptions(command, resource.path)
  for (const [, option] of filterOptions) command.addOption(option)
  const { followedBy } = resource
  if (followedBy !== undefined) {
    command.addOption(new Option('--follow', 'print those that are added from now on, or since --from'))
  }
  calls(command, 'admin', operations.list)
  return command.action(async (options) => {
    const chosen = filterOptions.flatMap(([name, option]) => {
      const value = optionText(command, option.attributeName())
      return value === undefined ? [] : [[name, value] as const]
    })
    const client = await resourceClient(connect(options), resource.path, placementOf(command, resource.path))
    const query = { ...Object.fromEntries(chosen), ...(options.order ? { order: options.order } : {}) }
    const columns = columnsOf(resource.columns)
    if (followedBy !== undefined && command.getOptionValue('follow') === true) {
      for await (const item of follow(client, query, { id, at: followedBy }))
        printLine(item, columns, options)
      return
    }
    const items = client.list(query)
    await printEach(options.limit === undefined ? items : first(items, options.limit), columns, options)
  })
}

function show(resource: Resource) {
  const command = apiCommand('show')
    .description('show one, by its id')
    .argument('<id>', idOf(resource))
    .addHelpText('after', examplesOf(resource, 'show', resource.example.id))
  addPlacementOptions(command, resource.path)
  calls(command, 'admin', descriptionOf(resource.path).operations.read)
  return command.action(async (id, options) => {
    const client = await resourceClient(connect(options), resource.path, placementOf(command, resource.path))
    printThing(readable(await client.read(id), options), options)
  })
}

function create(resource: Resource) {
  const { creation, operations, id } = descriptionOf(resource.path)
  const command = apiCommand('create')
    .description('add one; secrets that are made for it are printed this once')
    .argument('[members...]', 'NAME=VALUE')
    .option('-f, --file <file>', 'members in JSON or YAML; - for standard input')
    .addHelpText('after', `\nMembers:\n${describeMembers(creation)}`)
    .addHelpText('after', examplesOf(resource, 'create', resource.example.create ?? ''))
  addPlacementOptions(command, resource.path)
  if (resource.isAddedBySession) addLoginOptions(command)
  suggestArguments(command, (words) => suggestMembers(creation, words))
  calls(command, 'admin', ...present(operations.create))
  return command.action(async (assignments, options) => {
    const body = await bodyOf(assignments, creation, { file: options.file, isCreation: true })
    const placement = placementOf(command, resource.path)
    const added = resource.isAddedBySession
      ? await withSession(loginTarget(command, options), async (session) =>
          (await resourceClient(session, resource.path, placement)).create(body),
        )
      : await (await resourceClient(connect(options), resource.path, placement)).create(body)
    if (options.quiet) console.log(String(added[id]))
    else printThing(readable(added, options), options)
  })
}

function set(resource: Resource) {
  const { change, operations } = descriptionOf(resource.path)
  const command = apiCommand('set')
    .description('change members of one')
    .argument('<id>', idOf(resource))
    .argument('[members...]', 'NAME=VALUE')
    .option('-f, --file <file>', 'members in JSON or YAML; - for standard input')
    .addHelpText('after', `\nMembers:\n${describeMembers(change)}`)
    .addHelpText('after', examplesOf(resource, 'set', `${resource.example.id} ${resource.example.set}`))
  addPlacementOptions(command, resource.path)
  calls(command, 'admin', ...present(operations.update))
  suggestArguments(command, ([, ...words]) => (words.length > 0 ? suggestMembers(change, words) : []))
  return command.action(async (id, assignments, options) => {
    const body = await bodyOf(assignments, change, { file: options.file, isCreation: false })
    const client = await resourceClient(connect(options), resource.path, placementOf(command, resource.path))
    const changed = await client.update(id, body)
    if (!options.quiet) printThing(readable(changed, options), options)
  })
}

function remove(resource: Resource) {
  const command = apiCommand('delete')
    .description('delete one')
    .argument('<id>', idOf(resource))
    .option('--preview', 'tell what would be lost, and delete nothing')
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      examplesOf(resource, 'delete', `${resource.example.id} --preview`, `${resource.example.id} --yes`),
    )
  addPlacementOptions(command, resource.path)
  calls(command, 'admin', ...present(descriptionOf(resource.path).operations.delete))
  return command.action(async (id, options) => {
    const placement = placementOf(command, resource.path)
    const client = await resourceClient(connect(options), resource.path, placement)
    if (options.preview) {
      printThing({ losses: await client.losses(id) }, options)
      return
    }
    if (!options.yes) await confirm(deletionQuestion(resource, id, await client.losses(id)))
    await client.delete(id)
    say(`${id} is deleted.${wayBack(resource, id, placement)}`, options)
  })
}

/** How what was deleted is taken back, where that can be done. */
function wayBack(resource: Resource, id: string, placement: PathParameters): string {
  const { words } = resource
  if (!canBeUndeleted(resource)) return ''
  const place = Object.entries(placement).map(([name, value]) => ` --${name} ${value}`)
  return ` "palisade ${words} undelete ${id}${place.join('')}" takes it back for a while.`
}

function canBeUndeleted({ actions = [] }: Resource): boolean {
  return actions.includes('undelete')
}

function act(resource: Resource, { name, operation, summary, members }: ResourceAction) {
  const hasBody = Object.keys(members).length > 0
  const command = apiCommand(name)
    .description(summary.replace(/^./, (letter) => letter.toLowerCase()))
    .argument('<id>', idOf(resource))
    .argument('[members...]', 'NAME=VALUE')
    .addHelpText('after', hasBody ? `\nMembers:\n${describeMembers(members)}` : '')
    .addHelpText(
      'after',
      examplesOf(
        resource,
        name,
        `${resource.example.id}${'overlapHours' in members ? ' overlapHours=24' : ''}`,
      ),
    )
  addPlacementOptions(command, resource.path)
  calls(command, 'admin', operation)
  suggestArguments(command, ([, ...words]) => (words.length > 0 ? suggestMembers(members, words) : []))
  return command.action(async (id, assignments, options) => {
    const body = await bodyOf(assignments, members, { isCreation: true })
    const client = await resourceClient(connect(options), resource.path, placementOf(command, resource.path))
    const reply = await client.act(id, name, hasBody ? body : undefined)
    if (reply === undefined) say(`${summary}: done.`, options)
    else printThing(readable(reply, options), options)
  })
}

function deletionQuestion(resource: Resource, id: string, losses: readonly string[]): string {
  const question = `Delete ${id}${losses.length > 0 ? `, and with it ${losses.join(', ')}` : ''}?`
  return canBeUndeleted(resource) ? question : `${question} Nothing takes this back.`
}

function idOf({ path }: Resource): string {
  return `its ${descriptionOf(path).id}`
}

function examplesOf({ words, example }: Resource, verb: string, ...endings: readonly string[]): string {
  return examples(
    ...endings.map((ending) =>
      ['palisade', words, verb, ending, example.parents ?? ''].filter((part) => part !== '').join(' '),
    ),
  )
}

function present(operation: string | null): string[] {
  return operation === null ? [] : [operation]
}

async function* first<Value>(
  values: AsyncIterable<Value>,
  count: number,
): AsyncGenerator<Value, void, undefined> {
  let remaining = count
  for await (const value of values) {
    yield value
    remaining -= 1
    if (remaining === 0) return
  }
}
