import { readCertificates, readUploadedText } from '../../certificates/index.ts'
import type { Behaviour, PreparedValues } from '../../changes/behaviour.ts'
import { factsOf } from './facts.ts'
import { naming, refusalOf } from './unacceptable.ts'

const member = 'certificate'

/**
 * Reads the certificate of somebody else. One that has expired is taken as well: its end is shown, and whoever
 * trusts it judges.
 *
 * @param kind trusted-ca-certificate or trusted-server-certificate
 */
export function trustedCertificates(
  kind: string,
  { refuseName }: { readonly refuseName: NonNullable<Behaviour['refuseName']> },
): Behaviour {
  return {
    kind,
    refuseName,

    async prepare({ before, given }): Promise<PreparedValues> {
      const text = given.get(member)
      if (before || typeof text !== 'string') return {}
      const [certificate, ...others] = await naming(member, () => readCertificates(readUploadedText(text)))
      if (!certificate || others.length > 0) {
        const count = others.length + 1
        throw refusalOf(member, `The text holds ${count} certificates. Expected was one; each is an object.`)
      }
      return { ...factsOf(certificate), [member]: certificate.pem }
    },
  }
}
