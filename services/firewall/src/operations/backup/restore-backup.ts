import { refuseProblems } from '../../changes/plan.ts'
import { canonicalSpelling, FieldSet } from '../../kinds/field-set.ts'
import type { SpecialOperation } from '../../rest/special-operation.ts'
import { bodyOf } from '../../rest/write.ts'
import type { KeptParts } from '../../transfer/plan-import.ts'
import { readOperationBody, takeMember, textOf } from '../body.ts'
import { describedBody, describedData } from '../described.ts'
import { bytesIn } from '../document-content.ts'
import { answerImport, answerPlan, documentSizeMax } from '../import-configuration.ts'
import { openBackup } from './backup-archive.ts'
import type { BackupDependencies } from './backup-dependencies.ts'
import { places, refuseOtherPlaces } from './places.ts'

const title = 'Restore Backup'
const contentMember = 'file-content'

const fields = new FieldSet(
  {
    source: { type: 'choice', values: places, required: true },
    filename: { type: 'string', lengthMax: 255, description: 'The name that manual-backup gave.' },
    'backup-encryption-key': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      description: 'The one of the backup settings, when left out.',
    },
    'dry-run': { type: 'yes-no', default: 'No', description: 'Says what would change, and changes nothing.' },
    'skip-sealed-secrets': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether secrets that another system sealed are left out; else such a backup is refused.',
    },
    'run-in-background': { type: 'yes-no', default: 'No' },
  },
  'restore-backup',
)

/** How the management interface is reached: what a restored backup leaves as it is, when it is told to. */
const managementInterface: KeptParts = {
  kinds: new Set([
    'network-interface',
    'network-vlan',
    'interface-route',
    'static-route',
    'network-acl',
    'admin-ip-range',
  ]),
  sections: {
    system: ['wan-configuration', 'lan-configuration', 'management-configuration', 'network-configuration'],
  },
}

/** `POST backup/restore-backup`: makes the configuration what a backup says. */
export function restoreBackup(deps: BackupDependencies): SpecialOperation {
  const { backups, settings, transfer } = deps
  return {
    method: 'POST',
    path: 'backup/restore-backup',
    bodySizeMax: documentSizeMax,
    mayBeDone: (permissions) => permissions.mayPerform('restore-backup'),
    description: {
      operationId: 'restoreBackup',
      summary: 'Make the configuration what a backup says',
      tags: ['Backups'],
      requestBody: describedBody(title, fields, {
        [contentMember]: {
          type: 'string',
          description: 'The backup itself in base64, where the list of backups does not have it.',
        },
      }),
      responses: describedData('What has changed, or would change.'),
    },
    handle: async (call) => {
      const { taken, rest } = takeMember(bodyOf(call.request), canonicalSpelling(contentMember))
      const configured = settings()
      const options = { ...configured, ...readOperationBody(rest, fields, title) }
      refuseOtherPlaces('source', textOf(options.source))
      const filename = textOf(options.filename)
      const archive =
        typeof taken === 'string' ? bytesIn(contentMember, taken) : await backups.read(nameGiven(filename))
      const opened = await openBackup(archive, textOf(options['backup-encryption-key']) || undefined)
      const keepsInterface = configured['exclude-management-interface-configurations'] === 'Yes'
      const order = {
        ...opened,
        author: call.author,
        origin: filename === '' ? 'an uploaded backup' : `the backup ${filename}`,
        leavesOutUnopened: options['skip-sealed-secrets'] === 'Yes',
        ...(keepsInterface ? { kept: managementInterface } : {}),
      }
      if (options['dry-run'] === 'Yes') return answerPlan(call, await transfer.plan(order))
      return answerImport(call, deps, order, options['run-in-background'] === 'Yes')
    },
  }
}

function nameGiven(filename: string): string {
  const sentence = `Give filename, a backup of the list, or ${contentMember}, one in base64.`
  refuseProblems(filename === '' ? [{ member: 'filename', sentence }] : [])
  return filename
}
