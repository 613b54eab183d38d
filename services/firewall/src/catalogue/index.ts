import { patternsKinds } from '../features/patterns/index.ts'
import { securityPoliciesKinds } from '../features/security-policies/index.ts'
import { servicesKinds } from '../features/services/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { accessControlKinds } from './access-control/index.ts'
import { administratorsKinds } from './administrators/index.ts'
import { authenticationKinds } from './authentication/index.ts'
import { certificatesKinds } from './certificates/index.ts'
import { chosenDefaults } from './chosen-defaults/index.ts'
import { withChosenDefaults } from './chosen-defaults/with-chosen-defaults.ts'
import { networkKinds } from './network/index.ts'
import { profilesKinds } from './profiles/index.ts'
import { systemKinds } from './system/index.ts'
import { trafficKinds } from './traffic/index.ts'

/** Every kind of configuration object that the firewall has, as an administrator would look for it. */
export const catalogue: readonly Kind[] = withChosenDefaults(
  [
    ...servicesKinds,
    ...accessControlKinds,
    ...profilesKinds,
    ...trafficKinds,
    ...securityPoliciesKinds,
    ...patternsKinds,
    ...authenticationKinds,
    ...certificatesKinds,
    ...networkKinds,
    ...systemKinds,
    ...administratorsKinds,
  ],
  chosenDefaults,
)
