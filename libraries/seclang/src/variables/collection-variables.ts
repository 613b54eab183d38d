import { emptyCollection } from '../content/target.ts'
import { scalar, type Variable } from './variable.ts'

/** The collections that are kept between transactions, in lower case. */
export const storedCollections: readonly string[] = ['global', 'ip', 'resource', 'session', 'user']

/** The collections that rules write. */
export const collectionVariables: readonly Variable[] = [
  { name: 'TX', hasKeys: true, lifetime: 'volatile', read: ({ tx }) => tx },
  { name: 'ENV', hasKeys: true, lifetime: 'volatile', read: ({ environment }) => environment },
  // Filled by @geoLookup, for which there is no database.
  { name: 'GEO', hasKeys: true, lifetime: 'transaction', read: () => emptyCollection },
  ...storedCollections.map(
    (name): Variable => ({
      name: name.toUpperCase(),
      hasKeys: true,
      lifetime: 'volatile',
      read: (inspection) => inspection.stored(name)?.variables ?? emptyCollection,
    }),
  ),
  scalar('SESSIONID', 'volatile', ({ sessionId }) => sessionId),
  scalar('USERID', 'volatile', ({ userId }) => userId),
  scalar('WEBAPPID', 'transaction', ({ settings }) => settings.webApplicationId),
]
