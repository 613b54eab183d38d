import { RequestRefused } from '@palisade/platform'
import type { Vault } from '@palisade/vault'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Revisions } from '../revisions/revisions.ts'
import { Retention } from '../sets/set-definition.ts'
import type { Sets } from '../sets/sets.ts'
import { planRetention } from '../upkeep/retention.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { TaskPath } from './schemas.ts'

const SupposedRetention = Type.Object(
  { retention: Type.Optional(Retention) },
  {
    additionalProperties: false,
    title: 'SupposedRetention',
    description: "a retention to try; the set's own when left out",
    examples: [{ retention: { keepLast: 3, keepDaily: 7 } }],
  },
)

const revisionIds = Type.Array(Type.Integer(), { examples: [[12, 14]] })

const RetentionPlan = Type.Object(
  { data: Type.Object({ kept: revisionIds, deleted: revisionIds }) },
  { title: 'RetentionPlan', examples: [{ data: { kept: [14, 15, 16], deleted: [12] } }] },
)

/** What retention would do with the revisions of a set; nothing is done by asking. */
export function retentionRoute(deps: {
  readonly authorisation: Authorisation
  readonly sets: Sets
  readonly revisions: Revisions
  readonly vault: Vault
}) {
  const { authorisation, sets } = deps
  return async (scope: FastifyInstance): Promise<void> => {
    scope.post<{ Params: AccountParams & { id: string }; Body: Static<typeof SupposedRetention> }>(
      `${computerPattern}/backupsets/:id/retention`,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'previewRetention',
          summary: 'Show which revisions of a backup set its retention, or another one, would delete now',
          description:
            'Nothing is deleted by this. Retention deletes when a run of the set has ended, and leaves what is being restored.',
          tags: ['Backup sets'],
          params: TaskPath,
          body: SupposedRetention,
          response: { 200: RetentionPlan },
        },
      },
      async (request) => {
        const { body, params } = request
        const set = await sets.find(authorisation.computerOf(request), params.id)
        if (!set) throw new RequestRefused('not-found', 'There is no such backup set.')
        return { data: await planRetention(set, body.retention ?? set.definition.settings.retention, deps) }
      },
    )
  }
}
