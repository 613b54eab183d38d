import type { IntegerField } from '../../kinds/kind.ts'

/** The most that may be asked within the count window, from three points of view. */
export const accessLimits = {
  ...limits('allowed-accesses', {
    max: 65_535,
    description: 'Requests within the count window; 0 for no limit.',
  }),
  ...limits('failed-accesses', {
    max: 65_535,
    description: 'Failed log-ins within the count window; 0 for no limit.',
  }),
  ...limits('bandwidth', {
    max: 1_048_576,
    maxFromAllSources: 10_485_760,
    unit: 'KB',
    description: 'Data within the count window; 0 for no limit.',
  }),
}

interface Limit {
  readonly max: number
  /** The largest limit for all clients together; {@link max} when left out. */
  readonly maxFromAllSources?: number
  readonly unit?: string
  readonly description: string
}

type PointOfView = 'from-all-sources' | 'per-fingerprint' | 'per-ip'

function limits<What extends string>(what: What, { max, maxFromAllSources = max, ...rest }: Limit) {
  return {
    [`max-${what}-from-all-sources`]: { type: 'integer', min: 0, max: maxFromAllSources, ...rest },
    [`max-${what}-per-fingerprint`]: { type: 'integer', min: 0, max, ...rest },
    [`max-${what}-per-ip`]: { type: 'integer', min: 0, max, ...rest },
  } as Readonly<Record<`max-${What}-${PointOfView}`, IntegerField>>
}
