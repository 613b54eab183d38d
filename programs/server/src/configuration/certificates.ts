import { type Problem, readServerCertificate } from '@palisade/platform'
import { FileFailure } from '@palisade/start-up'
import type { Configuration } from './schema.ts'

/** Why the files of a listener's certificate cannot be presented, where it has such. */
export function problemsOfCertificate(
  listener: 'firewall' | 'services',
  { certificate }: Pick<Configuration['services'], 'certificate'>,
): Problem[] {
  if (certificate === undefined) return []
  const named = `${listener}.certificate`
  try {
    readServerCertificate({ ...certificate, named })
    return []
  } catch (error) {
    if (!(error instanceof FileFailure)) throw error
    const member = error.message.startsWith(`${named}.keyFile`) ? 'keyFile' : 'certificateFile'
    return [{ path: [listener, 'certificate', member], message: error.message }]
  }
}
