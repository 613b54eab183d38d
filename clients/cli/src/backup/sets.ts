import { answer, type BackupClient, type BackupSchemas, type ComputerPath } from '@palisade/sdk'
import { connectToBackup, UsageError } from '../connection.ts'
import { confirm, confirmAtTerminal } from '../login/ask.ts'
import { printList, printThing, say } from '../output.ts'
import { followAction } from './actions.ts'
import {
  type CommandFacts,
  computerCommand,
  groupCommand,
  pathOf,
  positiveInteger,
} from './computer-command.ts'
import { definingCommand, readDefinition, readRetention, type SetDefinition } from './set-definition.ts'

type BackupSet = BackupSchemas['schemas']['BackupSet']

const root = '/v2/accounts/{account_id}/computers/{computer_id}/backupsets'

/** `palisade backup sets`: what is backed up by itself. */
export function sets() {
  return groupCommand('sets', 'backup sets: what is backed up by itself, when, and for how long it is kept')
    .addCommand(list(), { isDefault: true })
    .addCommand(show())
    .addCommand(create())
    .addCommand(change())
    .addCommand(run())
    .addCommand(toggle('enable', 'let the schedule of a set count', true))
    .addCommand(toggle('disable', 'let the schedule of a set count no more', false))
    .addCommand(retention())
    .addCommand(remove())
}

/** A command about one set of a computer. */
function setCommand(name: string, { operations, examples }: CommandFacts) {
  return computerCommand(name, { operations: ['listBackupSets', ...operations], examples }).argument(
    '<set>',
    'its id or name',
  )
}

function list() {
  return computerCommand('list', { operations: ['listBackupSets'], examples: ['sets list'] })
    .description('list backup sets, by name')
    .action(async (options) => {
      printList(
        await setsOf(connectToBackup(options), pathOf(options)),
        [
          ['id', ({ id }) => id],
          ['name', ({ name }) => name],
          ['enabled', ({ enabled }) => enabled],
          ['of', ({ selection }) => selection.map(selectedText).join(', ')],
          ['next run', ({ nextRun }) => nextRun],
          ['last run', ({ lastRun }) => lastRun?.state],
          ['warning', ({ warning }) => warning],
        ],
        options,
      )
    })
}

function show() {
  return setCommand('show', { operations: [], examples: ['sets show nightly'] })
    .description('show one backup set')
    .action(async (set, options) => {
      printThing(await setNamed(connectToBackup(options), pathOf(options), set), options)
    })
}

function create() {
  return definingCommand('create', {
    operations: ['createBackupSet'],
    examples: [
      'sets create nightly --at 22:30 --work-days --keep-last 5 --keep-daily 14',
      'sets create hourly --volume /dev/sdb#1 --every 1',
    ],
  })
    .description('make a backup set')
    .argument('<name>', 'what it is called')
    .action(async (name, options) => {
      const definition = readDefinition(options)
      const { data } = await answer(
        connectToBackup(options).POST(root, {
          params: { path: pathOf(options) },
          body: { type: 'Disk_Image', selection: ['%All%'], ...definition, name },
        }),
      )
      if (options.output !== undefined && options.output !== 'table') printThing(data, options)
      else if (options.quiet) console.log(data.id)
      else console.log(`Set ${data.id} is made.${data.warning === null ? '' : ` But ${data.warning}.`}`)
    })
}

function change() {
  return definingCommand('change', {
    operations: ['listBackupSets', 'replaceBackupSet'],
    examples: ['sets change nightly --at 23:00 --rename late'],
  })
    .description('change a backup set; its revisions stay its own')
    .argument('<set>', 'its id or name')
    .option('--rename <name>', 'what it is called from now on')
    .action(async (set, options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const before = await setNamed(client, path, set)
      const definition = readDefinition(options)
      const settings = { ...before.settings, ...definition.settings }
      const body = { ...definitionOf(before), ...definition, settings, name: options.rename ?? before.name }
      const changed = await answer(
        client.PUT(`${root}/{id}`, { params: { path: { ...path, id: before.id } }, body }),
      )
      if (options.output !== undefined && options.output !== 'table') printThing(changed, options)
      else
        say(
          `Set ${changed.id} is changed.${changed.warning === null ? '' : ` But ${changed.warning}.`}`,
          options,
        )
    })
}

function run() {
  return setCommand('run', {
    operations: ['runBackupSet', 'getBackupSetAction'],
    examples: ['sets run nightly', 'sets run nightly --no-wait'],
  })
    .description('back the volumes of a set up now, or as soon as the agent is there')
    .option('--no-wait', 'do not wait until it has ended')
    .action(async (set, options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const { id: backupSetId, name } = await setNamed(client, path, set)
      const { data } = await answer(client.POST(`${root}/run`, { params: { path }, body: { backupSetId } }))
      const action = {
        id: data.id,
        title: 'run',
        text: `Everything of ${name} is backed up.`,
        failure: `${name} could not be backed up`,
      }
      await followAction(client, path, action, options)
    })
}

