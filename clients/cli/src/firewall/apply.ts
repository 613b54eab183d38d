import { createInterface } from 'node:readline/promises'
import { examples } from '../api-command.ts'
import { UsageError } from '../connection.ts'
import { cell, type OutputOptions, printThing, say } from '../output.ts'
import { readConfiguration } from './configuration.ts'
import { documentOf, inYaml, readObjects, writeObjects } from './documents.ts'
import { readKinds } from './kinds.ts'
import { managementCommand, withManagement } from './management.ts'
import { carryOut, type Plan, planChanges } from './plan.ts'

/** `palisade firewall apply -f DIR`. */
export function applyCommand() {
  return managementCommand(
    'apply',
    ...['exportConfiguration', 'importConfiguration', 'listUsers', 'createUser', 'updateUser', 'deleteUser'],
  )
    .description('make objects what files state; others stay as they are')
    .requiredOption('-f, --file <path...>', 'YAML or JSON files, and folders of them; - is standard input')
    .option('--dry-run', 'show what would be changed, and change nothing')
    .option('--prune', 'delete other objects of the kinds that the files state')
    .option('-y, --yes', 'delete without asking')
    .addHelpText(
      'after',
      examples('palisade firewall apply -f waf --dry-run', 'palisade firewall apply -f waf --prune'),
    )
    .action(async ({ file }, command) => {
      const options = command.opts()
      const kinds = await readKinds()
      const stated = readObjects(file, kinds)
      await withManagement(options, async (management) => {
        const plan = await planChanges(management, kinds, stated, options.prune ?? false)
        show(plan, options)
        // Programs read the plan alone.
        const conclude = (sentence: string) => {
          if ((options.output ?? 'table') === 'table') say(sentence, options)
        }
        if (plan.changes.length === 0) {
          conclude('Nothing has to be changed.')
        } else if (options.dryRun) {
          conclude(`${counted(plan)} would be changed; nothing was changed.`)
        } else {
          if (!options.yes) await agreeToDeletions(plan)
          await carryOut(management, kinds, plan)
          conclude(`${counted(plan)} changed.`)
        }
      })
    })
}

/** `palisade firewall diff -f DIR`. */
export function diffCommand() {
  return managementCommand('diff', 'exportConfiguration', 'importConfiguration', 'listUsers')
    .description('show how the configuration differs from files; ends with 1 when it does')
    .requiredOption('-f, --file <path...>', 'YAML or JSON files, and folders of them; - is standard input')
    .option('--prune', 'show other objects of the kinds that the files state too')
    .addHelpText(
      'after',
      examples('palisade firewall diff --file waf', 'palisade firewall diff --file waf --prune'),
    )
    .action(async ({ file }, command) => {
      const options = command.opts()
      const kinds = await readKinds()
      const stated = readObjects(file, kinds)
      const plan = await withManagement(options, (management) =>
        planChanges(management, kinds, stated, options.prune ?? false),
      )
      show(plan, options)
      if (plan.changes.length > 0)
        throw new UsageError(
          `${counted(plan)} ${plan.changes.length === 1 ? 'differs' : 'differ'} from the files.`,
        )
    })
}

/** `palisade firewall export [DIR]`. */
export function exportCommand() {
  return managementCommand('export', 'exportConfiguration', 'listUsers')
    .description('write what differs from a fresh installation as files that apply reads')
    .argument('[folder]', 'where a file for each object goes; all of them are printed when left out')
    .option('--replace', 'put the files in the place of those that are there')
    .addHelpText(
      'after',
      '\nSecrets are sealed: only this installation, or one with its secret.key, can open them.',
    )
    .addHelpText('after', examples('palisade firewall export', 'palisade firewall export waf --replace'))
    .action(async (folder, _options, command) => {
      const options = command.opts()
      const kinds = await readKinds()
      const objects = await withManagement(options, (management) => readConfiguration(management, kinds))
      if (folder !== undefined) {
        const files = writeObjects(folder, objects, kinds, options.replace ?? false)
        say(`${objects.length} objects are in ${files} files below ${folder}.`, options)
      } else if (options.output === 'json') {
        printThing(
          objects.map((object) => documentOf(object)),
          options,
        )
      } else process.stdout.write(inYaml(objects))
    })
}

function show({ changes }: Plan, { output = 'table', quiet }: OutputOptions): void {
  if (output !== 'table') printThing(changes, { output })
  else if (quiet) console.log(cell(changes.map(({ object }) => object).join('\n')))
  else {
    for (const { action, object, changes: members } of changes) {
      console.log(cell(`${{ create: '+', change: '~', delete: '-' }[action]} ${object}`))
      for (const { member, from, to } of members)
        console.log(cell(`    ${member}: ${text(from)} -> ${text(to)}`))
    }
  }
}

/** On one line, and no longer than one. */
function text(value: unknown): string {
  const whole = JSON.stringify(value) ?? ''
  return whole.length > 80 ? `${whole.slice(0, 79)}…` : whole
}

function counted({ changes }: Plan): string {
  return changes.length === 1 ? '1 object' : `${changes.length} objects`
}

async function agreeToDeletions({ changes }: Plan): Promise<void> {
  const count = changes.filter(({ action }) => action === 'delete').length
  if (count === 0) return
  const objects = count === 1 ? '1 object' : `${count} objects`
  if (!process.stdin.isTTY) {
    throw new UsageError(`${objects} would be deleted. --yes does so without asking.`)
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const reply = await lines.question(`Delete ${objects}? [y/N] `)
  lines.close()
  if (!/^y(es)?$/i.test(reply.trim())) throw new UsageError('Nothing was changed.')
}
