import type { Section } from '../../../kinds/kind.ts'
import { sslPolicy as ofServer } from '../server/ssl-policy.ts'

/** As a server's, with On and Off for Yes and No. */
export const sslPolicy = {
  ...ofServer,
  fields: { ...ofServer.fields, 'enable-https': { type: 'on-off', default: 'Off' } },
} as const satisfies Section
