import { number } from '../../kinds/conversions.ts'
import { sectionReader } from '../../kinds/field-reader.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'

export const tarpitReader = sectionReader(securityPolicy, 'tarpit-profile', {
  delaySeconds: ['tarpit-delay-interval', number],
  backlogMax: ['backlog-requests-limit', number],
  silenceSeconds: ['tarpit-inactivity-timeout', number],
})
