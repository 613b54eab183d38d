import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Argument } from '@commander-js/extra-typings'
import { errorOf } from '@palisade/sdk'
import { apiCommand, examples } from './api-command.ts'
import { connect } from './connection.ts'
import { exitStatus, UsageError } from './exit-status.ts'
import { readInput } from './input-file.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

/** `palisade api`: any call of any service, with the credentials of the operator. */
export function anyCallCommand() {
  return apiCommand('api')
    .description('make any call of any service, and print its reply as it is')
    .addArgument(new Argument('<method>', methods.join(', ')).argParser(readMethod))
    .argument('<path>', 'at the server, such as /admin/v1/operators?limit=10')
    .option('-d, --data <text>', 'the body: JSON, or @FILE, or - for standard input')
    .option('-H, --header <header...>', 'further headers, such as "If-Match: *"')
    .option('-i, --include', 'print status and headers, too')
    .addHelpText(
      'after',
      examples(
        'palisade api GET /admin/v1/system',
        `palisade api POST /admin/v1/email/accounts --data '{"id":"5584599"}'`,
        "palisade api PATCH /admin/v1/operators/ada --header 'If-Match: *' --data @change.json",
        'palisade api GET /firewall/restapi/v3.2/services',
      ),
    )
    .action(async (method, path, options) => {
      if (!/^\/(?!\/)/.test(path)) throw wrong(`A path begins with one slash: /admin/v1/system, not ${path}.`)
      const headers = new Headers(options.header?.map(readHeader))
      const { data } = options
      const body =
        data === undefined ? undefined : /^(@|-$)/.test(data) ? readInput(data.replace('@', '')) : data
      if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
      const response = await connect(options).fetch(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      })
      if (options.include) printHead(response)
      if (response.ok) {
        if (response.body) await pipeline(Readable.from(response.body), process.stdout, { end: false })
        if (process.stdout.isTTY) console.log()
        return
      }
      const text = await response.text()
      if (text !== '') console.log(text)
      throw errorOf(response, jsonOrNothing(text))
    })
}

function readMethod(text: string): string {
  const method = text.toUpperCase()
  if (methods.some((one) => one === method)) return method
  throw wrong(`A method is one of ${methods.join(', ')}, not ${text}.`)
}

function readHeader(text: string): [string, string] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw wrong(`A header is like "If-Match: *", not ${text}.`)
  return [name, value]
}

function printHead({ status, statusText, headers }: Response): void {
  console.log([`${status} ${statusText}`, ...Array.from(headers, (pair) => pair.join(': ')), ''].join('\n'))
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function wrong(message: string): UsageError {
  return new UsageError(message, exitStatus.wrongCommandLine)
}
