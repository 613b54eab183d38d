import { Command, Option } from '@commander-js/extra-typings'
import { answer, type EmailSchemas, eachRow } from '@palisade/sdk'
import { apiCommand, examples, wholeNumber } from '../api-command.ts'
import { connectToEmail } from '../connection.ts'
import { exitStatus, UsageError } from '../exit-status.ts'
import { readObject } from '../input-file.ts'
import { calls } from '../operations.ts'
import { type Columns, type OutputOptions, printEach, printList, printThing, say } from '../output.ts'
import { resourceCommand } from '../resources/resource-command.ts'
import { email } from '../resources/resources.ts'

/** The largest page that the email API gives. */
const pageSizeMax = 100

/** `palisade email`: what operators administer of the email service, and its own API. */
export function emailCommand() {
  const command = new Command('email').description('mail domains: accounts, verification, statistics')
  for (const resource of email) command.addCommand(resourceCommand(resource))
  return command
    .addCommand(
      new Command('verification')
        .description('whether DNS shows that a domain is theirs')
        .addCommand(verificationShow())
        .addCommand(verificationCheck()),
    )
    .addCommand(statistics())
    .addCommand(report())
    .addCommand(
      new Command('api')
        .description('accounts and domains as clients of the email API see them')
        .addCommand(accounts())
        .addCommand(domains())
        .addCommand(domain()),
    )
}

/** A command of the email API. An API client of that service may ask, too. */
function emailApiCommand(name: string) {
  const command = apiCommand(name)
    .addOption(
      new Option('--client-id <id>', 'an API client that asks instead of an operator').env(
        'PALISADE_CLIENT_ID',
      ),
    )
    .option('--client-secret-file <file>', 'a file with its secret; else PALISADE_CLIENT_SECRET')
  calls(command, 'email', 'requestAccessToken')
  return command
}

function accountCommand(name: string) {
  return emailApiCommand(name).requiredOption('--account <id>', 'the account')
}

function accounts() {
  const command = emailApiCommand('accounts')
    .description('list the accounts that the caller has a part in')
    .addHelpText(
      'after',
      examples(
        'palisade email api accounts',
        'palisade email api accounts --client-id reporting --client-secret-file secret.txt',
      ),
    )
    .action(async (options) => {
      const client = connectToEmail(options)
      const rows = eachRow({ size: pageSizeMax, first: 0 }, async (page, size) => {
        const { results } = await answer(
          client.GET('/beta/accounts/ess', { params: { query: { page, size } } }),
        )
        return results
      })
      await printEach(
        rows,
        [
          ['id', ({ accountId }) => accountId],
          ['name', ({ accountName }) => accountName],
          ['region', ({ region }) => region],
          ['status', ({ status }) => status],
        ],
        options,
      )
    })
  calls(command, 'email', 'listAccounts')
  return command
}

interface Domain {
  readonly domainId: number
  readonly domainName: string
  readonly status: string
  readonly type: string
}

const domainColumns: Columns<Domain> = [
  ['id', ({ domainId }) => domainId],
  ['name', ({ domainName }) => domainName],
  ['status', ({ status }) => status],
  ['type', ({ type }) => type],
]

function domains() {
  const command = accountCommand('domains')
    .description('list the domains of an account, all or one page')
    .option('--page <number>', 'one page alone, counted from 0', wholeNumber({ min: 0, max: 100 }))
    .option('--size <number>', 'domains of a page', wholeNumber({ min: 1, max: pageSizeMax }), pageSizeMax)
    .addHelpText(
      'after',
      examples(
        'palisade email api domains --account 5584599',
        'palisade email api domains --account 5584599 --page 2 --size 10',
      ),
    )
    .action(async ({ account, page: only, size: pageSize, ...options }) => {
      const client = connectToEmail(options)
      const read = async (page: number, size: number) => {
        const params = { path: { account_id: account }, query: { page, size } }
        return (await answer(client.GET('/beta/accounts/{account_id}/ess/domains', { params }))).results
      }
      if (only === undefined)
        await printEach(eachRow({ size: pageSize, first: 0 }, read), domainColumns, options)
      else printList(await read(only, pageSize), domainColumns, options)
    })
  calls(command, 'email', 'listDomains')
  return command
}

function domain() {
  const command = accountCommand('domain')
    .description('show one domain of an account')
    .argument('<domain>', 'its name or id')
    .addHelpText('after', examples('palisade email api domain example.org --account 5584599'))
    .action(async (name, options) => {
      const params = { path: { account_id: options.account, domain: name } }
      const client = connectToEmail(options)
      printThing(
        await answer(client.GET('/beta/accounts/{account_id}/ess/domains/{domain}', { params })),
        options,
      )
    })
  calls(command, 'email', 'getDomain')
  return command
}

