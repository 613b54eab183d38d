import { refuseProblems } from '../changes/plan.ts'
import { FieldSet } from '../kinds/field-set.ts'
import type { AuditLog } from '../logs/audit-log.ts'
import type { SpecialOperation } from '../rest/special-operation.ts'
import { bodyOf } from '../rest/write.ts'
import type { Transfer } from '../transfer/transfer.ts'
import { administratorOf, answer, readOperationBody, textOf } from './body.ts'
import { describedBody, describedData } from './described.ts'

const title = 'Export JSON based Configuration'

const fields = new FieldSet(
  {
    'backup-type': {
      type: 'choice',
      values: ['full', 'partial'],
      required: true,
      description: 'Everything, or what has changed since a checkpoint.',
    },
    name: {
      type: 'string',
      lengthMax: 64,
      description: 'The checkpoint, for partial exports.',
    },
    'document-form': {
      type: 'choice',
      values: ['Objects', 'Operations'],
      default: 'Objects',
      description:
        'Objects, with sealed secrets; or a list of operations as devices with this API have it, without secrets.',
    },
  },
  'export-configuration',
)

/** `POST ops/export-configuration`: the configuration as a JSON document. */
export function exportConfiguration({
  transfer,
  audit,
}: {
  readonly transfer: Transfer
  readonly audit: AuditLog
}): SpecialOperation {
  return {
    method: 'POST',
    path: 'ops/export-configuration',
    mayBeDone: (permissions) => permissions.mayPerform('backup'),
    description: {
      operationId: 'exportConfiguration',
      summary: 'Export the configuration as JSON, whole or as far as it changed since a checkpoint',
      tags: ['Export JSON Configuration'],
      requestBody: describedBody(title, fields),
      responses: describedData('The document, as import-configuration takes it.'),
    },
    handle: async (call) => {
      const options = readOperationBody(bodyOf(call.request), fields, title)
      const name = textOf(options.name)
      const isFull = options['backup-type'] === 'full'
      if (!isFull && name === '') {
        const sentence = 'The member name is required: the checkpoint since which changes are exported.'
        refuseProblems([{ member: 'name', sentence }])
      }
      const data =
        options['document-form'] === 'Operations'
          ? await transfer.exportOperations(isFull ? undefined : name)
          : isFull
            ? await transfer.export()
            : await transfer.exportSince(name)
      const what = isFull ? 'the configuration was exported' : `what changed since ${name} was exported`
      await audit.exported(administratorOf(call), { objectType: title, objectName: '', what })
      return answer(call, { object: title, msg: 'The configuration was exported.', data })
    },
  }
}
