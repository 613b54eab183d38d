import { type AwarenessService, createAwarenessService } from '@palisade/awareness'
import { createEmailService, type EmailService } from '@palisade/email'
import { createFirewallService, type FirewallService } from '@palisade/firewall'
import type { HttpService, OperatorAuthority, ServiceFoundation, ServiceMetrics } from '@palisade/platform'
import { type Backups, openBackups } from './backup-servers/open-backups.ts'
import type { ClosingSteps } from './closing-steps.ts'
import { certifiedListeners } from './configuration/certificates.ts'
import type { Configuration } from './configuration/schema.ts'
import type { Installation } from './installation.ts'
import type { OwnEndpoints } from './own-endpoints.ts'

/** What each service is given. */
export interface CommonDependencies extends ServiceFoundation {
  readonly operators: OperatorAuthority
}

/** The services but for the administration, which looks after them. */
export interface Services {
  readonly firewall: FirewallService
  readonly awareness: AwarenessService
  readonly backups: Backups
  readonly email: EmailService
}

/** Creates one service after the other; those that were created are closed also when the next one cannot be. */
export async function createServices(
  deps: {
    readonly configuration: Configuration
    /** Made anew for each service. */
    readonly common: () => CommonDependencies
    readonly metrics: ServiceMetrics
    readonly installation: Installation
    readonly own: OwnEndpoints
    /** What the listener of services presents, in PEM; undefined before it is open. */
    readonly certificate: () => string | undefined
  },
  closing: ClosingSteps,
): Promise<Services> {
  const { configuration, common, metrics, installation, own, certificate } = deps
  const closedLater = <Service extends Pick<HttpService, 'close'>>(service: Service): Service => {
    closing.add(() => service.close?.())
    return service
  }
  const firewall = closedLater(
    await createFirewallService({
      ...common(),
      metrics,
      ownEndpoints: () => own.endpoints,
      certifiedListeners: certifiedListeners(configuration),
      answersAtPort80: answersAtPort80(configuration),
      configuration: configuration.firewall,
    }),
  )
  const awareness = closedLater(
    await createAwarenessService({ ...common(), configuration: configuration.awareness }),
  )
  const backups = closedLater(
    await openBackups({
      ...common(),
      metrics,
      configuration: configuration.backup,
      installation,
      certificate,
    }),
  )
  const email = closedLater(await createEmailService({ ...common(), configuration: configuration.email }))
  return { firewall, awareness, backups, email }
}

/** Whether listeners of the server are where authorities look for proofs in plain text. */
function answersAtPort80({ firewall, services }: Configuration): boolean {
  return firewall.listen.http === 80 || services.listen.http === 80
}
