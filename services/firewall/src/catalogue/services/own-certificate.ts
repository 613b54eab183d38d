import type { ReferenceField } from '../../kinds/kind.ts'

/** A certificate by which this side proves who it is: one that was uploaded with its key, or one made here. */
export const ownCertificate = {
  type: 'reference',
  to: ['signed-certificate', 'self-signed-certificate'],
} as const satisfies ReferenceField