function verificationShow() {
  const command = accountCommand('show')
    .description('show the records that verify a domain, and what came of looking for them')
    .argument('<domain>', 'its name or id')
    .addHelpText('after', examples('palisade email verification show example.org --account 5584599'))
    .action(async (name, options) => {
      const params = { path: { account_id: options.account, domain: name } }
      const client = connectToEmail(options)
      printVerification(
        await answer(client.GET('/beta/accounts/{account_id}/ess/domains/{domain}/verification', { params })),
        options,
      )
    })
  calls(command, 'email', 'getDomainVerification')
  return command
}

function verificationCheck() {
  const command = accountCommand('check')
    .description('look for the records of a domain at once; at most once a minute')
    .argument('<domain>', 'its name or id')
    .addHelpText('after', examples('palisade email verification check example.org --account 5584599'))
    .action(async (name, options) => {
      const params = { path: { account_id: options.account, domain: name } }
      const client = connectToEmail(options)
      printVerification(
        await answer(
          client.POST('/beta/accounts/{account_id}/ess/domains/{domain}/verification/check', { params }),
        ),
        options,
      )
    })
  calls(command, 'email', 'checkDomainVerification')
  return command
}

/** The records stand below the rest, as they are entered into DNS. */
function printVerification(verification: Verification, options: OutputOptions): void {
  const { records, ...others } = verification
  if (options.output === 'json' || options.output === 'yaml') printThing(verification, options)
  else {
    printThing(others, options)
    console.log('\nAny one of these records is enough:')
    printList(
      records,
      [
        ['type', ({ type, preference }) => (preference === undefined ? type : `${type} ${preference}`)],
        ['name', ({ name }) => name],
        ['value', ({ value }) => value],
      ],
      {},
    )
  }
}

type Verification = EmailSchemas['schemas']['DomainVerification']

function statistics() {
  const command = accountCommand('statistics')
    .description('show what became of the mail of an account, or of one domain')
    .argument('[domain]', 'the name or id of one')
    .addOption(
      new Option('--period <period>', 'length of a block')
        .choices(['hourly', 'daily'] as const)
        .default('daily' as const),
    )
    .option('--count <number>', 'blocks: at most 168 hours, 30 days', wholeNumber({ min: 1, max: 168 }), 30)
    .addHelpText(
      'after',
      examples(
        'palisade email statistics --account 5584599',
        'palisade email statistics example.org --account 5584599 --period hourly --count 24',
      ),
    )
    .action(async (name, { account, period, count, ...options }) => {
      const client = connectToEmail(options)
      const query = { type: 'email', period, count } as const
      const result = await answer(
        name === undefined
          ? client.GET('/beta/accounts/{account_id}/ess/statistics', {
              params: { path: { account_id: account }, query },
            })
          : client.GET('/beta/accounts/{account_id}/ess/domains/{domain}/statistics', {
              params: { path: { account_id: account, domain: name }, query },
            }),
      )
      if (options.output === 'json' || options.output === 'yaml') printThing(result, options)
      else
        printList(
          [...rowsOf('inbound', result.inbound), ...rowsOf('outbound', result.outbound)],
          outcomeColumns,
          options,
        )
    })
  calls(command, 'email', 'getAccountStatistics', 'getDomainStatistics')
  return command
}

interface Outcome {
  readonly direction: string
  /** "action:threat_type:reason" */
  readonly outcome: string
  /** When the block began. */
  readonly at: string
  readonly messages: number
}

const outcomeColumns: Columns<Outcome> = [
  ['from', ({ at }) => at],
  ['direction', ({ direction }) => direction],
  ['outcome', ({ outcome }) => outcome],
  ['messages', ({ messages }) => messages],
]

function rowsOf(
  direction: string,
  counts: Readonly<Record<string, Readonly<Record<string, number>>>>,
): Outcome[] {
  return Object.entries(counts).flatMap(([outcome, blocks]) =>
    Object.entries(blocks).map(([at, messages]) => ({ direction, outcome, at, messages })),
  )
}

function report() {
  const command = accountCommand('report')
    .description('report what became of the mail of a domain, as a mail gateway does')
    .argument('<domain>', 'its name or id')
    .requiredOption('-f, --file <file>', 'the report in JSON or YAML; - for standard input')
    .addHelpText('after', examples('palisade email report example.org --account 5584599 --file report.json'))
    .action(async (name, { account, file, ...options }) => {
      const client = connectToEmail(options)
      const reply = await answer(
        client.POST('/beta/accounts/{account_id}/ess/domains/{domain}/statistics', {
          params: { path: { account_id: account, domain: name } },
          body: readReport(file),
        }),
      )
      say(
        reply.isNew ? `Report ${reply.report} is counted.` : `Report ${reply.report} was counted before.`,
        options,
      )
    })
  calls(command, 'email', 'reportDomainMail')
  return command
}

type MailReport = EmailSchemas['schemas']['MailReport']

/** The server judges what is in it. */
function readReport(file: string): MailReport {
  const content = readObject(file)
  if (isReport(content)) return content
  throw new UsageError(`${file} must have "report" and "counts".`, exitStatus.wrongCommandLine)
}

function isReport(content: Readonly<Record<string, unknown>>): content is MailReport {
  return typeof content.report === 'string' && Array.isArray(content.counts)
}
