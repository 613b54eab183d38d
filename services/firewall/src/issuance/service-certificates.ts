import type { Upload } from '../behaviours/certificates/read-upload.ts'
import { withRenewed } from '../behaviours/certificates/signed-certificates.ts'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { Plan } from '../changes/plan.ts'
import { allDifferences } from '../changes/update.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { withValues } from '../objects/content.ts'
import {
  isRenewedByItself,
  originMember,
  originOf,
  readStoredCertificate,
} from '../objects/stored-certificate.ts'
import {
  type CertificateSource,
  hostsIn,
  obtainedCertificate,
  type RenewableCertificate,
} from './renewable-certificate.ts'

/** In whose name certificates are replaced; see `auditEntry`. */
const author = { username: '(certificate renewal)', role: '', address: '' }

/** The certificates of services that were obtained by ACME: signed certificates of the configuration. */
export class ServiceCertificates implements CertificateSource {
  readonly #configuration: LiveConfiguration

  constructor(configuration: LiveConfiguration) {
    this.#configuration = configuration
  }

  async refresh(): Promise<void> {
    await this.#configuration.refresh()
  }

  version(): unknown {
    return this.#configuration.snapshot
  }

  all(): readonly RenewableCertificate[] {
    return this.#configuration
      .objects('signed-certificate')
      .flatMap((object) => renewableCertificate(object) ?? [])
  }

  find(name: string): RenewableCertificate | undefined {
    const object = this.#object(name)
    return object && renewableCertificate(object)
  }

  async replace({ name, obtained }: RenewableCertificate, upload: Upload, directory: string): Promise<void> {
    const object = this.#object(name)
    if (object === undefined) return
    const { kind, path } = object
    await this.#configuration.change(author, (snapshot): Plan => {
      const newest = snapshot.object(kind, path)
      const isSame = newest && renewableCertificate(newest)?.obtained?.serial === obtained?.serial
      if (!newest || !isSame) return { action: 'update', object: { kind, path }, writes: [], changes: [] }
      const content = renewedContent(newest, upload, directory)
      return {
        action: 'update',
        object: { kind, path },
        writes: [{ kind, path, content }],
        changes: allDifferences(kind, newest.content, content),
      }
    })
  }

  #object(name: string): ConfigurationObject | undefined {
    return this.#configuration.snapshot.object(this.#configuration.kind('signed-certificate'), [name])
  }
}

/** @returns undefined for one that was uploaded, that an administrator renews, or whose secrets are not here */
function renewableCertificate(object: ConfigurationObject): RenewableCertificate | undefined {
  const directory = originOf(object)
  const storedCertificate = readStoredCertificate(object)
  if (directory === undefined || storedCertificate === undefined || !isRenewedByItself(object))
    return undefined
  const { name, content } = object
  return {
    name,
    title: `certificate ${name}`,
    get hosts() {
      return hostsIn(storedCertificate.certificate)
    },
    daysBefore: daysIn(content.values['schedule-renewal-day']),
    obtained: obtainedCertificate(storedCertificate.certificate, directory),
  }
}

function daysIn(chosen: unknown): number | undefined {
  return typeof chosen === 'string' ? Number.parseInt(chosen, 10) : undefined
}

function renewedContent({ content }: ConfigurationObject, upload: Upload, directory: string) {
  const renewed = withRenewed(content, upload)
  return withValues(renewed, undefined, { ...renewed.values, [originMember]: directory })
}
