import type { ServiceWarning } from '@palisade/platform'
import { mayBeReadByOthers } from '@palisade/private-files'
import type { Configuration } from './schema.ts'
import { secretsOf } from './secret-texts.ts'

/**
 * Whether every user of the machine may read secrets in a configuration file.
 *
 * @returns what the operator should do; undefined when there is nothing
 */
export function exposedSecrets(file: string, configuration: Configuration): ServiceWarning | undefined {
  if (!mayBeReadByOthers(file) || secretsOf(configuration).length === 0) return undefined
  return {
    condition: 'readable-configuration',
    message: `Every user of this machine may read ${file}, and there are secrets in it: use chmod o-r ${file}, and change what somebody may have read.`,
  }
}
