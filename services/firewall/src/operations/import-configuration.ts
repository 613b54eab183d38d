import type { FastifyReply } from 'fastify'
import { FieldSet } from '../kinds/field-set.ts'
import type { Call, SpecialOperation } from '../rest/special-operation.ts'
import { bodyOf } from '../rest/write.ts'
import { differencesReply } from '../transfer/differences-reply.ts'
import type { PlannedImport } from '../transfer/plan-import.ts'
import type { ImportOrder, Transfer } from '../transfer/transfer.ts'
import { answer, readOperationBody, takeMember } from './body.ts'
import { describedBody, describedData } from './described.ts'
import { documentIn } from './document-content.ts'
import type { Jobs } from './jobs.ts'

/** Documents of many thousands of objects; as base64 they take a third more. */
export const documentSizeMax = 64 * 1024 * 1024

const title = 'Import JSON based Configuration'
const contentMember = 'json-file-content'

const fields = new FieldSet(
  {
    operation: {
      type: 'choice',
      values: ['Restore', 'Test'],
      alsoCalled: { Validate: 'Test' },
      default: 'Restore',
      description: 'Test says what would change, and changes nothing.',
    },
    'skip-sealed-secrets': {
      type: 'yes-no',
      default: 'No',
      description:
        'Whether secrets that another system sealed are left out; else such a document is refused.',
    },
    'run-in-background': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether to answer at once; ops/running-tasks tells what becomes of the job.',
    },
  },
  'import-configuration',
)

/** What imports are carried out with. */
export interface ImportDependencies {
  readonly transfer: Transfer
  readonly jobs: Jobs
}

/** `POST ops/import-configuration`: makes the configuration what a document says, or tells what that would change. */
export function importConfiguration(deps: ImportDependencies): SpecialOperation {
  return {
    method: 'POST',
    path: 'ops/import-configuration',
    bodySizeMax: documentSizeMax,
    mayBeDone: (permissions) => permissions.mayPerform('restore-backup'),
    description: {
      operationId: 'importConfiguration',
      summary: 'Make the configuration what a document says, or tell what that would change',
      tags: ['Import JSON Configuration'],
      requestBody: describedBody(
        title,
        fields,
        {
          [contentMember]: {
            type: ['object', 'string'],
            description:
              'The document, of objects or a list of operations: as an object, as JSON text, or as base64 of JSON text.',
          },
        },
        [contentMember],
      ),
      responses: describedData('What has changed, or would change.'),
    },
    handle: async (call) => {
      const { taken, rest } = takeMember(bodyOf(call.request), contentMember)
      const options = readOperationBody(rest, fields, title)
      const order = {
        author: call.author,
        document: documentIn(contentMember, taken),
        origin: 'an imported document',
        leavesOutUnopened: options['skip-sealed-secrets'] === 'Yes',
      }
      if (options.operation === 'Test') return answerPlan(call, await deps.transfer.plan(order))
      return answerImport(call, deps, order, options['run-in-background'] === 'Yes')
    },
  }
}

/** Carries an import out as a job, and answers with what has changed, or at once with the job's id. */
export async function answerImport(
  call: Call,
  { transfer, jobs }: ImportDependencies,
  order: ImportOrder,
  inBackground = false,
): Promise<FastifyReply> {
  const job = await jobs.start(
    { operation: order.origin, username: order.author.username },
    () => transfer.carryOut(order),
    describe,
  )
  if (inBackground) return answer(call, { msg: 'The import is running.', job_id: job.id })
  const done = await job.result
  return answer(call, { msg: describe(done), job_id: job.id, data: dataOf(done) })
}

/** Answers with what an import would change. */
export function answerPlan(call: Call, planned: PlannedImport): FastifyReply {
  const count = planned.differences.length
  const msg =
    count === 0 ? 'Nothing would change.' : `This would change ${objects(count)}; nothing was changed.`
  return answer(call, { msg, data: dataOf(planned) })
}

function describe({ differences }: PlannedImport): string {
  return differences.length === 0
    ? 'Nothing had to be changed.'
    : `Configuration updated: ${objects(differences.length)}.`
}

function objects(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`
}

function dataOf({ differences, unopened }: PlannedImport): object {
  const members = unopened.slice(0, unopenedToldMax)
  return { ...differencesReply(differences), ...(unopened.length > 0 ? { 'left out': members } : {}) }
}

const unopenedToldMax = 1000
