import { writeFileSync } from 'node:fs'
import { Argument, Command } from '@commander-js/extra-typings'
import { examples } from '../api-command.ts'
import { UsageError } from '../connection.ts'
import { confirmAtTerminal } from '../login/ask.ts'
import { printList, printThing, say } from '../output.ts'
import { deletedSentence, yesOption } from './deletion.ts'
import { readKinds } from './kinds.ts'
import { type Management, managementCommand, membersOf, objectOf, withManagement } from './management.ts'
import { membersIn, textOfFile } from './members.ts'

/** Which kind of certificate a file is uploaded as, by the word for it. */
const uploads = {
  signed: { kind: 'signed-certificate', field: 'signed-certificate' },
  'trusted-ca': { kind: 'trusted-ca-certificate', field: 'certificate' },
  'trusted-server': { kind: 'trusted-server-certificate', field: 'certificate' },
} as const

const downloads = ['pem', 'pkcs', 'csr'] as const

/** `palisade firewall certificates …`. */
export function certificatesCommand() {
  return new Command('certificates')
    .description('certificates that services show, and those that they trust')
    .addCommand(list())
    .addCommand(show())
    .addCommand(upload())
    .addCommand(create())
    .addCommand(obtain())
    .addCommand(download())
    .addCommand(remove())
}

function list() {
  return managementCommand('list', 'listCertificates')
    .description('list the certificates of all kinds')
    .addHelpText('after', examples('palisade firewall certificates list'))
    .action(async (options) => {
      const { data } = await withManagement(options, (management) => management.call('GET', 'certificates'))
      printList(
        (Array.isArray(data) ? data : []).map(membersOf),
        [
          ['name', ({ name }) => name],
          ['common name', ({ common_name }) => common_name],
          ['type', ({ type }) => type],
          ['key', ({ key_type }) => key_type],
          ['expires', ({ expiry }) => expiry],
        ],
        options,
      )
    })
}

function show() {
  return managementCommand('show', 'readCertificate')
    .description('show a certificate')
    .argument('<name>')
    .addHelpText('after', examples('palisade firewall certificates show shop'))
    .action(async (name, _options, command) => {
      const options = command.opts()
      const reply = await withManagement(options, (management) => management.call('GET', addressOf(name)))
      printThing(objectOf(reply), options)
    })
}

function upload() {
  return managementCommand(
    'upload',
    'createSignedCertificate',
    'createTrustedCaCertificate',
    'createTrustedServerCertificate',
  )
    .description('upload a certificate')
    .argument('<name>')
    .requiredOption(
      '--certificate <file>',
      'the certificate in PEM, with those between it and the root behind it',
    )
    .option('--key <file>', 'its private key in PEM')
    .addArgument(
      new Argument('[type]', 'signed, with a key; or one that is trusted')
        .choices(['signed', 'trusted-ca', 'trusted-server'] as const)
        .default('signed' as const),
    )
    .addHelpText(
      'after',
      examples(
        'palisade firewall certificates upload shop --certificate shop.pem --key shop.key',
        'palisade firewall certificates upload partners trusted-ca --certificate ca.pem',
      ),
    )
    .action(async (name, type, _options, command) => {
      const options = command.opts()
      await withManagement(options, (management) => uploadCertificate(management, name, type, options))
      say(`The certificate ${name} is uploaded.`, options)
    })
}

/**
 * Uploads a certificate with the key that belongs to it.
 *
 * @throws UsageError when a file cannot be read
 */
export async function uploadCertificate(
  management: Management,
  name: string,
  type: keyof typeof uploads,
  files: { readonly certificate: string; readonly key?: string | undefined },
): Promise<void> {
  const { kind, field } = uploads[type]
  const key = files.key === undefined ? {} : { 'certificate-key': textOfFile(files.key) }
  const body = { name, [field]: textOfFile(files.certificate), ...key }
  await management.call('POST', `certificates/${kind}`, { body })
}