function toggle(verb: 'enable' | 'disable', description: string, value: boolean) {
  return setCommand(verb, { operations: ['toggleBackupSet'], examples: [`sets ${verb} nightly`] })
    .description(description)
    .action(async (set, options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const { id: backupSetId, name } = await setNamed(client, path, set)
      await answer(client.POST(`${root}/toggle`, { params: { path }, body: { backupSetId, value } }))
      say(`The schedule of ${name} counts${value ? '' : ' no more'}.`, options)
    })
}

function retention() {
  return setCommand('retention', {
    operations: ['previewRetention'],
    examples: ['sets retention nightly --keep-last 2'],
  })
    .description('list the revisions that retention would delete now; nothing is deleted by this')
    .option(
      '--keep-last <number>',
      'as if so many newest ones were kept, instead of what the set says',
      positiveInteger,
    )
    .option('--keep-daily <number>', 'and the newest of so many days', positiveInteger)
    .option('--keep-weekly <number>', 'and of so many weeks', positiveInteger)
    .option('--keep-monthly <number>', 'and of so many months', positiveInteger)
    .action(async (set, options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const { id } = await setNamed(client, path, set)
      const supposed = readRetention(options)
      const { data } = await answer(
        client.POST(`${root}/{id}/retention`, {
          params: { path: { ...path, id } },
          body: supposed === undefined ? {} : { retention: supposed },
        }),
      )
      const rows = [
        ...data.deleted.map((revision) => ({ revision, outcome: 'deleted' })),
        ...data.kept.map((revision) => ({ revision, outcome: 'kept' })),
      ]
      if (options.output !== undefined && options.output !== 'table') printThing(data, options)
      else if (options.quiet) printList(data.deleted, [['revision', (one) => one]], options)
      else
        printList(
          rows,
          [
            ['revision', (row) => row.revision],
            ['would be', (row) => row.outcome],
          ],
          options,
        )
    })
}

function remove() {
  return setCommand('delete', {
    operations: ['deleteBackupSet', 'getBackupSetAction'],
    examples: ['sets delete nightly', 'sets delete nightly --with-revisions --yes'],
  })
    .description('delete a backup set; its revisions stay')
    .option('--with-revisions', 'delete its revisions, too, for good')
    .option('-y, --yes', 'do not ask')
    .action(async (set, options) => {
      const client = connectToBackup(options)
      const path = pathOf(options)
      const { id: backupSetId, name } = await setNamed(client, path, set)
      if (options.withRevisions && !options.yes)
        await confirm(`Delete set ${name} with all its revisions for good? Nothing takes them back.`)
      if (!options.withRevisions) {
        await confirmAtTerminal(
          options,
          () =>
            `Delete set ${name}? Nothing is backed up by it any more; its revisions stay. Nothing takes this back: "palisade backup sets show" tells what to make it anew with.`,
        )
      }
      const body = { backupSetId, deleteData: options.withRevisions === true }
      const { data } = await answer(client.POST(`${root}/delete`, { params: { path }, body }))
      const action = {
        id: data.id,
        title: 'deletion',
        text: `Set ${name} is deleted.`,
        failure: `${name} could not be deleted`,
      }
      await followAction(client, path, action, { ...options, wait: true })
    })
}

async function setsOf(client: BackupClient, path: ComputerPath): Promise<readonly BackupSet[]> {
  return answer(client.GET(root, { params: { path } }))
}

/** @throws UsageError when there is none, or several have the name */
async function setNamed(client: BackupClient, path: ComputerPath, wanted: string): Promise<BackupSet> {
  const all = await setsOf(client, path)
  const [found, another] = [
    ...all.filter(({ id }) => id === wanted),
    ...all.filter(({ name }) => name === wanted),
  ]
  if (found === undefined) {
    const names = all.map(({ id, name }) => `${name} (${id})`).join(', ')
    throw new UsageError(`There is no backup set ${wanted}; there are ${names || 'none'}.`)
  }
  if (another !== undefined && another.id !== found.id) {
    throw new UsageError(`Several sets are called ${wanted}: say the id, ${found.id} or ${another.id}.`)
  }
  return found
}

/** What a set was made with. */
function definitionOf(
  set: BackupSet,
): SetDefinition & { type: 'Disk_Image'; selection: BackupSet['selection'] } {
  const { type, selection, exclusions, useDynamicVolumeInclusion, timeZone, schedule, settings } = set
  return { type, selection, exclusions, useDynamicVolumeInclusion, timeZone, schedule, settings }
}

function selectedText(selected: BackupSet['selection'][number]): string {
  if (typeof selected === 'string') return selected
  return selected.partition === undefined ? selected.path : `${selected.path}#${selected.partition}`
}
