import { type BackupSource, withPartition } from '@palisade/agent-protocol'
import { isStorableText } from '@palisade/platform'
import { Type } from 'typebox'

/** The longest path that a caller may name: Linux takes no longer one. Agents repeat it in what they say over their links. */
export const pathLengthMax = 4096

/** What a caller wants backed up. What is stored is read as `BackupSource`, which has no such limit. */
export const GivenSource = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: pathLengthMax,
      description:
        'of a raw image or block device on the computer, absolute; may end in # and the number of a partition, such as /images/web.raw#2',
    }),
    partition: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'the same number, apart from the path; the whole when left out',
      }),
    ),
  },
  { additionalProperties: false, title: 'GivenSource' },
)

/**
 * A source with the number of its partition apart from its path, however it was named.
 *
 * @param field what the path is called in messages, such as `[source][path]`
 * @returns what is wrong instead, as one sentence
 */
export function readSource(source: BackupSource, field: string): BackupSource | string {
  if (!isStorableText(source.path)) return `${field} is invalid`
  try {
    return withPartition(source)
  } catch (error) {
    return `${field} is invalid: ${error instanceof Error ? error.message : error}`
  }
}
