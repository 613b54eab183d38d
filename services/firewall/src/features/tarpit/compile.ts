import { number } from '../../kinds/conversions.ts'
import { type Settings, sectionReader } from '../../kinds/field-reader.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'

/** How a client is slowed that an action policy sends to the tarpit. Each policy has it; there is no switch. */
export const tarpitReader = sectionReader(securityPolicy, 'tarpit-profile', {
  /** How long each request waits. */
  delaySeconds: ['tarpit-delay-interval', number],
  /** Requests of one client that wait; further ones are refused. */
  backlogMax: ['backlog-requests-limit', number],
  /** How long a client has to be silent to be let out. */
  silenceSeconds: ['tarpit-inactivity-timeout', number],
})

/** How clients are slowed that were sent to the tarpit. */
export type SnapshotTarpit = Settings<typeof tarpitReader>
