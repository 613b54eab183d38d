import type { Section } from '../../../kinds/kind.ts'
import { outOfBandHealthChecks as ofServer } from '../server/out-of-band-health-checks.ts'

/** As a server's, with On and Off for Yes and No. */
export const outOfBandHealthChecks = {
  ...ofServer,
  fields: { ...ofServer.fields, 'enable-oob-health-checks': { type: 'on-off' } },
} as const satisfies Section
