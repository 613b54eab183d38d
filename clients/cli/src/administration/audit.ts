import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { answer } from '@palisade/sdk'
import { apiCommand, examples } from '../api-command.ts'
import { connect } from '../connection.ts'
import { calls } from '../operations.ts'
import { resourceCommand } from '../resources/resource-command.ts'
import { auditEntries } from '../resources/resources.ts'

/** `palisade audit`: who changed what. */
export function auditCommand() {
  return resourceCommand(auditEntries).addCommand(exportCommand())
}

function exportCommand() {
  const command = apiCommand('export')
    .description('write entries as lines of JSON, the oldest first')
    .option('--service <value>', 'of one service')
    .option('--actor <value>', 'by one actor')
    .option('--action <value>', 'of one action')
    .option('--target <value>', 'of one target')
    .option('--from <moment>', 'from this moment on (RFC 3339)')
    .option('--to <moment>', 'before this moment (RFC 3339)')
    .option('--file <file>', 'where to write them; standard output when left out')
    .addHelpText(
      'after',
      examples(
        'palisade audit export --from 2030-01-01T00:00:00Z --file audit.jsonl',
        'palisade audit export | jq .action',
      ),
    )
    .action(async ({ service, actor, action, target, from, to, file, ...options }) => {
      const filters = Object.entries({ service, actor, action, target, from, to })
      const query = Object.fromEntries(filters.filter(([, value]) => value !== undefined))
      const lines = await answer(
        connect(options).administration.GET('/audit-export', { params: { query }, parseAs: 'stream' }),
      )
      if (lines === null) return
      if (file === undefined) await pipeline(lines, process.stdout, { end: false })
      else await pipeline(lines, createWriteStream(file, { mode: 0o600 }))
    })
  calls(command, 'admin', 'exportAuditEntries')
  return command
}
