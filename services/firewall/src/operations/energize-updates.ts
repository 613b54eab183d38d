import { RequestRefused } from '@palisade/platform'
import type { Permissions } from '../access/permissions.ts'
import { FieldSet } from '../kinds/field-set.ts'
import type { SpecialOperation } from '../rest/special-operation.ts'
import { bodyOf } from '../rest/write.ts'
import { answer, readOperationBody } from './body.ts'
import { describedBody, describedMessage } from './described.ts'

const title = 'Energize Updates'

const fields = new FieldSet(
  {
    type: {
      type: 'choice',
      values: ['attackdef', 'geoipdef', 'secdef', 'virusdef'],
      required: true,
      description: 'Definitions of attacks, of where addresses are, of security, or of viruses.',
    },
  },
  'energize-updates',
)

const mayBeDone = (permissions: Permissions) => permissions.mayPerform('energize-updates')

/**
 * `POST energize-updates/check-for-update` and `apply-update`. No subscription brings definitions to this system:
 * they come with its releases, and the rules of the Core Rule Set from a directory. Both say so.
 */
export function energizeUpdates(): readonly SpecialOperation[] {
  return [
    {
      method: 'POST',
      path: 'energize-updates/check-for-update',
      mayBeDone,
      description: {
        operationId: 'checkForUpdate',
        summary: 'Say whether there is an update of definitions; there never is',
        tags: [title],
        requestBody: describedBody(title, fields),
        responses: describedMessage('There is none.'),
      },
      handle: async (call) => {
        const { type } = readOperationBody(bodyOf(call.request), fields, title)
        return answer(call, {
          msg: `No update of ${type} is available: definitions come with releases of this system.`,
        })
      },
    },
    {
      method: 'POST',
      path: 'energize-updates/apply-update',
      mayBeDone,
      description: {
        operationId: 'applyUpdate',
        summary: 'Apply an update of definitions; there never is one, so this is refused',
        tags: [title],
        requestBody: describedBody(title, fields),
        responses: describedMessage('Never.'),
      },
      handle: async (call) => {
        const { type } = readOperationBody(bodyOf(call.request), fields, title)
        throw new RequestRefused(
          'bad-request',
          `There is no update of ${type} to apply: definitions come with releases of this system.`,
        )
      },
    },
  ]
}
