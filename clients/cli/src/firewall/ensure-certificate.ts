import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { UsageError } from '../connection.ts'
import { obtainCertificate, uploadCertificate } from './certificates.ts'
import { createObject } from './create-object.ts'
import { objectAt } from './ensure-object.ts'
import { addressOf, type Kinds } from './kinds.ts'
import type { Management } from './management.ts'
import { textOfFile } from './members.ts'
import type { ProtectedApplication, Tls } from './protect-options.ts'

/**
 * Has a certificate for the service: uploaded, self-signed, or obtained by ACME, unless it exists.
 *
 * @returns its name. One that is uploaded is called after its serial number too, so that the next one has
 * another name
 */
export async function ensureCertificate(
  management: Management,
  kinds: Kinds,
  target: ProtectedApplication,
  tls: Tls,
): Promise<string> {
  const { name, domains } = target
  if (tls.way === 'upload') {
    const uploaded = `${name}-${serialIn(tls.certificate).slice(0, 16)}`
    if (!(await objectAt(management, addressOf(kinds.named('signed-certificate'), [uploaded])))) {
      await uploadCertificate(management, uploaded, 'signed', tls)
    }
    return uploaded
  }
  const certificate = `${name}-${tls.way}`
  const kind = kinds.named(tls.way === 'acme' ? 'signed-certificate' : 'self-signed-certificate')
  if (await objectAt(management, addressOf(kind, [certificate]))) return certificate
  if (tls.way === 'acme') await obtainCertificate(management, certificate, domains)
  else {
    const names = domains.map((host) => (isIP(host) ? `IP:${host}` : `DNS:${host}`))
    await createObject(management, {
      kind,
      names: [certificate],
      fields: { 'common-name': domains[0].slice(0, 64), 'country-code': 'XX', 'san-certificate': names },
      sections: {},
    })
  }
  return certificate
}

function serialIn(file: string): string {
  try {
    return new X509Certificate(textOfFile(file)).serialNumber.toLowerCase()
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} holds no certificate in PEM.`)
  }
}
