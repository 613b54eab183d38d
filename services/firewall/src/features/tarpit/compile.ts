import { securityPolicy } from '../../catalogue/security-policies/security-policy.ts'
import { number } from '../../kinds/conversions.ts'
import { sectionReader } from '../../kinds/field-reader.ts'

export const tarpitReader = sectionReader(securityPolicy, 'tarpit-profile', {
  delaySeconds: ['tarpit-delay-interval', number],
  backlogMax: ['backlog-requests-limit', number],
  silenceSeconds: ['tarpit-inactivity-timeout', number],
})
