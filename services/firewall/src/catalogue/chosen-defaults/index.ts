import { accessControl } from './access-control.ts'
import { administrators } from './administrators.ts'
import { authentication } from './authentication.ts'
import { certificates } from './certificates.ts'
import type { ChosenDefaults } from './chosen-defaults.ts'
import { network } from './network.ts'
import { patterns } from './patterns.ts'
import { profiles } from './profiles.ts'
import { securityPolicies } from './security-policies.ts'
import { services } from './services.ts'
import { system } from './system.ts'
import { traffic } from './traffic.ts'

/** Every default that is our choice. */
export const chosenDefaults: ChosenDefaults = {
  ...services,
  ...accessControl,
  ...profiles,
  ...traffic,
  ...securityPolicies,
  ...patterns,
  ...authentication,
  ...certificates,
  ...network,
  ...system,
  ...administrators,
}
