import { Argument } from '@commander-js/extra-typings'
import { parse } from 'yaml'
import { examples } from '../api-command.ts'
import { printThing } from '../output.ts'
import { printDifferences } from './checkpoints.ts'
import { managementCommand, membersOf, withManagement } from './management.ts'
import { textOfFile } from './members.ts'

const openApiSteps = ['apply', 'upload', 'apply-saved', 'download', 'delete'] as const

const openApiOperations: Readonly<Record<(typeof openApiSteps)[number], string>> = {
  apply: 'apply',
  upload: 'upload',
  'apply-saved': 'apply_saved',
  download: 'download',
  delete: 'delete_configuration',
}

/** `palisade firewall openapi STEP SERVICE`. */
export function openApiCommand() {
  return managementCommand('openapi', 'importOpenApi')
    .description('have a service accept what the description of its API allows, and nothing else')
    .addArgument(
      new Argument(
        '<step>',
        'make profiles of a document at once, or keep it, make profiles of it later, give it back, and take the profiles away',
      ).choices(openApiSteps),
    )
    .argument('<service>')
    .option('--name <name>', 'what the document is called; like the service when left out')
    .option('-f, --file <file>', 'an OpenAPI 3 or Swagger 2 document, JSON or YAML; - is standard input')
    .addHelpText(
      'after',
      examples(
        'palisade firewall openapi apply shop --file openapi.yaml',
        'palisade firewall openapi delete shop',
      ),
    )
    .action(async (step, service, _options, command) => {
      const options = command.opts()
      const body = {
        operation: openApiOperations[step],
        'service-name': service,
        'api-spec-name': options.name ?? service,
        ...(options.file === undefined ? {} : { 'import-file-content': parse(textOfFile(options.file)) }),
      }
      const { data, msg } = await withManagement(options, (management) =>
        management.call('POST', 'ops/import-openapi', { body }),
      )
      if (step === 'download') printThing(membersOf(data), { output: options.output ?? 'json' })
      else printDifferences(data, options, msg)
    })
}
