import { examples } from '../api-command.ts'
import { printList, say } from '../output.ts'
import { nameForm, readKinds, sectionOf } from './kinds.ts'
import { managementCommand } from './management.ts'

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
