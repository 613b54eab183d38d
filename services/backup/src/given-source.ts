import { BackupSource } from '@palisade/agent-protocol'
import { Type } from 'typebox'

/** The longest path that a caller may name: Linux takes no longer one. Agents repeat it in what they say over their links. */
export const pathLengthMax = 4096

/** What a caller wants backed up. What is stored is read as `BackupSource`, which has no such limit. */
export const GivenSource = Type.Object(
  { ...BackupSource.properties, path: Type.String({ minLength: 1, maxLength: pathLengthMax }) },
  { additionalProperties: false },
)
