import type { Permissions } from '../access/permissions.ts'
import { refuseProblems } from '../changes/plan.ts'
import { FieldSet } from '../kinds/field-set.ts'
import { objectName } from '../kinds/patterns.ts'
import type { AuditLog } from '../logs/audit-log.ts'
import { refuseOtherParameters } from '../rest/query.ts'
import type { Call, SpecialOperation } from '../rest/special-operation.ts'
import { bodyOf } from '../rest/write.ts'
import { automaticPrefix, type Checkpoint, type Checkpoints } from '../transfer/checkpoints.ts'
import { differencesReply } from '../transfer/differences-reply.ts'
import { administratorOf, answer, readOperationBody, textOf } from './body.ts'
import { describedBody, describedData, describedMessage, describedParameter } from './described.ts'
import { answerImport, answerPlan, type ImportDependencies } from './import-configuration.ts'

const title = 'JSON based Configuration Checkpoints'
const tags = ['JSON Configuration Checkpoints']
const collection = 'configuration-checkpoints'

const fields = new FieldSet(
  {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    comment: { type: 'string', lengthMax: 256 },
  },
  collection,
)

const mayKeep = (permissions: Permissions) => permissions.mayPerform('backup')

/** States of the configuration that are kept: to compare with, and to go back to. */
export function configurationCheckpoints(
  deps: ImportDependencies & { readonly checkpoints: Checkpoints; readonly audit: AuditLog },
): readonly SpecialOperation[] {
  const { transfer, checkpoints, audit } = deps
  const record = (call: Call, changeType: 'Add' | 'Delete', objectName: string) =>
    audit.changed(administratorOf(call), { changeType, objectType: title, objectName })
  const tell = (call: Call, checkpoints: readonly Checkpoint[]) => {
    const data = Object.fromEntries(
      checkpoints.map((checkpoint) => [checkpoint.name, toldCheckpoint(checkpoint)]),
    )
    return answer(call, { object: title, ...(checkpoints.length === 0 ? {} : { data }) })
  }
  return [
    {
      method: 'GET',
      path: collection,
      mayBeDone: mayKeep,
      description: {
        operationId: 'listCheckpoints',
        summary: 'List the checkpoints',
        tags,
        responses: describedData('The checkpoints by their names.'),
      },
      handle: async (call) => {
        refuseOtherParameters(call.request.query, [])
        return tell(call, await checkpoints.list())
      },
    },
    {
      method: 'POST',
      path: collection,
      mayBeDone: mayKeep,
      description: {
        operationId: 'createCheckpoint',
        summary: 'Keep the configuration as it is now',
        tags,
        requestBody: describedBody(title, fields),
        responses: describedMessage('The checkpoint was made.', '201'),
      },
      handle: async (call) => {
        const body = readOperationBody(bodyOf(call.request), fields, title)
        const name = textOf(body.name)
        if (name.startsWith(automaticPrefix)) {
          const sentence = `The member name must not start with "${automaticPrefix}": the system names its own checkpoints so.`
          refuseProblems([{ member: 'name', sentence }])
        }
        const checkpoint = { name, comment: textOf(body.comment), createdBy: call.author.username }
        await checkpoints.keep(checkpoint, await transfer.export())
        await record(call, 'Add', name)
        call.reply.code(201)
        return answer(call, { id: name, msg: 'Successfully created.' })
      },
    },
    {
      method: 'GET',
      path: `${collection}/{name}`,
      mayBeDone: mayKeep,
      description: {
        operationId: 'readCheckpoint',
        summary: 'Tell of one checkpoint',
        tags,
        responses: describedData('The checkpoint.'),
      },
      handle: async (call) => {
        refuseOtherParameters(call.request.query, [])
        return tell(call, [await checkpoints.find(nameIn(call))])
      },
    },
    {
      method: 'DELETE',
      path: `${collection}/{name}`,
      mayBeDone: mayKeep,
      description: {
        operationId: 'deleteCheckpoint',
        summary: 'Let go of a checkpoint',
        tags,
        responses: describedMessage('The checkpoint was deleted.'),
      },
      handle: async (call) => {
        const name = nameIn(call)
        await checkpoints.remove(name)
        await record(call, 'Delete', name)
        return answer(call, { msg: 'Successfully deleted.' })
      },
    },
    {
      method: 'GET',
      path: `${collection}/{name}/differences`,
      mayBeDone: mayKeep,
      description: {
        operationId: 'readCheckpointDifferences',
        summary: 'Tell what has changed since a checkpoint',
        tags,
        parameters: [
          describedParameter('with', 'Another checkpoint, in the place of the configuration of now.'),
        ],
        responses: describedData('What was added, changed and removed.'),
      },
      handle: async (call) => {
        const { query } = call.request
        refuseOtherParameters(query, ['with'])
        const other = query.with === undefined ? undefined : String(query.with)
        const differences = await transfer.differences(nameIn(call), other)
        return answer(call, { object: title, data: differencesReply(differences) })
      },
    },
    {
      method: 'POST',
      path: `${collection}/{name}/rollback`,
      mayBeDone: (permissions) => permissions.mayPerform('restore-backup'),
      description: {
        operationId: 'rollBackToCheckpoint',
        summary: 'Make the configuration what it was at a checkpoint, or tell what that would change',
        tags,
        requestBody: { ...describedBody('Rollback', rollbackFields), required: false },
        responses: describedData('What has changed, or would change.'),
      },
      handle: async (call) => {
        const name = nameIn(call)
        const body = readOperationBody(rollbackBody(call), rollbackFields, 'Rollback')
        const order = {
          author: call.author,
          document: await checkpoints.document(name),
          origin: `a rollback to the checkpoint ${name}`,
          leavesOutUnopened: body['skip-sealed-secrets'] === 'Yes',
          // Members that an earlier release had are no fault of a checkpoint.
          unknownMembers: 'ignore',
        } as const
        if (body['dry-run'] === 'Yes') return answerPlan(call, await transfer.plan(order))
        return answerImport(call, deps, order, body['run-in-background'] === 'Yes')
      },
    },
  ]
}

const rollbackFields = new FieldSet(
  {
    'dry-run': { type: 'yes-no', default: 'No', description: 'Says what would change, and changes nothing.' },
    'skip-sealed-secrets': {
      type: 'yes-no',
      default: 'No',
      description:
        'Whether secrets that cannot be opened stay as they are now; else the rollback is refused.',
    },
    'run-in-background': { type: 'yes-no', default: 'No' },
  },
  'rollback',
)

/** The members of the body and of the query: either may be left out. */
function rollbackBody({ request }: Call) {
  const fromQuery = { ...request.query }
  return request.body === undefined ? fromQuery : { ...fromQuery, ...bodyOf(request) }
}

function nameIn({ names }: Call): string {
  const { name = '' } = names
  return name
}

function toldCheckpoint(checkpoint: Checkpoint) {
  const { name, comment, isAutomatic, createdAt, createdBy, configurationVersion } = checkpoint
  return {
    object: title,
    name,
    comment,
    date: new Date(createdAt).toISOString(),
    administrator: createdBy,
    automatic: isAutomatic ? 'Yes' : 'No',
    'configuration-version': String(configurationVersion),
  }
}