function create() {
  return managementCommand('create', 'createSelfSignedCertificate')
    .description('make a self-signed certificate')
    .argument('<name>')
    .argument('<field=value...>', 'such as common-name=shop.example.org country-code=DE')
    .addHelpText('after', '\n"palisade firewall kinds self-signed-certificate" lists the fields.')
    .addHelpText(
      'after',
      examples('palisade firewall certificates create trial common-name=shop.example.org country-code=DE'),
    )
    .action(async (name, pairs, _options, command) => {
      const options = command.opts()
      const kind = (await readKinds()).named('self-signed-certificate')
      const body = { name, ...membersIn(pairs, kind.fields, `a ${kind.name}`) }
      await withManagement(options, (management) => management.call('POST', kind.path, { body }))
      say(`The certificate ${name} is made.`, options)
    })
}

function obtain() {
  return managementCommand('obtain', 'obtainCertificate')
    .description('obtain a certificate from the authority of the configuration, by ACME')
    .argument('<name>')
    .argument('<domains...>', 'the hosts that it is for, such as shop.example.org')
    .option('--service <name>', 'show it to the clients of this service')
    .option('--no-renewal', 'do not renew it')
    .addHelpText(
      'after',
      examples('palisade firewall certificates obtain shop shop.example.org www.example.org --service shop'),
    )
    .action(async (name, domains, _options, command) => {
      const options = command.opts()
      await withManagement(options, (management) =>
        obtainCertificate(management, name, domains, {
          isRenewed: options.renewal,
          service: options.service,
        }),
      )
      say(`The certificate ${name} is here.`, options)
    })
}

/**
 * Has the management obtain a certificate; it replies when that is here.
 *
 * @throws ApiError with the reason when it cannot
 */
export async function obtainCertificate(
  management: Management,
  name: string,
  [commonName = '', ...others]: readonly string[],
  { isRenewed = true, service }: { readonly isRenewed?: boolean; readonly service?: string | undefined } = {},
): Promise<void> {
  const body = {
    name,
    'common-name': commonName,
    ...(others.length > 0 ? { 'san-cert': others.map((host) => `DNS:${host}`) } : {}),
    'auto-renew-cert': isRenewed ? 'Yes' : 'No',
    ...(service === undefined ? {} : { 'multi-cert-trusted-service': service }),
  }
  await management.call('POST', 'certificates/letsencrypt', { body })
}

function download() {
  return managementCommand('download', 'readCertificate')
    .description('download a certificate, its key as well where that may be exported, or a signing request')
    .argument('<name>')
    .addArgument(
      new Argument('[form]', 'PEM, PKCS #12, or a signing request')
        .choices(downloads)
        .default('pem' as const),
    )
    .option('--to <file>', 'where it goes; printed when left out')
    .option('--key-password-file <file>', 'the password that protects the key in the file')
    .addHelpText(
      'after',
      examples(
        'palisade firewall certificates download shop > shop.pem',
        'palisade firewall certificates download shop pkcs --to shop.p12 --key-password-file password.txt',
      ),
    )
    .action(async (name, form, _options, command) => {
      const options = command.opts()
      if (form === 'pkcs' && options.to === undefined) throw new UsageError('Say where the file goes: --to.')
      const password = options.keyPasswordFile && textOfFile(options.keyPasswordFile).trim()
      const bytes = await withManagement(options, (management) =>
        management.download(addressOf(name), { download: form, password }),
      )
      if (options.to === undefined) process.stdout.write(bytes)
      else {
        // It may hold a key.
        writeFileSync(options.to, bytes, { mode: 0o600, flag: 'wx' })
        say(`The certificate ${name} is in ${options.to}.`, options)
      }
    })
}

function remove() {
  return managementCommand('delete', 'removeCertificate')
    .description('delete certificates of any kind')
    .argument('<names...>')
    .addOption(yesOption())
    .addHelpText('after', examples('palisade firewall certificates delete trial'))
    .action(async (names, _options, command) => {
      const options = command.opts()
      const [objects, keys] = names.length === 1 ? ['certificate', 'its key'] : ['certificates', 'their keys']
      await confirmAtTerminal(options, () => `Delete the ${objects} ${names.join(', ')}, with ${keys}?`)
      await withManagement(options, async (management) => {
        for (const name of names) {
          const reply = await management.call('DELETE', addressOf(name))
          say(deletedSentence(`The certificate ${name}`, reply), options)
        }
      })
    })
}

function addressOf(name: string): string {
  return `certificates/${encodeURIComponent(name)}`
}
