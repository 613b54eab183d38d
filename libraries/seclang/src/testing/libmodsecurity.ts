import koffi from 'koffi'
import { connection, requestHeaders, responseHeaders, type SpeedEngine } from './speed-case.ts'

/** A pointer that only the library follows. */
type Pointer = unknown

/** The members of the structure by which the library tells what is to be done; none is used. */
const interventionSizeBytes = 64

/**
 * ModSecurity 3, as its connectors for web servers call it.
 *
 * @param rulesFile with all settings and rules
 * @throws {Error} when the library is not installed or refuses the rules
 */
export function libmodsecurity(rulesFile: string): SpeedEngine {
  const library = koffi.load('libmodsecurity.so.3')
  const engine: Pointer = library.func('void *msc_init()')()
  const rules: Pointer = library.func('void *msc_create_rules_set()')()
  const reason: [string | null] = [null]
  const add = library.func('int msc_rules_add_file(void *, const char *, _Out_ const char **)')
  if (add(rules, rulesFile, reason) < 0) throw new Error(`ModSecurity refuses the rules: ${reason[0]}`)

  const begin = library.func('void *msc_new_transaction(void *, void *, void *)')
  const connect = library.func('int msc_process_connection(void *, const void *, int, const void *, int)')
  const readUri = library.func('int msc_process_uri(void *, const void *, const void *, const void *)')
  const addRequestHeader = library.func('int msc_add_request_header(void *, const void *, const void *)')
  const judgeRequestHeaders = library.func('int msc_process_request_headers(void *)')
  const appendRequestBody = library.func('int msc_append_request_body(void *, const void *, size_t)')
  const judgeRequestBody = library.func('int msc_process_request_body(void *)')
  const addResponseHeader = library.func('int msc_add_response_header(void *, const void *, const void *)')
  const judgeResponseHeaders = library.func('int msc_process_response_headers(void *, int, const void *)')
  const appendResponseBody = library.func('int msc_append_response_body(void *, const void *, size_t)')
  const judgeResponseBody = library.func('int msc_process_response_body(void *)')
  const log = library.func('int msc_process_logging(void *)')
  const intervention = library.func('int msc_intervention(void *, void *)')
  const end = library.func('void msc_transaction_cleanup(void *)')

  const client = text(connection.clientAddress)
  const server = text(connection.serverAddress)
  const version = text('1.1')
  const protocol = text('HTTP/1.1')
  const interventionBytes = Buffer.alloc(interventionSizeBytes)
  return (speedCase) => {
    const [uri, method] = [text(speedCase.uri), text(speedCase.method)]
    const [asked, answered] = [pairs(requestHeaders(speedCase)), pairs(responseHeaders(speedCase))]
    const body = speedCase.body === undefined ? undefined : Buffer.from(speedCase.body, 'latin1')
    const answer = Buffer.from(speedCase.response.body, 'latin1')
    return () => {
      const transaction: Pointer = begin(engine, rules, null)
      connect(transaction, client, connection.clientPort, server, connection.serverPort)
      readUri(transaction, uri, method, version)
      for (const [name, value] of asked) addRequestHeader(transaction, name, value)
      judgeRequestHeaders(transaction)
      if (body !== undefined) appendRequestBody(transaction, body, body.length)
      judgeRequestBody(transaction)
      for (const [name, value] of answered) addResponseHeader(transaction, name, value)
      judgeResponseHeaders(transaction, 200, protocol)
      appendResponseBody(transaction, answer, answer.length)
      judgeResponseBody(transaction)
      log(transaction)
      if (intervention(transaction, interventionBytes) !== 0)
        throw new Error(`ModSecurity denies ${speedCase.uri}`)
      end(transaction)
    }
  }
}

/** A byte string as C has it. */
function text(value: string): Buffer {
  return Buffer.from(`${value}\0`, 'latin1')
}

function pairs(headers: readonly string[]): readonly (readonly [Buffer, Buffer])[] {
  const result: [Buffer, Buffer][] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    result.push([text(headers[at] ?? ''), text(headers[at + 1] ?? '')])
  }
  return result
}
